"""The filters of a list as links, and the heading of what they leave."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from ...base.list_filters import FilterOption, FilterRow
from ..copy import MORE_OPTIONS, NEWER, OLDER, PAGES, REMOVE_FILTER, SHOW_ALL
from ..icons import icon


def filter_rows(rows: Sequence[FilterRow], label: str) -> rx.Component:
    """One line of links per filter, without the folded ones; on a phone each is scrolled sideways."""
    return rx.el.nav(rx.foreach(rows, _row), class_name="filters", aria_label=label)


def _row(row: FilterRow) -> rx.Component:
    folded = rx.Var.create(row.folded).length()
    return rx.el.div(
        rx.el.p(row.label, class_name="filter-label"),
        rx.el.ul(
            rx.foreach(row.options, _option),
            rx.cond(
                folded > 0,
                rx.el.li(
                    rx.el.details(
                        rx.el.summary(folded, " ", MORE_OPTIONS, class_name="filter-option"),
                        rx.el.ul(rx.foreach(row.folded, _option), class_name="filter-options"),
                    ),
                    class_name="filter-more",
                ),
            ),
            class_name="filter-options",
            aria_label=row.label,
        ),
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


def list_head(page: Any, title: str = "") -> rx.Component:
    """The heading of a list and, where it is filtered, the link to all of it; `page` is its `FilteredList`.

    With a `title`, a list that is not filtered has that one for screen readers alone.
    """
    show_all = rx.el.a(SHOW_ALL, " ", page.total, href=page.path)
    head = rx.el.div(
        rx.el.h2(page.list_title, class_name="title-m"), rx.cond(page.chosen != "", show_all), class_name="list-head"
    )
    return rx.cond(page.chosen != "", head, rx.el.h2(title, class_name="visually-hidden")) if title else head


def page_links(page: Any) -> rx.Component:
    """The links to the pages beside this one; nothing for a list of one page. `page` is its `FilteredList`."""
    newer = rx.el.a(icon("arrow-left", class_name="icon-small"), NEWER, href=page.newer, rel="prev")
    older = rx.el.a(OLDER, icon("arrow-right", class_name="icon-small"), href=page.older, rel="next")
    links = rx.el.nav(
        rx.cond(page.newer != "", newer), rx.cond(page.older != "", older), class_name="page-links", aria_label=PAGES
    )
    return rx.cond(page.newer + page.older != "", links)
