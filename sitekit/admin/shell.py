"""The frame of every back-office page: header with title, role badge and menu, strip of tabs, and gate."""

from typing import Any

import reflex as rx

from ..base import paths
from ..base.permissions import Role
from ..ui.browser import FocusOnArrival, KeepFocus
from ..ui.icons import icon
from . import texts
from .components import controls
from .components.address import Narrow, Strip
from .components.browser import person_avatar, uncached
from .components.elements import badge, heading, link
from .components.menus import action_menu, menu_divider, menu_item, menu_link
from .components.table import email_text, list_head
from .current_user import CurrentUser, where_allowed
from .finder.state import Keys, finder
from .guard import staff_page
from .office import office
from .places import Place
from .user_accounts import user_accounts

MAIN, HEADING = "content", "page-heading"
SHEET = "/backoffice.css"
# The same link, as React writes it.
SHEET_LINK = f'<link href="{SHEET}" rel="stylesheet" data-precedence="backoffice"/>'


def home_shell(tabs: rx.Component) -> rx.Component:
    """The frame of the page with the tabs."""
    return _frame(_header(rx.el.h1(texts.TITLE)), tabs)


def shell(*content: rx.Component, at: str = "") -> rx.Component:
    """The frame of any other page.

    `at` is the tab that the page belongs to, or the address of its place; the strip marks it.
    """
    return _frame(rx.fragment(_header(rx.el.p(texts.TITLE)), _strip(at)), *content)


def _frame(top: rx.Component, *content: rx.Component) -> rx.Component:
    return rx.fragment(
        rx.el.link(rel="stylesheet", href=SHEET, custom_attrs={"precedence": "backoffice"}),
        staff_page(
            rx.cond(CurrentUser.role != "", uncached()),
            rx.el.a(texts.SKIP, href=f"#{MAIN}", class_name="skip-link"),
            top,
            rx.el.main(*content, id=MAIN, tab_index=-1, class_name="backoffice-main"),
            user_accounts().reauthentication_dialog(),
            Keys.create(),
            KeepFocus.create(),
        ),
    )


def list_page(
    title: str, text: Any, *content: rx.Component, at: str, actions: tuple[rx.Component, ...] = ()
) -> rx.Component:
    """A page with a list: title, text and actions, content. `at` is as in `shell`."""
    return shell(list_head(title, with_help(text, at), *actions, level="h1"), *content, at=at)


def side_page(title: Any, *content: rx.Component, back: rx.Component | None = None, at: str = "") -> rx.Component:
    """A page outside the tabs: the `back_link` to where it was opened from, if any, title, content."""
    title = heading(title, id=HEADING, level="h1", size="lg", custom_attrs={"tabIndex": -1})
    shown = rx.cond(CurrentUser.is_loading, controls.spinner(), rx.fragment(*content))
    return shell(back or rx.fragment(), title, shown, at=at)


def focus_on_heading() -> rx.Component:
    """Within the `address_gate` of a `side_page`: its heading gets the focus when a record has come."""
    return FocusOnArrival.create(to=f"#{HEADING}")


def back_link(label: Any, href: Any, *, at: str = "") -> rx.Component:
    """The link back at the head of a page that is opened from a record or a list; `at` is as in `with_help`."""
    back = link(icon("arrow-left", class_name="icon-small"), label, href=href, class_name="backoffice-back")
    return with_help(back, at)


def with_help(content: Any, at: str) -> rx.Component:
    """What is at the head of the page at an address, and the link to the page's task in the handbook, if it has one."""
    task = next((task for task in office().tasks() if task.is_done_at(at)), None)
    if task is None:
        return rx.fragment(content)
    there = link(texts.HOW_THIS_WORKS, href=task.href, class_name="how-this-works")
    return rx.fragment(content, "\u2003", where_allowed(task.action, there))


def _strip(at: str) -> rx.Component:
    """The tabs as links, for the pages that are none of them, and the other places."""
    tabs = (_strip_link(label, paths.admin_tab(tab), tab == at) for tab, label in office().tabs.items())
    nav = rx.el.nav(*tabs, aria_label=texts.TABS_LABEL, class_name="strip-links")
    return rx.el.div(Strip.create(nav, places(at)), class_name="backoffice-top")


def places(at: str = "") -> rx.Component:
    """The links to the pages without a tab, beside the tabs on wide screens."""
    links = (
        where_allowed(place.action, _strip_link(place.name, place.href, place.href == at)) for place in office().places
    )
    return rx.el.nav(*links, aria_label=texts.PLACES_LABEL, class_name="strip-links strip-places")


def _strip_link(label: str, href: str, is_current: bool) -> rx.Component:
    current = {"aria_current": "page"} if is_current else {}
    return link(label, href=href, class_name="strip-link", **current)


def _header(title: rx.Component) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            link(office().brand_mark(), title, href=paths.ADMIN, class_name="backoffice-title"),
            rx.cond(CurrentUser.role != "", role_badge(CurrentUser.role)),
            finder(),
            office().header_link(),
            _account_menu(),
            class_name="backoffice-bar",
        ),
        class_name="backoffice-header",
    )


def _place_item(place: Place) -> rx.Component:
    return menu_link(icon(place.icon, class_name="icon-small"), place.name, href=place.href)


def role_badge(role: Any) -> rx.Component:
    """The role as a badge, most prominent for admins."""
    variant = rx.match(role, (Role.ADMIN.value, "outline"), (Role.MANAGER.value, "solid"), "subtle")
    return badge(role, variant=variant, class_name="role-badge")


def _account_menu() -> rx.Component:
    name = rx.cond(
        (CurrentUser.first_name != "") | (CurrentUser.last_name != ""),
        f"{CurrentUser.first_name} {CurrentUser.last_name}",
        texts.NO_NAME,
    )
    avatar = rx.cond(
        CurrentUser.is_loading,
        controls.small_spinner(),
        person_avatar(first_name=CurrentUser.first_name, last_name=CurrentUser.last_name, email=CurrentUser.email),
    )
    return action_menu(
        rx.fragment(avatar, rx.el.span(texts.MENU_LABEL, class_name="visually-hidden")),
        rx.el.div(
            rx.el.p(name, class_name="cell-title"),
            rx.el.p(email_text(CurrentUser.email), class_name="cell-note"),
            role_badge(CurrentUser.role),
            class_name="menu-person",
        ),
        menu_divider(),
        menu_link(icon("person", class_name="icon-small"), texts.PROFILE, href=paths.ADMIN_PROFILE),
        menu_link(icon("settings", class_name="icon-small"), texts.SETTINGS, href=paths.ADMIN_SETTINGS),
        Narrow.create(*(where_allowed(place.action, _place_item(place)) for place in office().places)),
        menu_link(icon("help", class_name="icon-small"), texts.HELP, href=paths.ADMIN_HELP),
        menu_link(icon("globe", class_name="icon-small"), texts.SITE, href=paths.HOME),
        menu_divider(),
        menu_item(icon("logout", class_name="icon-small"), texts.SIGN_OUT, on_click=user_accounts().sign_out),
        class_name="avatar-button",
    )
