"""`/admin/history/{table}/{id}`: the versions of a record, and two of them compared, by the kind of each field."""

from typing import Any

import reflex as rx

from ..backoffice.shell import back_link, shell, spinner
from ..content import history_texts as words
from ..core import routes
from ..records.comparison import CHANGED, LIST, MOVED, PICTURE, ROWS, WORDS, Cell, Change, Entry, RowChange
from ..records.text_diff import ADDED, FOLDED, REMOVED, Part
from ..ui.backoffice.address import FilterSelect, address_gate, address_link
from ..ui.backoffice.chakra import button_link, rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.browser import BrokenImageFallback
from ..ui.icons import icon
from ..ui.local_time import local_time
from .history import FROM, TO, HistoryState, Version

# The change of an entry or a row, in words and as a sign.
MARKS = {ADDED: (words.ADDED, "+"), REMOVED: (words.REMOVED, "\u2212"), MOVED: (words.MOVED, "\u2195")}


def history_page() -> rx.Component:
    """The whole page."""
    content = rx.cond(HistoryState.problem != "", _problem(), _history())
    return shell(address_gate(content, shown=HistoryState.shown, wait=spinner()))


def _problem() -> rx.Component:
    return rx.fragment(
        back_link(words.HOME, routes.ADMIN),
        rc.heading(words.TITLE, as_="h1", size="lg"),
        rx.el.p(HistoryState.problem, class_name="backoffice-note", role="alert"),
    )


def _history() -> rx.Component:
    state = HistoryState
    is_stored = state.form != ""
    return rx.fragment(
        back_link(
            rx.cond(is_stored, words.BACK, words.BACK_TO_TRASH), rx.cond(is_stored, state.form, routes.ADMIN_TRASH)
        ),
        rc.heading(f"{words.TITLE_OF} {state.name}", as_="h1", size="lg"),
        rx.cond(is_stored, rx.fragment(), rx.el.p(words.IN_TRASH, class_name="backoffice-note", role="note")),
        rx.el.div(_versions(), _comparison(), class_name="history"),
    )


def _versions() -> rx.Component:
    return rx.el.nav(
        rc.heading(words.VERSIONS, as_="h2", size="sm"),
        rx.el.ol(rx.foreach(HistoryState.versions, _version), class_name="history-versions"),
        rx.cond(
            (HistoryState.form != "") & (rx.Var.create(HistoryState.versions).length() > 1),
            confirm_button(
                words.ERASE_OLDER,
                sentence=words.ERASE_OLDER_CONFIRM,
                on_confirm=HistoryState.erase_older,
                variant="ghost",
                class_name="is-danger",
            ),
        ),
        aria_label=words.VERSIONS,
        class_name="history-list",
    )


def _version(one: Version) -> rx.Component:
    is_newer = HistoryState.newer.number == one.number
    is_compared = is_newer | (HistoryState.older.number == one.number)
    return rx.el.li(
        address_link(
            one.title,
            change={FROM: "", TO: one.number},
            class_name="history-version",
            custom_attrs={"aria-current": rx.cond(is_newer, "true", "false")},
        ),
        rx.el.p(rx.el.span(one.action, class_name="history-action"), " ", local_time(at=one.at)),
        rx.el.p(one.who, rx.cond(one.through != "", f", {one.through}", ""), class_name="backoffice-muted"),
        rx.cond(one.fields != "", rx.el.p(one.fields, class_name="history-fields")),
        rx.cond(
            one.restore != "",
            address_link(words.WITH_NOW, change={FROM: one.number, TO: ""}, class_name="history-with-now"),
        ),
        class_name=rx.cond(is_compared, "is-compared", ""),
        key=one.number,
    )


def _comparison() -> rx.Component:
    state = HistoryState
    return rx.el.section(
        rc.heading(words.COMPARISON, as_="h2", size="sm", class_name="visually-hidden"),
        rx.cond(
            rx.Var.create(state.versions).length() > 1,
            rx.el.div(
                _side(words.OLDER, FROM, words.VERSION_BEFORE, state.older),
                icon("arrow-right", class_name="history-arrow"),
                _side(words.NEWER, TO, words.NEWEST, state.newer),
                class_name="history-sides",
            ),
        ),
        rx.cond(state.note != "", rx.el.p(state.note, class_name="history-note", role="status")),
        rx.foreach(state.changes, _change),
        rx.cond(
            (state.unchanged != "") & (rx.Var.create(state.changes).length() > 0),
            rx.el.p(f"{words.UNCHANGED} {state.unchanged}.", class_name="backoffice-muted history-unchanged"),
        ),
        aria_label=words.COMPARISON,
        class_name="history-comparison",
    )


def _side(label: str, parameter: str, default: str, version: Version) -> rx.Component:
    """One of the two versions: a select to choose it, who saved it and when, and how to restore it."""
    restore_now: Any = HistoryState.restore_now
    options = rx.Var.create([["", default]]).to(list[list[str]]) + rx.Var.create(HistoryState.options)
    about = rx.el.p(
        rx.el.span(version.title),
        rx.el.span(local_time(at=version.at)),
        rx.el.span(version.who, rx.cond(version.through != "", f", {version.through}", "")),
        class_name="history-about",
    )
    buttons = rx.el.div(
        button_link(words.RESTORE, href=version.restore, variant="outline", size="sm"),
        rc.button(
            words.RESTORE_NOW,
            on_click=restore_now(version.number),
            variant="ghost",
            size="sm",
            type_="button",
        ),
        class_name="history-buttons",
    )
    return rx.el.div(
        rx.el.p(label, class_name="history-side-label", aria_hidden="true"),
        FilterSelect.create(name=parameter, label=label, options=options, is_small=True),
        rx.cond(version.number > 0, about),
        rx.cond(version.restore != "", buttons),
        class_name="history-side",
    )


def _change(change: Change) -> rx.Component:
    return rx.el.section(
        rx.el.h3(change.label),
        rx.match(
            change.kind,
            (WORDS, _text(change.parts)),
            (LIST, rx.el.ul(rx.foreach(change.listed, _entry), class_name="compare-list")),
            (ROWS, rx.el.ol(rx.foreach(change.rows, _row), class_name="compare-rows")),
            (PICTURE, _pictures(change)),
            _values(change),
        ),
        class_name="compare-field",
        key=change.name,
    )


def _text(parts: Any) -> rx.Component:
    """A text with what was removed and added; long unchanged passages can be unfolded."""
    return rx.el.div(rx.foreach(parts, _part), class_name="compare-text")


def _part(part: Part) -> rx.Component:
    # A line break alone has no ink, so it gets a sign.
    text = rx.Var.create(part.text)
    shown = rx.cond(text.strip() == "", text.replace("\n", "\u21b5\n"), text)
    folded = rx.el.details(
        rx.el.summary("\u2026", rx.el.span(words.UNFOLD, class_name="visually-hidden"), title=words.UNFOLD),
        rx.el.span(part.text),
    )
    whole: rx.Component = rx.match(
        part.mark,
        (ADDED, rx.el.ins(_hidden(words.ADDED), shown)),
        (REMOVED, rx.el.del_(_hidden(words.REMOVED), shown)),
        (FOLDED, folded),
        rx.el.span(part.text),
    )
    return whole


def _values(cell: Cell) -> rx.Component:
    """The value before and the one after."""
    return rx.el.p(
        rx.cond(
            cell.old != "",
            rx.el.del_(_hidden(words.REMOVED), cell.old),
            rx.el.span(words.EMPTY, class_name="backoffice-muted"),
        ),
        rx.el.span(" \u2192 ", aria_hidden="true"),
        rx.cond(
            cell.new != "",
            rx.el.ins(_hidden(words.ADDED), cell.new),
            rx.el.span(words.EMPTY, class_name="backoffice-muted"),
        ),
        class_name="compare-values",
    )


def _entry(entry: Entry) -> rx.Component:
    def marked(mark: str, element: Any) -> tuple[str, rx.Component]:
        return mark, rx.el.li(_sign(mark), element(entry.text), class_name=f"is-{mark}")

    whole: rx.Component = rx.match(
        entry.mark,
        marked(ADDED, rx.el.ins),
        marked(REMOVED, rx.el.del_),
        marked(MOVED, rx.el.span),
        rx.el.li(entry.text),
    )
    return whole


def _row(row: RowChange) -> rx.Component:
    badge: rx.Component = rx.match(
        row.mark,
        *(
            (mark, rx.el.span(_sign(mark), text, class_name=f"compare-badge is-{mark}"))
            for mark, (text, _) in MARKS.items()
        ),
        rx.el.span(words.CHANGED, class_name=f"compare-badge is-{CHANGED}"),
    )
    moved = rx.cond(row.former > 0, rx.el.span(f"{words.MOVED_FROM} {row.former}", class_name="backoffice-muted"))
    return rx.el.li(
        rx.el.p(badge, rx.el.span(row.label, class_name="compare-place"), row.title, moved, class_name="compare-head"),
        rx.cond(
            rx.Var.create(row.cells).length() > 0,
            rx.el.dl(rx.foreach(row.cells, _cell), class_name="compare-cells"),
        ),
        class_name="compare-row",
    )


def _cell(cell: Cell) -> rx.Component:
    return rx.fragment(
        rx.el.dt(cell.label), rx.el.dd(rx.cond(cell.kind == WORDS, _text(cell.parts), _values(cell))), key=cell.name
    )


def _pictures(change: Change) -> rx.Component:
    return rx.el.div(
        _picture(words.OLDER, change.shape, change.old_picture, change.old, rx.el.del_),
        _picture(words.NEWER, change.shape, change.new_picture, change.new, rx.el.ins),
        class_name="compare-pictures",
    )


def _picture(label: str, shape: Any, picture: Any, address: Any, element: Any) -> rx.Component:
    shown = BrokenImageFallback.create(src=picture, fallback=routes.PLACEHOLDER_PERSON, alt="", loading="lazy")
    return rx.el.figure(
        rx.el.figcaption(label),
        rx.cond(picture != "", shown, rx.el.p(words.PICTURE_NONE, class_name="backoffice-muted")),
        rx.cond(address != "", element(address, class_name="compare-address")),
        class_name=f"compare-picture picture-{shape}",
    )


def _sign(mark: str) -> rx.Component:
    text, sign = MARKS[mark]
    return rx.fragment(_hidden(text), rx.el.span(sign, aria_hidden="true", class_name="compare-sign"))


def _hidden(text: str) -> rx.Component:
    return rx.el.span(f" {text}: ", class_name="visually-hidden")
