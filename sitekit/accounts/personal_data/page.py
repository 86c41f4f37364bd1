"""`/admin/personal-data`: find, download and erase the data about an email address. For admins."""

from typing import Any

import reflex as rx

from ...admin.components import controls
from ...admin.components.confirm import question, typed_confirm_button
from ...admin.components.elements import heading, link
from ...admin.components.forms import field_group, text_field
from ...admin.components.record_form import backoffice_form
from ...admin.components.submit import submit_button
from ...admin.components.table import email_text
from ...admin.current_user import may_have_role
from ...admin.shell import side_page, with_help
from ...base import paths
from ...base.permissions import Role
from ...ui.icons import icon
from ..people.short_form import button_row
from . import texts
from .documents import FILES
from .state import PersonalDataState, ShownDataRow, ShownGroup

LABELS = {"json": texts.JSON, "html": texts.HTML}


def personal_data_page() -> rx.Component:
    """The page: the form, the result, and an explanation of erasure."""
    refused = rx.el.p(texts.ADMINS_ONLY, class_name="backoffice-note")
    return side_page(
        texts.TITLE,
        rx.el.p(with_help(texts.TEXT, paths.ADMIN_PERSONAL_DATA), class_name="backoffice-muted"),
        rx.cond(may_have_role(Role.ADMIN), rx.fragment(_form(), _answer()), refused),
        at=paths.ADMIN_PERSONAL_DATA,
    )


def _form() -> rx.Component:
    state = PersonalDataState
    button = submit_button(state, texts.FIND, texts.FINDING)
    email = text_field("email", texts.EMAIL, "", is_required=True, type_="email", auto_complete="off")
    foot = button_row(button, about=state)
    return backoffice_form(state, "personal-data-form", field_group(texts.LOOK_UP, email, foot))


def _answer() -> rx.Component:
    state = PersonalDataState
    has_lists = rx.Var.create(state.stays).length() > 0
    return rx.el.section(
        heading(email_text(state.title), level="h2", size="md"),
        rx.el.div(rx.foreach(state.groups, _group), class_name="held-groups"),
        rx.cond(has_lists, _outcome()),
        aria_live="polite",
        class_name="held",
        hidden=state.title == "",
    )


def _group(group: ShownGroup) -> rx.Component:
    more = rx.el.details(rx.el.summary(group.more_label), _list_of(group.more), class_name="held-more")
    return rx.el.details(
        rx.el.summary(
            rx.el.span(group.title, class_name="cell-title"),
            " ",
            rx.el.span(group.count, class_name="backoffice-muted"),
        ),
        rx.cond(group.note != "", rx.el.p(group.note, class_name="backoffice-muted")),
        _list_of(group.rows),
        rx.cond(rx.Var.create(group.more).length() > 0, more),
        open=True,
        key=group.title,
        class_name="backoffice-panel",
    )


def _list_of(rows: Any) -> rx.Component:
    return rx.el.ul(rx.foreach(rows, _row), class_name="held-rows")


def _row(row: ShownDataRow) -> rx.Component:
    return rx.el.li(
        rx.el.p(
            row.relation,
            rx.cond(row.page != "", rx.fragment(" ", link(texts.OPEN, href=row.page, class_name="held-link"))),
            class_name="cell-note",
        ),
        rx.el.dl(rx.foreach(row.facts, _fact)),
        key=row.number,
    )


def _fact(fact: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(fact[0]), rx.el.dd(fact[1]))


def _outcome() -> rx.Component:
    state = PersonalDataState
    done = state.is_erased
    erase = typed_confirm_button(
        icon("trash", class_name="icon-small"),
        texts.ERASE,
        question=question(
            texts.ERASE_CONFIRM.format(email=state.address),
            texts.ERASE,
            is_danger=True,
            typed=state.address,
            label=texts.ERASE_TYPED,
        ),
        on_confirm=state.erase,
        is_loading=state.is_erasing,
        variant="outline",
        size="md",
        class_name="is-danger",
    )
    return rx.el.div(
        rx.el.div(
            _lines(rx.cond(done, texts.WENT, texts.GOES), state.goes),
            _lines(rx.cond(done, texts.STAYED, texts.STAYS), state.stays),
            class_name="held-lists",
        ),
        rx.cond(done, rx.fragment(), rx.el.div(*map(_download, FILES), erase, class_name="form-buttons")),
        class_name="held-outcome",
    )


def _download(file: str) -> rx.Component:
    return controls.button(
        icon("download", class_name="icon-small"),
        LABELS[FILES[file].suffix],
        on_click=PersonalDataState.download(file),
        variant="outline",
    )


def _lines(title: Any, lines: Any) -> rx.Component:
    return rx.el.section(
        heading(title, level="h3", size="sm"),
        rx.el.ul(rx.foreach(lines, lambda line: rx.el.li(line)), class_name="held-lines"),
    )
