"""The public components of a company's own page."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from sitekit.records.pictures.addresses import Picture
from sitekit.ui.browser import shown_picture
from sitekit.ui.public.links import back_link, button
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import profile
from ..components.mentions import Mention, Partner
from . import texts
from .fields import CompanyPage, Metric
from .models import Founder

# Shows the link to the case of the company with this slug and name, in these classes; nothing without one.
CaseLink = Callable[[Any, Any, str], rx.Component]


def named_link(label: str, name: str, href: Any, class_name: str) -> rx.Component:
    """A link that each company has; names the company for screen readers."""
    about = rx.el.span(": ", name, class_name="visually-hidden")
    return rx.el.a(label, about, href=href, class_name=class_name)


def logo(picture: Picture, name: str) -> rx.Component:
    """The company's logo or a placeholder; loaded lazily."""
    return shown_picture(
        picture,
        fallback=routes.PLACEHOLDER_COMPANY,
        alt=rx.Var.create(texts.LOGO_OF) + name,
        size=(64, 64),
        places=(("", "11rem"),),
        is_whole=True,
    )


def company_profile(page: Any, case_link: CaseLink, articles: Callable[[str], rx.Component]) -> rx.Component:
    """The whole profile, of the vars of the page's state; parts without a value are not shown."""
    return rx.el.div(
        rx.el.p(back_link(texts.BACK)),
        rx.el.div(
            _side(page.company),
            _main(page.company, page.partner, page.story, case_link, articles(page.company.slug)),
            class_name=rx.cond(page.is_sparse, "profile profile-record profile-sparse", "profile profile-record"),
        ),
        _others(page.previous, page.following),
        class_name="wrap profile-top",
    )


def _side(company: CompanyPage) -> rx.Component:
    website = profile.web_link(company.website_url, profile.without_scheme(company.website_url))
    return rx.el.div(
        rx.el.div(logo(company.logo, company.name), class_name="card-logo"),
        rx.el.aside(
            profile.facts(
                profile.fact(texts.EXIT_LABEL, company.exit_note),
                # What a company is part of replaces the stage that it had on its own.
                rx.cond(company.exit_note == "", profile.fact(texts.STAGE_LABEL, company.stage)),
                profile.fact(texts.INDUSTRY_LABEL, company.industry),
                profile.fact(texts.FOUNDED_LABEL, company.founded),
                profile.fact(texts.EMPLOYEES_LABEL, company.employees),
                profile.fact(texts.LOCATION_LABEL, company.location),
                profile.fact(texts.WEBSITE_LABEL, company.website_url, website),
                profile.fact(texts.EMAIL_LABEL, company.email, profile.mail_link(company.email)),
                profile.fact(texts.PHONE_LABEL, company.phone, profile.phone_link(company.phone, company.dialled)),
                profile.fact(texts.LEGAL_ENTITY_NAME_LABEL, company.legal_entity_name),
                profile.fact(texts.REGISTRATION_NUMBER_LABEL, company.registration_number),
            ),
            button(texts.TALK_LINK),
            class_name="profile-facts",
            aria_label=texts.FACTS_TITLE,
        ),
        class_name="profile-side",
    )


def _main(
    company: CompanyPage, partner: Partner, story: list[str], case_link: CaseLink, articles: rx.Component
) -> rx.Component:
    return rx.el.div(
        rx.el.header(
            rx.el.h1(company.name, class_name="title-l"),
            rx.cond(company.tagline != "", rx.el.p(company.tagline, class_name="person-role")),
            rx.cond(company.description != "", rx.el.p(company.description, class_name="lead")),
            class_name="profile-head",
        ),
        _work(company, partner, case_link(company.slug, company.name, "")),
        profile.part(
            texts.KEY_METRICS_TITLE,
            rx.el.ul(rx.foreach(company.key_metrics, _metric), class_name="metrics"),
            when=profile.has_items(company.key_metrics),
        ),
        profile.part(texts.DETAILED_DESCRIPTION_TITLE, profile.prose(story), when=profile.has_items(story)),
        _quotation(company),
        profile.part(
            texts.FOUNDERS_TITLE,
            rx.el.ul(rx.foreach(company.founders, _founder), class_name="tools"),
            when=profile.has_items(company.founders),
        ),
        rx.el.div(
            _listed(texts.SERVICES_TITLE, company.services),
            _listed(texts.TARGET_MARKET_TITLE, company.target_market),
            _listed(texts.COVERAGE_AREAS_TITLE, company.coverage_areas),
            class_name="columns",
        ),
        articles,
        class_name="profile-main",
    )


def _work(company: CompanyPage, partner: Partner, case: rx.Component) -> rx.Component:
    """What the firm did, with the link to its case, who led it, in which support area and since when.

    Empty if nothing of it is known.
    """
    area = rx.cond(company.area_url != "", rx.el.a(company.support_area, href=company.area_url), company.support_area)
    facts = company.our_role + partner.slug + company.support_area + company.since
    return rx.cond(
        facts != "",
        rx.el.section(
            rx.el.h2(words_of(texts.WORK_TITLE), class_name="eyebrow"),
            rx.cond(company.our_role != "", rx.el.p(company.our_role, " ", case, class_name="work-role"), case),
            rx.el.dl(
                rx.cond(partner.slug != "", _partner(partner)),
                profile.fact(texts.SUPPORT_AREA_LABEL, company.support_area, area),
                profile.fact(texts.SINCE_LABEL, company.since),
                class_name="facts",
            ),
            class_name="work",
        ),
    )


def _partner(partner: Partner) -> rx.Component:
    """The member who led the work: portrait, name as a link, and designation."""
    face = profile.face(partner.picture, size=(64, 80), places=(("", "4rem"),), class_name="portrait")
    name = rx.el.a(partner.name, href=routes.team_profile_page(partner.slug))
    return rx.el.div(
        rx.el.dt(texts.PARTNER_LABEL),
        rx.el.dd(face),
        rx.el.dd(name),
        rx.cond(partner.designation != "", rx.el.dd(partner.designation, class_name="muted")),
        class_name="work-partner",
    )


def _quotation(company: CompanyPage) -> rx.Component:
    """What a founder says; the name and the role only if they are known."""
    return rx.cond(
        company.quote != "",
        rx.el.figure(
            rx.el.blockquote(rx.el.p(company.quote)),
            rx.cond(
                company.quoted_name + company.quoted_role != "",
                rx.el.figcaption(
                    rx.el.div(
                        rx.cond(company.quoted_name != "", rx.el.p(company.quoted_name, class_name="label")),
                        rx.cond(company.quoted_role != "", rx.el.p(company.quoted_role, class_name="muted")),
                    ),
                ),
            ),
            class_name="voice",
        ),
    )


def _others(previous: Mention, following: Mention) -> rx.Component:
    """The companies before and after this one in the list."""
    return rx.cond(
        following.slug != "",
        rx.el.nav(
            rx.cond(
                previous.slug != "",
                profile.sibling(
                    texts.PREVIOUS_LABEL, previous.name, routes.company_page(previous.slug), class_name="previous"
                ),
            ),
            profile.sibling(texts.NEXT_LABEL, following.name, routes.company_page(following.slug)),
            class_name="siblings",
            aria_label=texts.OTHERS_LABEL,
        ),
    )


def _metric(metric: Metric) -> rx.Component:
    """The number set large, beside its label; the space between them is for screen readers."""
    return rx.el.li(
        rx.cond(
            metric.value != "",
            rx.fragment(rx.el.span(metric.value, class_name="metric-value"), " ", rx.el.span(metric.words)),
            rx.el.span(metric.words, class_name="metric-alone"),
        )
    )


def _listed(title: str, items: Any) -> rx.Component:
    return profile.part(title, profile.ticks(items), when=profile.has_items(items))


def _founder(founder: Founder) -> rx.Component:
    return rx.el.li(
        rx.el.h3(founder.name, class_name="title-s"),
        rx.cond(founder.title != "", rx.el.p(founder.title, class_name="person-role")),
        rx.cond(founder.bio != "", rx.el.p(founder.bio)),
    )
