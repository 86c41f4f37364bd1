"""`/admin/personal-data`: find, download and erase the data about an email address. For admins."""

from typing import Any

import reflex as rx

from ..accounts.session_state import has_role
from ..backoffice.shell import side_page
from ..content.backoffice import BACK
from ..core import routes
from ..core.permissions import Role
from ..ui.backoffice.chakra import link, rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.forms import field_group, text_field
from ..ui.backoffice.record_form import backoffice_form
from ..ui.backoffice.submit import submit_button
from ..ui.feedback import subject_of
from ..ui.icons import icon
from ..ui.notices import notice_place
from . import texts as words
from .documents import FILES
from .state import PersonalDataState, ShownGroup, ShownRow

LABELS = {"json": words.JSON, "html": words.HTML}


def personal_data_page() -> rx.Component:
    """The page: the form, the result, and an explanation of erasure."""
    refused = rx.el.p(words.ADMINS_ONLY, class_name="backoffice-note")
    return side_page(
        words.TITLE,
        routes.ADMIN,
        BACK,
        rx.el.p(words.TEXT, class_name="backoffice-muted"),
        rx.cond(has_role(Role.ADMIN), rx.fragment(_form(), _answer()), refused),
    )


def _form() -> rx.Component:
    state = PersonalDataState
    button = submit_button(state, words.FIND, words.FINDING)
    email = text_field("email", words.EMAIL, "", is_required=True, type_="email", auto_complete="off")
    return backoffice_form(
        state,
        "personal-data-form",
        field_group(
            words.LOOK_UP, email, rx.el.div(button, notice_place(subject=subject_of(state)), class_name="field-wide")
        ),
    )


def _answer() -> rx.Component:
    state = PersonalDataState
    has_lists = rx.Var.create(state.stays).length() > 0
    return rx.el.section(
        rc.heading(state.title, as_="h2", size="md", class_name="cell-breaks"),
        rx.el.div(rx.foreach(state.groups, _group), class_name="held-groups"),
        rx.cond(has_lists, _outcome()),
        aria_live="polite",
        class_name="held",
        hidden=state.title == "",
    )


def _group(group: ShownGroup) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.span(group.title, class_name="cell-title"),
            " ",
            rx.el.span(group.count, class_name="backoffice-muted"),
        ),
        rx.cond(group.note != "", rx.el.p(group.note, class_name="backoffice-muted")),
        rx.el.ul(rx.foreach(group.rows, _row), class_name="held-rows"),
        key=group.title,
        class_name="backoffice-panel",
    )


def _row(row: ShownRow) -> rx.Component:
    return rx.el.li(
        rx.el.p(
            row.relation,
            rx.cond(row.page != "", rx.fragment(" ", link(words.OPEN, href=row.page, class_name="held-link"))),
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
    return rx.el.div(
        rx.cond(done, rx.fragment(), rx.el.div(*map(_download, FILES), class_name="held-buttons")),
        rx.el.div(
            _lines(rx.cond(done, words.WENT, words.GOES), state.goes),
            _lines(rx.cond(done, words.STAYED, words.STAYS), state.stays),
            class_name="held-lists",
        ),
        rx.cond(
            done,
            rx.fragment(),
            confirm_button(
                icon("trash", class_name="icon-small"),
                words.ERASE,
                sentence=state.confirmation,
                on_confirm=state.erase,
                is_loading=state.is_erasing,
                variant="outline",
                class_name="is-danger",
            ),
        ),
        class_name="held-outcome",
    )


def _download(file: str) -> rx.Component:
    return rc.button(
        icon("download", class_name="icon-small"),
        LABELS[FILES[file].suffix],
        on_click=PersonalDataState.download(file),
        variant="outline",
    )


def _lines(title: Any, lines: Any) -> rx.Component:
    return rx.el.section(
        rc.heading(title, as_="h3", size="sm"),
        rx.el.ul(rx.foreach(lines, lambda line: rx.el.li(line)), class_name="held-lines"),
    )
