"""Components of pages about records: spinner, empty and not-found states, facts, parts, people."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import reflex as rx
from reflex.vars import FunctionStringVar

from sitekit.base import messages, paths
from sitekit.base.text import in_brief
from sitekit.records.pictures.addresses import Picture
from sitekit.ui.browser import Places, shown_picture
from sitekit.ui.copy import NEW_TAB_NOTE, Link
from sitekit.ui.icons import icon
from sitekit.ui.public.links import actions, arrow_link, back_link
from sitekit.ui.public.words import words_of

from .. import routes
from ..content.layout import LATE, RELOAD

T = TypeVar("T")

# How wide a portrait is shown on a card and on its own page, by the width of the window.
CARD_WIDTHS: Places = (("(min-width: 40rem)", "20rem"), ("", "6rem"))
PAGE_WIDTHS: Places = (("(min-width: 60rem)", "20rem"), ("", "12rem"))

# A full stop that ends a sentence: followed by words or nothing, and not after "Dr." or initials. Those of scripts
# without Latin letters need no space behind them.
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)[.!?…][’”)]?(?=\s|$)"
    r"|[\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u104b\u17d4\u1362]+[’”\u300d\u300f\u300b\uff09)]*"
)
# Quoted, because a question mark in an address would begin mailto parameters, such as further recipients.
_encode: FunctionStringVar[Any] = FunctionStringVar.create("encodeURIComponent")


def loading(words: str) -> rx.Component:
    """A spinner in place of a record; after a few seconds with a link to try again."""
    return rx.el.div(
        rx.el.p(rx.el.span(class_name="spinner", aria_hidden="true"), words, class_name="loading", role="status"),
        rx.el.p(LATE, " ", rx.el.a(RELOAD, href="?", custom_attrs={"reloadDocument": True}), class_name="late"),
    )


def empty(page: Any, title: str, text: str) -> rx.Component:
    """The message in place of a list that is empty or could not be read."""
    return rx.el.div(
        icon("compass"),
        rx.el.h2(words_of(title), class_name="title-m"),
        rx.el.p(words_of(text)),
        mention(page),
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
    """A list of cards, followed by `last`; a loading state; `nothing` if there are none."""
    cards = rx.el.ul(rx.foreach(items, lambda item, index: rx.el.li(card(item, index))), *last, **props)
    return rx.cond(page.is_loading, loading(wait), rx.cond(has_items(items), cards, nothing))


def profile_page(page: Any, back: Link, wait: str, *, content: rx.Component, missing: rx.Component) -> rx.Component:
    """One record, its loading state, or `missing`, which is a `not_found`."""
    waiting = rx.el.div(rx.el.p(back_link(back)), loading(wait), class_name="wrap profile-top")
    is_absent = page.is_missing | page.is_unavailable
    return rx.cond(page.is_loading, waiting, rx.cond(is_absent, missing, content))


def mention(page: Any) -> rx.Component:
    """What leads from a page whose records could not be read to the log; nothing on other pages."""
    before, after = messages.MENTION.split("{reference}")
    return rx.cond(page.reference != "", rx.el.p(before, page.reference, after, class_name="hint"))


def not_found(
    page: Any, title: str, text: str, back: Link, *others: Link, failed: str = messages.PAGE_FAILED
) -> rx.Component:
    """The message that a record does not exist or is not public, with a link back and others.

    `failed` replaces the text if the record could not be read.
    """
    return rx.el.section(
        icon("compass", class_name="lost-icon"),
        rx.el.h1(title, class_name="title-l"),
        rx.el.p(rx.cond(page.is_unavailable, failed, text), class_name="lead"),
        actions(back, *others),
        mention(page),
        class_name="wrap lost",
    )


def has_items(items: Sequence[object]) -> rx.Var[bool]:
    """Whether a list var is not empty."""
    return rx.Var.create(items).length() > 0


def part(title: str, *body: rx.Component, when: Any) -> rx.Component:
    """One part of a profile under its title; empty without a value."""
    return rx.cond(
        when, rx.el.section(rx.el.h2(words_of(title), class_name="title-m"), *body, class_name="profile-part")
    )


def facts(*rows: rx.Component) -> rx.Component:
    """Labelled values; each row is a `fact`."""
    return rx.el.dl(*rows, class_name="facts")


def fact(label: str, value: str | rx.Var[str], content: rx.Component | None = None) -> rx.Component:
    """One labelled value; `content` replaces the plain text. Empty without a value."""
    return rx.cond(value != "", rx.el.div(rx.el.dt(words_of(label)), rx.el.dd(value if content is None else content)))


def sibling(label: Any, name: Any, path: Any, class_name: str = "following") -> rx.Component:
    """The link to the record before or after this one."""
    words = (rx.el.span(label, class_name="muted"), " ", rx.el.span(name, class_name="title-s"))
    return rx.el.a(*words, href=path, class_name=class_name)


def mail_link(address: str | rx.Var[str]) -> rx.Component:
    """An email address that opens a new message; a long one breaks before its @."""
    encoded = _encode.call(address).to(str).replace("%40", "@")
    parts = rx.Var.create(address).to(str).split("@")
    return rx.el.a(parts[0], rx.el.wbr(), "@", parts[1:].join("@"), href="mailto:" + encoded)


def phone_link(phone: str, number: str) -> rx.Component:
    """A telephone number as it is written, as a link that dials `number`; plain text without one."""
    return rx.cond(number != "", rx.el.a(phone, href="tel:" + number), phone)


def web_link(address: str, words: str | rx.Var[str], **props: Any) -> rx.Component:
    """An address on another site, in a new tab."""
    note = rx.el.span(f" ({NEW_TAB_NOTE})", class_name="visually-hidden")
    return rx.el.a(words, note, href=address, target="_blank", rel="noopener", **props)


def without_scheme(address: str) -> rx.Var[str]:
    """A URL without its scheme."""
    plain = address.replace("https://", "").replace("http://", "")
    return rx.cond(plain.endswith("/"), plain[:-1], plain).to(str)


def prose(paragraphs: Sequence[str]) -> rx.Component:
    """A text of several paragraphs."""
    return rx.el.div(rx.foreach(paragraphs, lambda words: rx.el.p(words)), class_name="prose")


def ticks(items: Sequence[str]) -> rx.Component:
    """A short list, each item marked with the brand's diamond."""
    return rx.el.ul(rx.foreach(items, lambda item: rx.el.li(item)), class_name="ticks")


def tags(items: Sequence[str], class_name: str = "tags") -> rx.Component:
    """A list of tags."""

    def tag(item: str) -> rx.Component:
        return rx.el.li(item, class_name="tag")

    listed = rx.foreach(items, tag) if isinstance(items, rx.Var) else [tag(item) for item in items]
    return rx.el.ul(listed, class_name=class_name)


def linked_tag(words: Any, href: Any) -> rx.Component:
    """A tag that leads to all that have it."""
    return rx.el.li(rx.el.a(words, href=href, class_name="tag"))


def portrait(
    picture: Picture, name: str, *, places: Places = CARD_WIDTHS, is_first: Any = False, priority: Any = None
) -> rx.Component:
    """The picture of a person; the first ones of a page are not loaded lazily.

    `priority` is "high" where the picture is the largest paint of the page.
    """
    return shown_picture(
        picture,
        fallback=paths.PLACEHOLDER_PERSON,
        alt=rx.Var.create("Portrait of ") + name,
        size=(400, 500),
        places=places,
        loading=rx.cond(is_first, "eager", "lazy"),
        fetch_priority=priority,
        class_name="portrait",
    )


def face(picture: Picture, *, size: tuple[int, int], places: Places, **props: Any) -> rx.Component:
    """The small picture of a person, without a text, because the name is beside it."""
    return shown_picture(picture, fallback=paths.PLACEHOLDER_PERSON, alt="", size=size, places=places, **props)


def mark(logo: Picture, *, size: tuple[int, int], places: Places, **props: Any) -> rx.Component:
    """The small mark of a company, without a text, because the name is beside it."""
    fallback = routes.PLACEHOLDER_COMPANY
    return shown_picture(logo, fallback=fallback, alt="", size=size, places=places, is_whole=True, **props)


def row(name: str, text: Any, href: Any, *picture: rx.Component) -> rx.Component:
    """One record on one line, which links to its page."""
    return rx.el.li(
        *picture,
        rx.el.div(
            rx.el.p(rx.el.a(name, href=href, class_name="card-link"), class_name="row-name"),
            rx.el.p(text, class_name="muted"),
        ),
        icon("arrow-right", class_name="icon-small"),
        class_name="row",
    )


def last_card(title: str, link: Link) -> rx.Component:
    """The last card of a list of people: a question with a link. It fills up the last row."""
    return rx.el.li(rx.el.p(words_of(title), class_name="title-s"), rx.el.p(arrow_link(link)), class_name="last-card")


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text, which are separated by blank lines."""
    lines = (line.strip() for line in text.splitlines())
    return [part.strip() for part in "\n".join(lines).split("\n\n") if part.strip()]


def whole_sentences(text: str, limit: int = 120, most: int = 240) -> str:
    """The first sentence of a text, and more as long as all fit into `limit`.

    If the first one is longer than both, it is cut.
    """
    ends = [match.end() for match in _SENTENCE_END.finditer(text)] or [len(text)]
    end = max((end for end in ends if end <= limit), default=ends[0])
    return in_brief(text[:end], max(limit, most))
