"""Sections of public pages, which take their texts as arguments."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from sitekit.ui.copy import CallToAction, Card, Heading, Link, Passage, Stat, Step
from sitekit.ui.icons import icon
from sitekit.ui.public.links import actions, arrow_link
from sitekit.ui.public.words import unbroken, words_of

from .. import routes
from ..content.support import SupportArea
from .artwork import hero_art


def section(*children: rx.Component, tone: str = "", **props: Any) -> rx.Component:
    """A section of a page. `tone` adds classes: section-sunken, section-deep, section-tight."""
    return rx.el.section(rx.el.div(*children, class_name="wrap"), class_name=f"section {tone}".strip(), **props)


def section_head(heading: Heading, *below: rx.Component) -> rx.Component:
    """The heading of a section."""
    return rx.el.header(*_heading_lines(heading, rx.el.h2, "title-l"), *below, class_name="section-head")


def _heading_lines(heading: Heading, level: Any, size: str) -> list[rx.Component]:
    return [
        *([rx.el.p(words_of(heading.eyebrow), class_name="eyebrow")] if heading.eyebrow else []),
        level(unbroken(heading.title), class_name=size),
        *([rx.el.p(words_of(heading.text), class_name="lead")] if heading.text else []),
    ]


def hero(heading: Heading, *links: Link, people: rx.Component, numbers: rx.Component) -> rx.Component:
    """The first section of Home: text on the left, the drawing on the right, and the numbers below.

    On small screens the drawing comes last.
    """
    return rx.el.section(
        rx.el.div(
            rx.el.div(*_heading_lines(heading, rx.el.h1, "title-xl"), actions(*links), people, class_name="hero-words"),
            class_name="wrap",
        ),
        numbers,
        hero_art(),
        class_name="hero",
    )


def page_head(heading: Heading, *below: rx.Component) -> rx.Component:
    """The first section of every other page."""
    return rx.el.header(*_heading_lines(heading, rx.el.h1, "title-xl"), *below, class_name="wrap page-head")


def stats(numbers: Sequence[Stat]) -> rx.Component:
    """Numbers set large, each with its label."""
    return rx.el.dl(*(_stat(number) for number in numbers), class_name="stats")


def _stat(number: Stat) -> rx.Component:
    note = [rx.el.dd(words_of(number.note), class_name="stat-note")] if number.note else []
    return rx.el.div(rx.el.dt(number.label), rx.el.dd(number.value), *note, class_name="stat")


def stat_band(title: str, numbers: Sequence[Stat], source: str = "") -> rx.Component:
    """The numbers as a section, with how they were counted; the title is only for screen readers."""
    return section(
        rx.el.h2(words_of(title), class_name="visually-hidden"),
        stats(numbers),
        *([rx.el.p(words_of(source), class_name="stats-source")] if source else []),
        tone="section-tight section-sunken",
    )


def points(heading: Heading, cards: Sequence[Card]) -> rx.Component:
    """A sticky heading beside a list of points."""
    return section(
        rx.el.div(
            section_head(heading),
            rx.el.ul(*(_point(card) for card in cards), class_name="points"),
            class_name="beside",
        )
    )


def _point(card: Card) -> rx.Component:
    return rx.el.li(
        icon(card.icon),
        rx.el.div(rx.el.h3(card.title, class_name="title-s"), rx.el.p(words_of(card.text))),
        class_name="point",
    )


def principles(heading: Heading, cards: Sequence[Card]) -> rx.Component:
    """Numbered principles."""
    return section(
        section_head(heading),
        rx.el.ol(
            *(rx.el.li(rx.el.h3(card.title, class_name="title-m"), rx.el.p(words_of(card.text))) for card in cards),
            class_name="principles",
        ),
        tone="section-sunken",
    )


def support_summary(anchor_id: str, heading: Heading, areas: Sequence[SupportArea], link: Link) -> rx.Component:
    """The support areas in brief, in two alternating tones, each linked to its place on What We Do."""
    return section(
        section_head(heading),
        rx.el.ul(*(_area_in_brief(area) for area in areas), class_name="areas"),
        rx.el.p(arrow_link(link), class_name="after-areas"),
        tone="section-sunken",
        id=anchor_id,
    )


def _area_in_brief(area: SupportArea) -> rx.Component:
    return rx.el.li(
        icon(area.icon),
        rx.el.h3(rx.el.a(area.title, href=_place(area), class_name="card-link"), class_name="title-s"),
        rx.el.p(words_of(area.summary)),
        class_name="area",
    )


def _place(area: SupportArea) -> str:
    return f"{routes.WHAT_WE_DO}#{area.anchor}"


def support_in_full(
    anchor_id: str, heading: Heading, areas: Sequence[SupportArea], cases: Sequence[rx.Component], *, index_label: str
) -> rx.Component:
    """An index of the support areas, and each in full with its cases, in alternating tones."""
    full = (_area_in_full(area, cases[number], is_first=number == 0) for number, area in enumerate(areas))
    return section(
        section_head(heading),
        rx.el.nav(
            rx.el.ol(*(rx.el.li(rx.el.a(area.title, href=f"#{area.anchor}")) for area in areas)),
            class_name="area-index",
            aria_label=index_label,
        ),
        rx.el.ul(*full, class_name="areas areas-full"),
        id=anchor_id,
    )


def _area_in_full(area: SupportArea, cases: rx.Component, *, is_first: bool) -> rx.Component:
    """One area: on phones its title and summary open it, on wider screens it is always open.

    The anchor is inside, because browsers open a <details> only for a fragment within it.
    """
    return rx.el.li(
        rx.el.details(
            rx.el.summary(
                rx.el.h3(area.title, class_name="title-s"), rx.el.span(words_of(area.summary), class_name="muted")
            ),
            rx.el.div(
                rx.el.div(
                    icon(area.icon),
                    rx.el.h3(area.title, class_name="title-m"),
                    rx.el.p(words_of(area.text)),
                    class_name="area-words",
                ),
                ticks(area.details),
                cases,
                id=area.anchor,
                class_name="area-body",
            ),
            **({"open": True} if is_first else {}),
        ),
        class_name="area",
    )


def steps_across(heading: Heading, steps: Sequence[Step], tone: str) -> rx.Component:
    """A few steps without details, beside each other."""
    return section(
        section_head(heading),
        rx.el.ol(*(_brief_step(step) for step in steps), class_name="steps steps-across"),
        tone=tone,
    )


def _brief_step(step: Step) -> rx.Component:
    return rx.el.li(
        rx.el.h3(words_of(step.title), class_name="title-s"), rx.el.p(words_of(step.text)), class_name="step"
    )


def ticks(items: Sequence[str]) -> rx.Component:
    """A short list, each item marked with the brand's diamond."""
    return rx.el.ul(*(rx.el.li(words_of(item)) for item in items), class_name="ticks")


def closing(call: CallToAction, *content: rx.Component, look: str = "section-deep") -> rx.Component:
    """The last section of a page: a question, its answer, and links, with what is shown beside them.

    `look` is one of: section-deep (a dark band), closing-soft (a light one), closing-split (the title beside the
    rest), closing-centred, closing-line (small, for pages of one record); closing-turned puts what is shown first.
    """
    return section(
        rx.el.div(
            rx.el.h2(words_of(call.title), class_name="title-l"),
            rx.el.div(
                rx.el.p(words_of(call.text), class_name="lead"),
                actions(call.primary, call.secondary),
                class_name="closing-more",
            ),
            class_name="closing-words",
        ),
        *content,
        tone=f"closing {look}",
    )


def prose(passages: Sequence[Passage]) -> rx.Component:
    """Passages of text in a column of readable width."""
    return rx.el.div(*(_passage(passage) for passage in passages), class_name="prose")


def _passage(passage: Passage) -> rx.Component:
    anchor = {"id": passage.anchor} if passage.anchor else {}
    return rx.el.section(
        rx.el.h2(passage.title, class_name="title-m"),
        *(rx.el.p(paragraph) for paragraph in passage.paragraphs),
        *([rx.el.ul(*(rx.el.li(bullet) for bullet in passage.bullets))] if passage.bullets else []),
        **anchor,
    )
