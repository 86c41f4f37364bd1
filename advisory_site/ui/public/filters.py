"""The filters of a list as links, and the heading of what they leave."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from ...content.layout import REMOVE_FILTER, SHOW_ALL
from ...core.list_filters import FilterOption, FilterRow
from ..icons import icon


def filter_rows(rows: Sequence[FilterRow], label: str) -> rx.Component:
    """One line of links per filter; on a phone each is scrolled sideways."""
    return rx.el.nav(rx.foreach(rows, _row), class_name="filters", aria_label=label)


def _row(row: FilterRow) -> rx.Component:
    return rx.el.div(
        rx.el.p(row.label, class_name="filter-label"),
        rx.el.ul(rx.foreach(row.options, _option), class_name="filter-options", aria_label=row.label),
        class_name="filter",
    )


def _option(option: FilterOption) -> rx.Component:
    count = rx.el.span(option.count, class_name="filter-count")
    remove = rx.el.span(REMOVE_FILTER, class_name="visually-hidden")
    chosen = rx.el.a(
        option.label,
        " ",
        icon("close", class_name="icon-small"),
        remove,
        href=option.href,
        aria_current="true",
        class_name="filter-option",
    )
    link = rx.el.a(option.label, " ", count, href=option.href, class_name="filter-option")
    plain = rx.el.span(option.label, class_name="filter-option")
    return rx.el.li(rx.cond(option.is_chosen, chosen, rx.cond(option.href != "", link, plain)))


def list_head(page: Any, path: str) -> rx.Component:
    """The heading of a list and, where it is filtered, the link to all of it; `page` is its `FilteredList`."""
    show_all = rx.el.a(SHOW_ALL, " ", page.total, href=path)
    return rx.el.div(
        rx.el.h2(page.list_title, class_name="title-m"), rx.cond(page.chosen != "", show_all), class_name="list-head"
    )
