"""The advisors tab of the back office: a card for each advisor, to search, edit and delete from."""

from typing import ClassVar

import reflex as rx

from ..backoffice.record_list_state import RecordListState
from ..backoffice.record_rows import page_tick, record_actions, record_tab, row_lead
from ..content import backoffice as backoffice_words
from ..content import messages
from ..core import routes
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import button_link, rc
from ..ui.backoffice.ordering import ordered_rows
from ..ui.backoffice.row_actions import title_link
from ..ui.backoffice.table import nothing_yet, record_list, status_badge
from ..ui.icons import icon
from . import admin_texts as words
from .fields import AdvisorRow
from .service import ADVISORS, ADVISORS_CSV

SKELETONS = 6


class AdvisorTabState(RecordListState, rx.State):
    """One page of all advisors, active or not."""

    rows: list[AdvisorRow] = []

    kind: ClassVar = ADVISORS
    texts: ClassVar = ADVISORS.texts
    csv: ClassVar = ADVISORS_CSV


def advisors_tab() -> rx.Component:
    """The tab: head, search and filter, cards."""
    return record_tab(
        AdvisorTabState,
        words.TITLE,
        words.TEXT,
        record_list(
            AdvisorTabState,
            ordered_rows(
                rx.el.ul(
                    rx.foreach(AdvisorTabState.rows, _card), class_name="backoffice-cards", aria_label=words.TITLE
                ),
                on_place=AdvisorTabState.place_beside,
            ),
            _skeleton(),
            nothing_yet(messages.ADVISORS_EMPTY, words.EMPTY_TEXT, _add_button()),
        ),
        add=_add_button(),
        import_page=routes.ADMIN_ADVISOR_IMPORT,
        tools=(
            search_box(label=words.SEARCH),
            filter_select(backoffice_words.STATUS, backoffice_words.STATUS_OPTIONS),
            filter_select(words.ORDER, words.ORDER_OPTIONS, name="sort"),
            page_tick(AdvisorTabState),
        ),
    )


def _add_button() -> rx.Component:
    return button_link(
        icon("plus", class_name="icon-small"), words.ADD, href=routes.ADMIN_ADVISOR_NEW + AdvisorTabState.place
    )


def _card(row: AdvisorRow) -> rx.Component:
    return rx.el.li(
        _person(row),
        _tags(row),
        rx.el.p(row.bio, class_name="backoffice-card-text"),
        rx.el.div(_linkedin(row), _actions(row), class_name="backoffice-card-foot"),
        class_name="backoffice-card",
        key=row.id,
        custom_attrs={"data-row": row.id},
    )


def _person(row: AdvisorRow) -> rx.Component:
    return rx.el.div(
        row_lead(AdvisorTabState, row),
        rc.avatar(name=row.name, src=row.image_url, custom_attrs={"aria-hidden": "true"}),
        rx.el.div(
            rx.el.h3(title_link(row.name, _form(row))),
            rx.el.p(row.title),
            rx.el.p(row.company, class_name="cell-note"),
        ),
        rx.el.div(
            status_badge(rx.cond(row.is_active, words.ACTIVE, words.INACTIVE), row.is_active),
            rx.el.p(
                rx.el.span(words.ORDER_LABEL, class_name="visually-hidden"),
                f" #{row.display_order}",
                class_name="cell-note",
            ),
            class_name="backoffice-card-state",
        ),
        class_name="backoffice-card-head",
    )


def _tags(row: AdvisorRow) -> rx.Component:
    more = rx.el.li(f"+{row.more_tags} {words.MORE}", class_name="backoffice-tag-more")
    return rx.cond(
        rx.Var.create(row.tags).length() > 0,
        rx.el.ul(
            rx.foreach(row.tags, lambda tag: rx.el.li(tag, class_name="backoffice-tag")),
            rx.cond(row.more_tags > 0, more),
            class_name="backoffice-tags",
        ),
    )


def _linkedin(row: AdvisorRow) -> rx.Component:
    link = rx.el.a(
        icon("linkedin", class_name="icon-small"),
        words.LINKEDIN,
        rx.el.span(f" {row.name}", class_name="visually-hidden"),
        href=row.linkedin_url,
        target="_blank",
        rel="noopener",
        class_name="backoffice-card-link",
    )
    return rx.cond(row.linkedin_url != "", link, rx.el.span())


def _form(row: AdvisorRow) -> str:
    return routes.advisor_edit_page(row.id) + AdvisorTabState.place


def _actions(row: AdvisorRow) -> rx.Component:
    return record_actions(AdvisorTabState, row, form=_form(row), new=routes.ADMIN_ADVISOR_NEW)


def _skeleton() -> rx.Component:
    card = rx.el.div(
        rx.el.div(
            rc.skeleton(width="3rem", height="3rem", border_radius="999px"),
            rx.el.div(rc.skeleton(height="1.1rem", width="9rem"), rc.skeleton(height="0.9rem", width="6rem")),
            class_name="backoffice-card-head",
        ),
        rc.skeleton(height="1.1rem", width="70%"),
        rc.skeleton(height="2.6rem"),
        class_name="backoffice-card",
    )
    return rx.el.div(
        rx.el.p(backoffice_words.LOADING, class_name="visually-hidden", role="status"),
        rx.el.div(*(card for _ in range(SKELETONS)), class_name="backoffice-cards", aria_hidden="true"),
    )
