"""The public components of a company: a card of the list, and a profile."""

from typing import Any

import reflex as rx

from ..core import routes
from ..core.pictures import Picture
from ..ui.browser import alt_of, shown_picture
from ..ui.public import profile
from ..ui.public.links import back_link
from . import texts as words
from .fields import CompanyCard, CompanyPage, Metric
from .models import Founder


def company_card(company: CompanyCard) -> rx.Component:
    """One portfolio company, as the public list shows it."""
    return rx.el.article(
        rx.el.div(logo(company.logo, company.name), class_name="card-logo"),
        rx.el.h3(company.name, class_name="title-s"),
        rx.el.p(company.tagline),
        rx.el.p(
            *(rx.cond(value != "", rx.el.span(value)) for value in (company.industry, company.location)),
            class_name="card-facts",
        ),
        rx.el.div(
            named_link(words.DETAILS_LABEL, company.name, routes.company_page(company.slug), "button button-small"),
            named_link(
                words.CONTACT_LINK.label,
                company.name,
                words.CONTACT_LINK.href,
                "button button-small button-quiet",
            ),
            class_name="card-foot actions",
        ),
        class_name="card",
    )


def named_link(label: str, name: str, href: Any, class_name: str) -> rx.Component:
    """A link that each card has; names the company for screen readers."""
    about = rx.el.span(": ", name, class_name="visually-hidden")
    return rx.el.a(label, about, href=href, class_name=class_name)


def logo(picture: Picture, name: str) -> rx.Component:
    """The company's logo or a placeholder; loaded lazily."""
    return shown_picture(
        picture,
        fallback=routes.PLACEHOLDER_COMPANY,
        alt=alt_of(picture, name + " logo"),
        size=(64, 64),
        places=(("", "11rem"),),
        is_whole=True,
    )


def company_profile(company: CompanyPage, story: list[str]) -> rx.Component:
    """The whole profile; parts without a value are not shown."""
    return rx.el.div(
        rx.el.p(back_link(words.BACK)),
        rx.el.div(_side(company), _main(company, story), class_name="profile profile-record"),
        class_name="wrap profile-top",
    )


def _side(company: CompanyPage) -> rx.Component:
    website = profile.web_link(company.website_url, profile.without_scheme(company.website_url))
    return rx.el.div(
        rx.el.div(logo(company.logo, company.name), class_name="card-logo"),
        rx.el.aside(
            profile.facts(
                profile.fact(words.INDUSTRY_LABEL, company.industry),
                profile.fact(words.FOUNDED_LABEL, company.founded),
                profile.fact(words.EMPLOYEES_LABEL, company.employees),
                profile.fact(words.LOCATION_LABEL, company.location),
                profile.fact(words.WEBSITE_LABEL, company.website_url, website),
                profile.fact(words.EMAIL_LABEL, company.email, profile.mail_link(company.email)),
                profile.fact(words.PHONE_LABEL, company.phone, profile.phone_link(company.phone)),
                profile.fact(words.LEGAL_ENTITY_NAME_LABEL, company.legal_entity_name),
                profile.fact(words.REGISTRATION_NUMBER_LABEL, company.registration_number),
            ),
            named_link(words.CONTACT_LINK.label, company.name, words.CONTACT_LINK.href, "button"),
            class_name="profile-facts",
            aria_label=words.FACTS_TITLE,
        ),
        class_name="profile-side",
    )


def _main(company: CompanyPage, story: list[str]) -> rx.Component:
    return rx.el.div(
        rx.el.header(
            rx.el.h1(company.name, class_name="title-l"),
            rx.cond(company.tagline != "", rx.el.p(company.tagline, class_name="person-role")),
            rx.cond(company.description != "", rx.el.p(company.description, class_name="lead")),
            class_name="profile-head",
        ),
        profile.part(
            words.KEY_METRICS_TITLE,
            rx.el.ul(rx.foreach(company.key_metrics, _metric), class_name="metrics"),
            when=profile.has_items(company.key_metrics),
        ),
        profile.part(words.DETAILED_DESCRIPTION_TITLE, profile.prose(story), when=profile.has_items(story)),
        profile.part(
            words.FOUNDERS_TITLE,
            rx.el.ul(rx.foreach(company.founders, _founder), class_name="tools"),
            when=profile.has_items(company.founders),
        ),
        rx.el.div(
            _listed(words.SERVICES_TITLE, company.services),
            _listed(words.TARGET_MARKET_TITLE, company.target_market),
            _listed(words.COVERAGE_AREAS_TITLE, company.coverage_areas),
            class_name="columns",
        ),
        class_name="profile-main",
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
