"""`/admin/preview/{id}`: a draft in a frame as visitors would see it, and the dialog that shares it."""

from typing import Any

import reflex as rx

from ...base import messages, paths
from ...records.preview_links import LinkRow
from ...ui.local_time import local_time
from ..components import controls
from ..components.address import address_gate, address_link
from ..components.browser import copy_button
from ..components.confirm import confirm_button, question
from ..components.dialog import address_button, address_dialog
from ..components.elements import heading
from ..components.forms import text_field
from ..components.record_form import backoffice_form
from ..components.submit import submit_button
from ..shell import back_link, shell
from . import preview_texts as texts
from .preview_state import SHARE, SHOWS, THEME, WIDTH, PreviewState

FORM = "share-form"
OPEN = "open"


def preview_page() -> rx.Component:
    """The whole page."""
    problem = rx.fragment(
        heading(texts.TITLE, level="h1", size="lg"),
        rx.el.p(PreviewState.problem, class_name="backoffice-note", role="alert"),
    )
    content = rx.cond(PreviewState.problem != "", problem, _preview())
    return shell(address_gate(content, shown=PreviewState.shown, wait=controls.spinner()))


def _preview() -> rx.Component:
    state = PreviewState
    is_dark = rx.cond(state.theme != "", state.theme == "dark", rx.color_mode_cond(light=False, dark=True))
    widths = ((name, label, state.width == name) for name, label in texts.WIDTHS.items())
    themes = ((name, label, is_dark if name == "dark" else ~is_dark) for name, label in texts.THEMES.items())
    return rx.fragment(
        back_link(texts.BACK, state.back, at=paths.ADMIN_PREVIEW),
        rx.el.div(
            heading(f"{texts.TITLE_OF} {state.name}", level="h1", size="lg"),
            rx.cond(state.may_share, address_button(texts.SHARE, change={SHARE: OPEN})),
            class_name="list-head",
        ),
        rx.el.div(
            _choice(texts.SHOWN_PAGE, rx.foreach(state.pages, _page)),
            _choice(texts.WIDTH, *(_option(WIDTH, name, label, is_chosen) for name, label, is_chosen in widths)),
            _choice(texts.THEME, *(_option(THEME, name, label, is_chosen) for name, label, is_chosen in themes)),
            class_name="preview-choices",
        ),
        rx.el.div(
            rx.el.iframe(
                src=state.frame,
                title=f"{texts.TITLE_OF} {state.name}",
                class_name="preview-frame",
                custom_attrs={"data-width": state.width},
            ),
            class_name="preview-stage",
        ),
        _dialog(),
    )


def _choice(label: str, *options: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.span(label, class_name="preview-label", aria_hidden=True),
        rx.el.nav(*options, aria_label=label, class_name="preview-options"),
        class_name="preview-choice",
    )


def _page(page: list[str]) -> rx.Component:
    return _option(SHOWS, page[0], page[1], PreviewState.shows == page[0])


def _option(parameter: str, value: Any, label: Any, is_chosen: Any) -> rx.Component:
    current = {"aria-current": rx.cond(is_chosen, "true", "false")}
    return address_link(label, change={parameter: value}, class_name="preview-option", custom_attrs=current)


def _dialog() -> rx.Component:
    """The dialog, open while the address has `share`: the link or the form that makes one, and all links."""
    state = PreviewState
    days = {"type_": "number", "min": "1", "max": "30", "input_mode": "numeric"}
    form = backoffice_form(
        state,
        FORM,
        text_field("days", texts.DAYS, state.form.texts["days"], hint=texts.DAYS_HINT, is_required=True, **days),
        rx.el.div(submit_button(state, texts.MAKE_LINK, texts.MAKING), class_name="form-buttons"),
    )
    link = rx.el.div(
        rx.el.code(state.link, class_name="secret-text"),
        copy_button(text=state.link, label=texts.COPY, about=texts.LINK, copied=texts.COPIED),
        class_name="entries",
    )
    has_links = rx.Var.create(state.links).length() > 0
    content = rx.el.div(
        rx.el.p(texts.SHARE_TEXT, class_name="backoffice-muted"),
        rx.cond(state.link != "", link, form),
        heading(texts.LINKS, level="h3", size="sm"),
        rx.cond(
            has_links,
            rx.el.ul(rx.foreach(state.links, _link), class_name="preview-links"),
            rx.el.p(texts.NO_LINKS, class_name="backoffice-muted"),
        ),
        class_name="preview-share",
    )
    return address_dialog(content, parameter=SHARE, shown=state.sharing, heading=texts.SHARE_TITLE)


def _link(link: LinkRow) -> rx.Component:
    count = rx.match(link.opened, (0, texts.OPENED_NEVER), (1, texts.OPENED_ONCE), _times(link))
    last = rx.cond(link.opened_last != "", rx.fragment(f", {texts.OPENED_LAST} ", local_time(at=link.opened_last)))
    until = rx.cond(link.is_open, texts.WORKS_UNTIL, texts.WORKED_UNTIL)
    end = rx.cond(link.is_revoked, texts.REVOKED, rx.fragment(until, " ", local_time(at=link.expires, is_short=True)))
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                f"{texts.SHARED_BY} ",
                rx.cond(link.by_name != "", link.by_name, messages.SOMEONE),
                ", ",
                local_time(at=link.created),
            ),
            rx.el.p(count, last, "; ", end, class_name="backoffice-muted"),
        ),
        rx.cond(
            link.is_open,
            confirm_button(
                texts.REVOKE,
                ask=question(texts.REVOKE_CONFIRM, texts.REVOKE, is_danger=True),
                on_confirm=PreviewState.revoke(link.id),
                variant="outline",
            ),
        ),
        key=link.id,
    )


def _times(link: LinkRow) -> Any:
    before, after = texts.OPENED.split("{count}")
    return f"{before}{link.opened}{after}"
