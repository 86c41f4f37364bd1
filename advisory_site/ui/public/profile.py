"""Components of pages about records: spinner, empty and not-found states, facts, parts, people."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import reflex as rx
from reflex.vars import FunctionStringVar

from ...content.layout import LATE, NEW_TAB_NOTE, RELOAD
from ...content.shared import Link
from ..browser import BrokenImageFallback
from ..icons import icon
from .links import arrow_link, back_link, button

T = TypeVar("T")

# A full stop that ends a sentence: words follow it, or nothing. "Dr." and initials do not end one.
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)([.!?…][’”)]?)(?=\s|$)")
# An address may hold a question mark, after which a mail program would read more recipients.
_encode: FunctionStringVar[Any] = FunctionStringVar.create("encodeURIComponent")
PLACEHOLDER_PERSON = "/images/placeholder-person.svg"
PLACEHOLDER_COMPANY = "/images/placeholder-company.svg"


def loading(words: str) -> rx.Component:
    """A spinner in place of a record; after a while, a way to try again."""
    return rx.el.div(
        rx.el.p(rx.el.span(class_name="spinner", aria_hidden="true"), words, class_name="loading", role="status"),
        rx.el.p(LATE, " ", rx.el.a(RELOAD, href="?", custom_attrs={"reloadDocument": True}), class_name="late"),
    )


def empty(title: str, text: str, *links: Link) -> rx.Component:
    """The message in place of an empty list, and what to do instead."""
    return rx.el.div(
        icon("compass"),
        rx.el.h2(title, class_name="title-m"),
        rx.el.p(text),
        *([rx.el.div(*map(button, links), class_name="actions")] if links else []),
        class_name="empty",
    )


def listing(
    page: Any,
    items: Sequence[T],
    card: Callable[[T, int], rx.Component],
    *,
    wait: str,
    nothing: rx.Component,
    last: Sequence[rx.Component] = (),
    **props: Any,
) -> rx.Component:
    """A list of cards and what comes after the last of them; a loading state; and when there are none, `nothing`."""
    cards = rx.el.ul(rx.foreach(items, lambda item, index: rx.el.li(card(item, index))), *last, **props)
    return rx.cond(page.is_loading, loading(wait), rx.cond(has_items(items), cards, nothing))


def profile_page(page: Any, back: Link, wait: str, *, found: rx.Component, missing: rx.Component) -> rx.Component:
    """One record, or the word that it is coming, or that there is none."""
    waiting = rx.el.div(rx.el.p(back_link(back)), loading(wait), class_name="wrap profile-top")
    is_absent = page.is_missing | page.is_unavailable
    return rx.cond(page.is_loading, waiting, rx.cond(is_absent, missing, found))


def not_found(title: str, text: str | rx.Var[str], back: Link) -> rx.Component:
    """A record that is not there, or not for visitors."""
    return rx.el.section(
        icon("compass", class_name="lost-icon"),
        rx.el.h1(title, class_name="title-l"),
        rx.el.p(text, class_name="lead"),
        rx.el.div(button(back), class_name="actions"),
        class_name="wrap lost",
    )


def has_items(items: Sequence[object]) -> rx.Var[bool]:
    """Whether a list of the state has anything in it."""
    return rx.Var.create(items).length() > 0


def part(title: str, *body: rx.Component, when: Any) -> rx.Component:
    """One part of a profile under its title; without a value there is no part."""
    return rx.cond(when, rx.el.section(rx.el.h2(title, class_name="title-m"), *body, class_name="profile-part"))


def facts(*rows: rx.Component) -> rx.Component:
    """Labelled values; each row is a `fact`."""
    return rx.el.dl(*rows, class_name="facts")


def fact(label: str, value: str | rx.Var[str], shown: rx.Component | None = None) -> rx.Component:
    """One labelled value, shown as `shown` if that is more than text; without a value there is no row."""
    return rx.cond(value != "", rx.el.div(rx.el.dt(label), rx.el.dd(value if shown is None else shown)))


def mail_link(address: str | rx.Var[str]) -> rx.Component:
    """An email address that opens a new message."""
    encoded = _encode.call(address).to(str).replace("%40", "@")
    return rx.el.a(address, href="mailto:" + encoded)


def phone_link(number: str) -> rx.Component:
    """A telephone number that can be dialled; the spaces are for the eye."""
    return rx.el.a(number, href="tel:" + number.replace(" ", ""))


def web_link(address: str, words: str | rx.Var[str], **props: Any) -> rx.Component:
    """An address on another site, in a new tab."""
    note = rx.el.span(f" ({NEW_TAB_NOTE})", class_name="visually-hidden")
    return rx.el.a(words, note, href=address, target="_blank", rel="noopener", **props)


def without_scheme(address: str) -> rx.Var[str]:
    """A web address as people say it."""
    plain = address.replace("https://", "").replace("http://", "")
    return rx.cond(plain.endswith("/"), plain[:-1], plain).to(str)


def prose(paragraphs: Sequence[str]) -> rx.Component:
    """A text of several paragraphs."""
    return rx.el.div(rx.foreach(paragraphs, lambda words: rx.el.p(words)), class_name="prose")


def ticks(items: Sequence[str]) -> rx.Component:
    """A short list, each line marked with the brand's diamond."""
    return rx.el.ul(rx.foreach(items, lambda item: rx.el.li(item)), class_name="ticks")


def tags(items: Sequence[str], class_name: str = "tags") -> rx.Component:
    """Key words."""

    def tag(item: str) -> rx.Component:
        return rx.el.li(item, class_name="tag")

    listed = rx.foreach(items, tag) if isinstance(items, rx.Var) else [tag(item) for item in items]
    return rx.el.ul(listed, class_name=class_name)


def portrait(src: str, name: str, *, is_first: Any = False) -> rx.Component:
    """The picture of a person; the first ones of a page are not kept waiting."""
    return BrokenImageFallback.create(
        src=src,
        fallback=PLACEHOLDER_PERSON,
        alt=rx.Var.create("Portrait of ") + name,
        width=400,
        height=500,
        loading=rx.cond(is_first, "eager", "lazy"),
        class_name="portrait",
    )


def last_card(title: str, link: Link) -> rx.Component:
    """The end of a list of people: a question, and where its answer is. It fills up the last row."""
    return rx.el.li(rx.el.p(title, class_name="title-s"), rx.el.p(arrow_link(link)), class_name="last-card")


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text: what blank lines part."""
    lines = (line.strip() for line in text.splitlines())
    return [part.strip() for part in "\n".join(lines).split("\n\n") if part.strip()]


def whole_sentences(text: str, limit: int = 220) -> str:
    """As many whole sentences from the beginning of a text as fit; a first one that is longer is cut."""
    ends = [found.end(1) for found in _SENTENCE_END.finditer(text) if found.end(1) <= limit]
    return text[: ends[-1]] if ends else in_brief(text, limit)


def in_brief(text: str, limit: int = 155) -> str:
    """As much of a text as a search result shows, cut between words."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
