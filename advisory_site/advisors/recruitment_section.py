"""How the advisor network works, and the founder's letter that invites people to join it."""

import reflex as rx

from sitekit.ui.copy import Passage
from sitekit.ui.public.links import anchor
from sitekit.ui.public.words import words_of

from ..components import sections
from . import texts


def network_steps() -> rx.Component:
    """How an introduction works, in three steps."""
    return sections.steps_across(texts.STEPS_HEADING, texts.STEPS, tone="section-sunken")


def recruitment_section(writer: rx.Component) -> rx.Component:
    """The letter, with its writer below the heading and links to reply below the signature."""
    return sections.section(
        rx.el.div(
            sections.section_head(texts.PITCH, writer),
            rx.el.div(*map(_passage, texts.PITCH_PASSAGES), _signature(), class_name="prose letter"),
            class_name="beside",
        ),
        id=texts.JOIN_ANCHOR,
    )


def _passage(passage: Passage) -> rx.Component:
    return rx.el.section(
        rx.el.h3(words_of(passage.title), class_name="title-m"),
        *(rx.el.p(words_of(paragraph)) for paragraph in passage.paragraphs),
        *([sections.ticks(passage.bullets)] if passage.bullets else []),
    )


def _signature() -> rx.Component:
    return rx.el.address(
        rx.el.p(texts.PITCH_SIGNATURE_NAME, class_name="signature-name"),
        rx.el.p(texts.PITCH_SIGNATURE_TITLE),
        rx.el.p(anchor(texts.PITCH_EMAIL)),
        rx.el.p(anchor(texts.PITCH_PHONE)),
        rx.el.p(texts.PITCH_REGISTRATION, class_name="muted"),
        class_name="signature",
    )
