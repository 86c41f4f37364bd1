"""`/admin/history/{table}/{id}`: the versions of a record, and two of them compared, by the kind of each field."""

from typing import Any

import reflex as rx

from ...base import paths
from ...base.permissions import Role
from ...records import history_texts as texts
from ...records.fields.changes import CHANGED, LIST, MOVED, PICTURE, ROWS, WORDS, Cell, Change, RowChange
from ...records.text_diff import ADDED, FOLDED, REMOVED, Part
from ...ui.browser import BrokenImageFallback
from ...ui.icons import icon
from ...ui.local_time import local_time
from .. import texts as backoffice
from ..components import controls
from ..components.address import FilterSelect, address_defaults, address_gate, address_link
from ..components.confirm import question
from ..components.elements import badge, heading
from ..components.menus import confirm_item, menu_item, row_menu
from ..current_user import has_role
from ..shell import back_link, shell
from .state import FROM, TO, HistoryState, Version

# The change of an entry or a row, in words and as a sign.
MARKS = {ADDED: (texts.ADDED, "+"), REMOVED: (texts.REMOVED, "\u2212"), MOVED: (texts.MOVED, "\u2195")}


def history_page() -> rx.Component:
    """The whole page."""
    content = rx.cond(HistoryState.problem != "", _problem(), _history())
    return shell(address_gate(content, shown=HistoryState.shown, wait=controls.spinner()))


def _problem() -> rx.Component:
    return rx.fragment(
        heading(texts.TITLE, level="h1", size="lg"),
        rx.el.p(HistoryState.problem, class_name="backoffice-note", role="alert"),
    )


def _history() -> rx.Component:
    state = HistoryState
    is_stored = state.form != ""
    return rx.fragment(
        address_defaults(values=state.defaults),
        back_link(
            rx.cond(is_stored, f"{texts.BACK} {state.name}", texts.BACK_TO_TRASH),
            rx.cond(is_stored, state.form, paths.ADMIN_TRASH),
            at=paths.ADMIN_HISTORY,
        ),
        heading(f"{texts.TITLE_OF} {state.name}", level="h1", size="lg"),
        rx.cond(is_stored, rx.fragment(), rx.el.p(texts.IN_TRASH, class_name="backoffice-note", role="note")),
        rx.el.div(_versions(), _comparison(), class_name="history"),
    )


def _versions() -> rx.Component:
    has_older = (HistoryState.form != "") & (rx.Var.create(HistoryState.versions).length() > 1)
    erase = confirm_item(
        icon("trash", class_name="icon-small"),
        texts.ERASE_OLDER,
        ask=question(texts.ERASE_OLDER_CONFIRM, texts.ERASE_OLDER, is_danger=True),
        on_confirm=HistoryState.erase_older,
        class_name="is-danger",
    )
    return rx.el.nav(
        rx.el.div(
            heading(texts.VERSIONS, level="h2", size="sm"),
            rx.cond(has_role(Role.ADMIN) & has_older, row_menu(erase, label=texts.MORE_ABOUT_VERSIONS)),
            class_name="history-head",
        ),
        rx.el.ol(rx.foreach(HistoryState.versions, _version), class_name="history-versions"),
        aria_label=texts.VERSIONS,
        class_name="history-list",
    )


def _version(version: Version) -> rx.Component:
    is_newer = HistoryState.newer.number == version.number
    is_compared = is_newer | (HistoryState.older.number == version.number)
    return rx.el.li(
        address_link(
            version.title,
            change={FROM: version.before, TO: version.number},
            class_name="history-version",
            custom_attrs={"aria-current": rx.cond(is_newer, "true", "false")},
        ),
        rx.el.p(rx.el.span(version.action, class_name="history-action"), " ", local_time(at=version.at)),
        rx.el.p(version.who, rx.cond(version.through != "", f", {version.through}", ""), class_name="backoffice-muted"),
        rx.cond(version.fields != "", rx.el.p(version.fields, class_name="history-fields")),
        rx.cond(
            version.restore != "",
            address_link(
                texts.WITH_NOW,
                change={FROM: version.number, TO: HistoryState.versions[0].number},
                class_name="history-with-now",
            ),
        ),
        class_name=rx.cond(is_compared, "is-compared", ""),
        key=version.number,
    )


def _comparison() -> rx.Component:
    state, unchanged = HistoryState, rx.Var.create(HistoryState.unchanged)
    return rx.el.section(
        heading(texts.COMPARISON, level="h2", size="sm", class_name="visually-hidden"),
        rx.cond(
            (rx.Var.create(state.versions).length() > 1) | (state.older.title != ""),
            rx.el.div(
                _side(texts.OLDER, FROM, state.older),
                icon("arrow-right", class_name="history-arrow"),
                _side(texts.NEWER, TO, state.newer),
                class_name="history-sides",
            ),
        ),
        rx.cond(state.note != "", rx.el.p(state.note, class_name="history-note", role="status")),
        rx.foreach(state.changes, _change),
        rx.cond((unchanged.length() > 0) & (rx.Var.create(state.changes).length() > 0), _unchanged(unchanged)),
        aria_label=texts.COMPARISON,
        class_name="history-comparison",
    )


def _unchanged(labels: Any) -> rx.Component:
    many = texts.UNCHANGED_MANY.format(count=labels.length())
    return rx.el.details(
        rx.el.summary(rx.cond(labels.length() == 1, texts.UNCHANGED_ONE, many)),
        rx.el.p(labels.join(", "), "."),
        class_name="backoffice-muted history-unchanged",
    )


def _side(label: str, parameter: str, version: Version) -> rx.Component:
    """One of the two versions: a select to choose it, who saved it and when, and how to restore it."""
    restore_now: Any = HistoryState.restore_now
    about = rx.el.p(
        rx.el.span(version.title),
        rx.el.span(local_time(at=version.at)),
        rx.el.span(version.who, rx.cond(version.through != "", f", {version.through}", "")),
        class_name="history-about",
    )
    now = menu_item(icon("check", class_name="icon-small"), texts.RESTORE_NOW, on_click=restore_now(version.number))
    buttons = rx.el.div(
        controls.button_link(texts.RESTORE, href=version.restore, size="sm"),
        row_menu(now, label=f"{backoffice.MORE_ACTIONS} {version.title}"),
        class_name="history-buttons",
    )
    return rx.el.div(
        rx.el.p(label, class_name="history-side-label", aria_hidden="true"),
        rx.cond(
            version.number > 0,
            FilterSelect.create(
                name=parameter,
                label=label,
                options=HistoryState.options,
                standard=rx.Var.create(version.number).to_string(),
                is_small=True,
            ),
        ),
        rx.cond(version.title != "", about),
        rx.cond(HistoryState.may_restore & (version.restore != ""), buttons),
        class_name="history-side",
    )


def _change(change: Change) -> rx.Component:
    return rx.el.section(
        rx.el.h3(change.label),
        rx.match(
            change.category,
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
    visible = rx.cond(text.strip() == "", text.replace("\n", "\u21b5\n"), text)
    folded = rx.el.details(
        rx.el.summary("\u2026", rx.el.span(texts.UNFOLD, class_name="visually-hidden"), title=texts.UNFOLD),
        rx.el.span(part.text),
    )
    whole: rx.Component = rx.match(
        part.mark,
        (ADDED, rx.el.ins(_hidden(texts.ADDED), visible)),
        (REMOVED, rx.el.del_(_hidden(texts.REMOVED), visible)),
        (FOLDED, folded),
        rx.el.span(part.text),
    )
    return whole


def _values(cell: Cell) -> rx.Component:
    """The value before and the one after."""
    return rx.el.p(
        rx.cond(
            cell.old != "",
            rx.el.del_(_hidden(texts.REMOVED), cell.old),
            rx.el.span(texts.EMPTY, class_name="backoffice-muted"),
        ),
        rx.el.span(" \u2192 ", aria_hidden="true"),
        rx.cond(
            cell.new != "",
            rx.el.ins(_hidden(texts.ADDED), cell.new),
            rx.el.span(texts.EMPTY, class_name="backoffice-muted"),
        ),
        class_name="compare-values",
    )


def _entry(entry: Part) -> rx.Component:
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
    change: rx.Component = rx.match(
        row.mark,
        *((mark, badge(_sign(mark), text, class_name=f"compare-badge is-{mark}")) for mark, (text, _) in MARKS.items()),
        badge(texts.CHANGED, class_name=f"compare-badge is-{CHANGED}"),
    )
    moved = rx.cond(row.former > 0, rx.el.span(f"{texts.MOVED_FROM} {row.former}", class_name="backoffice-muted"))
    return rx.el.li(
        rx.el.p(change, rx.el.span(row.label, class_name="compare-place"), row.title, moved, class_name="compare-head"),
        rx.cond(
            rx.Var.create(row.cells).length() > 0,
            rx.el.dl(rx.foreach(row.cells, _cell), class_name="compare-cells"),
        ),
        class_name="compare-row",
    )


def _cell(cell: Cell) -> rx.Component:
    return rx.fragment(
        rx.el.dt(cell.label), rx.el.dd(rx.cond(cell.category == WORDS, _text(cell.parts), _values(cell))), key=cell.name
    )


def _pictures(change: Change) -> rx.Component:
    return rx.el.div(
        _picture(texts.OLDER, change.shape, change.old_picture, change.old, rx.el.del_),
        _picture(texts.NEWER, change.shape, change.new_picture, change.new, rx.el.ins),
        class_name="compare-pictures",
    )


def _picture(label: str, shape: Any, picture: Any, address: Any, element: Any) -> rx.Component:
    image = BrokenImageFallback.create(src=picture, fallback=paths.PLACEHOLDER_PERSON, alt="", loading="lazy")
    return rx.el.figure(
        rx.el.figcaption(label),
        rx.cond(picture != "", image, rx.el.p(texts.PICTURE_NONE, class_name="backoffice-muted")),
        rx.cond(address != "", element(address, class_name="compare-address")),
        class_name=f"compare-picture picture-{shape}",
    )


def _sign(mark: str) -> rx.Component:
    text, sign = MARKS[mark]
    return rx.fragment(_hidden(text), rx.el.span(sign, aria_hidden="true", class_name="compare-sign"))


def _hidden(text: str) -> rx.Component:
    return rx.el.span(f" {text}: ", class_name="visually-hidden")
