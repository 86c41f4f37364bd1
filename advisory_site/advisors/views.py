"""The public components of an advisor: a card and a profile."""

from typing import Any

import reflex as rx

from sitekit.ui.browser import shown_picture
from sitekit.ui.icons import icon

from .. import routes
from ..components import profile
from . import texts
from .fields import AdvisorCard, AdvisorPage, Tag
from .groups import AdvisorService, AdvisorStat, Position
from .passages import DescriptionPart


def advisor_card(advisor: AdvisorCard, _index: int) -> rx.Component:
    """One advisor; the whole card links to the profile."""
    return rx.el.article(
        profile.portrait(advisor.picture, advisor.name),
        rx.el.div(
            rx.el.h3(
                rx.el.a(advisor.name, href=routes.advisor_page(advisor.slug), class_name="card-link"),
                class_name="title-s",
            ),
            rx.el.p(advisor.title, class_name="person-role"),
            rx.el.p(advisor.bio),
            class_name="person-words",
        ),
        class_name="card person",
    )


def advisor_profile(advisor: AdvisorPage, tags: list[Tag], story: list[str], articles: rx.Component) -> rx.Component:
    """The whole profile with the advisor's articles; parts without a value are not shown, testimonials never."""
    cover = shown_picture(
        advisor.cover,
        alt=advisor.cover.alt,
        size=(1600, 480),
        places=(("", "100vw"),),
        loading="eager",
        fetch_priority="high",
        class_name="cover",
    )
    return rx.el.article(
        rx.el.p(back_button(), class_name="wrap profile-top"),
        rx.cond(advisor.cover.image_url != "", cover),
        rx.el.div(
            _side(advisor),
            _main(advisor, tags, story, articles),
            class_name=rx.cond(advisor.cover.image_url != "", "wrap profile profile-covered", "wrap profile"),
        ),
    )


def back_button() -> rx.Component:
    """The link back to the list."""
    return rx.el.a(
        icon("arrow-left", class_name="icon-small"),
        texts.BACK.label,
        href=texts.BACK.href,
        class_name="button button-quiet button-small",
    )


def _side(advisor: AdvisorPage) -> rx.Component:
    # With a cover, that is the largest paint.
    priority = rx.cond(advisor.cover.image_url != "", "auto", "high")
    linkedin = profile.web_link(advisor.linkedin_url, advisor.name)
    return rx.el.div(
        profile.portrait(advisor.picture, advisor.name, places=profile.PAGE_WIDTHS, is_first=True, priority=priority),
        rx.el.aside(
            profile.facts(
                profile.fact(texts.AVAILABILITY_LABEL, advisor.availability),
                profile.fact(texts.LOCATION_LABEL, advisor.location),
                profile.fact(texts.EMAIL_LABEL, advisor.email, profile.mail_link(advisor.email)),
                profile.fact(texts.LINKEDIN_LABEL, advisor.linkedin_url, linkedin),
            ),
            class_name="profile-facts",
            aria_label=texts.CONTACT_TITLE,
        ),
        class_name="profile-side",
    )


def _main(advisor: AdvisorPage, tags: list[Tag], story: list[str], articles: rx.Component) -> rx.Component:
    return rx.el.div(
        _head(advisor),
        profile.part(
            texts.STATS_TITLE,
            rx.el.dl(rx.foreach(advisor.stats, _stat), class_name="stats stats-small"),
            when=profile.has_items(advisor.stats),
        ),
        profile.part(texts.DETAILED_BIO_TITLE, profile.prose(story), when=profile.has_items(story)),
        articles,
        profile.part(
            texts.EXPERTISE_SECTION_TITLE,
            rx.el.ul(rx.foreach(tags, _tag), class_name="tags"),
            when=profile.has_items(tags),
        ),
        profile.part(
            texts.EXPERIENCE_TITLE,
            rx.el.ol(rx.foreach(advisor.experience, _position), class_name="timeline"),
            when=profile.has_items(advisor.experience),
        ),
        profile.part(
            texts.SERVICES_TITLE,
            rx.el.ul(rx.foreach(advisor.services, _offer), class_name="offers"),
            when=profile.has_items(advisor.services),
        ),
        class_name="profile-main",
    )


def _head(advisor: AdvisorPage) -> rx.Component:
    both = (advisor.title != "") & (advisor.company != "")
    return rx.el.header(
        rx.el.h1(advisor.name, class_name="title-l"),
        rx.el.p(advisor.title, rx.cond(both, ", ", ""), advisor.company, class_name="person-role"),
        _line(advisor.tagline, class_name="tagline"),
        _line(advisor.bio, class_name="lead"),
        class_name="profile-head",
    )


def _line(text: str, **props: Any) -> rx.Component:
    return rx.cond(text != "", rx.el.p(text, **props))


def _tag(tag: Tag) -> rx.Component:
    """A field, linked if it leads to others who have it."""
    return rx.cond(tag.href != "", profile.linked_tag(tag.field, tag.href), rx.el.li(tag.field, class_name="tag"))


def _stat(stat: AdvisorStat) -> rx.Component:
    return rx.el.div(rx.el.dt(stat.label), rx.el.dd(stat.value), class_name="stat")


def _position(position: Position) -> rx.Component:
    return rx.el.li(
        _line(position.period, class_name="timeline-when"),
        rx.el.h3(position.role, class_name="title-s"),
        _line(position.company, class_name="person-role"),
        rx.foreach(position.description, _passage),
        class_name="timeline-item",
    )


def _passage(passage: DescriptionPart) -> rx.Component:
    return rx.cond(rx.Var.create(passage.points).length() > 0, profile.ticks(passage.points), rx.el.p(passage.text))


def _offer(offer: AdvisorService) -> rx.Component:
    return rx.el.li(
        rx.el.h3(offer.title, class_name="title-s"),
        _line(offer.description),
        _line(offer.duration, class_name="offer-length"),
        class_name="offer",
    )
