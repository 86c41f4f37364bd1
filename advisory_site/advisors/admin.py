"""The advisors in the back office: the tab with a card for each, the form, the import."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import reflex as rx

from sitekit.admin.components import controls
from sitekit.admin.components.address import filter_select
from sitekit.admin.components.bones import bones_of
from sitekit.admin.components.ordered_rows import ordered_rows
from sitekit.admin.components.row_actions import title_link
from sitekit.admin.components.table import nothing_yet, record_list
from sitekit.admin.csv.import_state import ImportState
from sitekit.admin.form_state import FormState
from sitekit.admin.record_list_state import RecordListState
from sitekit.admin.record_rows import (
    active_badge,
    add_link,
    form_page,
    record_actions,
    record_tab,
    row_draft,
    row_lead,
    row_picture,
)
from sitekit.base import paths
from sitekit.ui.icons import icon

from .fields import AdvisorRow
from .service import ADVISORS, ADVISORS_CSV

TITLE = "Advisor Management"
EMPTY_TITLE = "No advisors found"
EMPTY_TEXT = "Add the first one. Active advisors appear on the public advisors page."
ORDERS: Mapping[str, str] = MappingProxyType(
    {"": "By display order", "name": "By name", "title": "By title", "company": "By company", "status": "By status"}
)


class AdvisorFormState(FormState, rx.State):
    """The state of the form."""

    record_type: ClassVar = ADVISORS
    watched: ClassVar = ("slug",)


class AdvisorImportState(ImportState, rx.State):
    """The state of the import."""

    record_type: ClassVar = ADVISORS


class AdvisorTabState(RecordListState, rx.State):
    """One page of all advisors, active or not."""

    rows: list[AdvisorRow] = []

    record_type: ClassVar = ADVISORS
    texts: ClassVar = ADVISORS.texts
    csv: ClassVar = ADVISORS_CSV


def advisors_tab() -> rx.Component:
    """The tab: head, search and filter, cards."""
    return record_tab(
        AdvisorTabState,
        TITLE,
        "Manage your advisor network and their profiles",
        record_list(
            AdvisorTabState,
            ordered_rows(
                rx.el.ul(
                    _bones(),
                    rx.foreach(AdvisorTabState.rows, _card),
                    class_name="backoffice-cards",
                    aria_label=TITLE,
                ),
                on_place=AdvisorTabState.place_beside,
            ),
            nothing_yet(EMPTY_TITLE, EMPTY_TEXT, add_link(AdvisorTabState)),
        ),
        filter_select("Order", ORDERS, name="sort"),
        add=add_link(AdvisorTabState),
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
        rx.cond(row.image_url != "", row_picture(**_portrait(row)), controls.avatar(name=row.name, aria_hidden="true")),
        rx.el.div(
            rx.el.h3(title_link(row.name, form_page(AdvisorTabState, row))),
            rx.el.p(row.title),
            rx.el.p(row.company, class_name="cell-note"),
            row_draft(AdvisorTabState, row),
        ),
        rx.el.div(
            active_badge(row),
            rx.el.p(
                rx.el.span("Display order", class_name="visually-hidden"),
                f" #{row.display_order}",
                class_name="cell-note",
            ),
            class_name="backoffice-card-state",
        ),
        class_name="backoffice-card-head",
    )


def _tags(row: AdvisorRow) -> rx.Component:
    more = rx.el.li(f"+{row.more_tags} more", class_name="backoffice-tag-more")
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
        "LinkedIn",
        rx.el.span(f" {row.name}", class_name="visually-hidden"),
        href=row.linkedin_url,
        target="_blank",
        rel="noopener",
        class_name="backoffice-card-link",
    )
    return rx.cond(row.linkedin_url != "", link, rx.el.span())


def _portrait(row: AdvisorRow) -> dict[str, str]:
    return {"picture": row.image_url, "fallback": paths.PLACEHOLDER_PERSON, "look": "cell-picture"}


def _actions(row: AdvisorRow) -> rx.Component:
    return record_actions(AdvisorTabState, row, form=form_page(AdvisorTabState, row), **_portrait(row))


def _bones() -> rx.Component:
    return bones_of(
        AdvisorTabState,
        rx.el.li,
        rx.el.div(
            controls.bone(width="3rem", height="3rem", border_radius="999px"),
            rx.el.div(controls.bone(height="1.1rem", width="9rem"), controls.bone(height="0.9rem", width="6rem")),
            class_name="backoffice-card-head",
        ),
        controls.bone(height="1.1rem", width="70%"),
        controls.bone(height="2.6rem"),
        class_name="backoffice-card",
    )
