"""How the advisor network works, and the founder's letter that invites people to join it."""

import reflex as rx

from ..content.shared import Passage
from ..ui.public import sections
from ..ui.public.links import anchor
from . import texts as words


def network_steps() -> rx.Component:
    """How an introduction works, in three steps."""
    return sections.steps_across(words.STEPS_HEADING, words.STEPS, tone="section-sunken")


def recruitment_section() -> rx.Component:
    """The letter with its signature and links to reply."""
    return sections.section(
        rx.el.div(
            sections.section_head(words.PITCH),
            rx.el.div(*map(_passage, words.PITCH_PASSAGES), _signature(), class_name="prose letter"),
            class_name="beside",
        ),
        id=words.JOIN_ANCHOR,
    )


def _passage(passage: Passage) -> rx.Component:
    return rx.el.section(
        rx.el.h3(passage.title, class_name="title-m"),
        *(rx.el.p(paragraph) for paragraph in passage.paragraphs),
        *([sections.ticks(passage.bullets)] if passage.bullets else []),
    )


def _signature() -> rx.Component:
    return rx.el.address(
        rx.el.p(words.PITCH_SIGNATURE_NAME, class_name="signature-name"),
        rx.el.p(words.PITCH_SIGNATURE_TITLE),
        rx.el.p(anchor(words.PITCH_EMAIL)),
        rx.el.p(anchor(words.PITCH_PHONE)),
        rx.el.p(words.PITCH_REGISTRATION, class_name="muted"),
        class_name="signature",
    )
