"""The frame of every back-office page: header with title, role badge, enquiries and avatar menu, and the gate."""

from typing import Any, ClassVar

import reflex as rx

from ..accounts.guard import staff_page
from ..accounts.proof_dialog import proof_dialog
from ..accounts.session_state import AuthState, has_role
from ..content import backoffice as words
from ..core import routes
from ..core.permissions import Role
from ..ui.backoffice.avatar import person_avatar
from ..ui.backoffice.chakra import link, menu_link, rc
from ..ui.backoffice.table import email_text, list_head
from ..ui.backoffice.uncached import uncached
from ..ui.icons import icon
from ..ui.public.artwork import brand_mark

MAIN = "content"
SHEET = "/backoffice.css"
MOST_SHOWN = 99


class HeaderState(rx.State):
    """The number of new enquiries; `enquiries.new_count` fills it."""

    new_enquiries: int = 0

    is_for_staff: ClassVar[bool] = True


def shell(*content: rx.Component, is_home: bool = False) -> rx.Component:
    """The frame of a back-office page; shown after the session is confirmed."""
    return rx.fragment(
        rx.el.link(rel="stylesheet", href=SHEET, custom_attrs={"precedence": "backoffice"}),
        staff_page(
            uncached(),
            rx.el.a(words.SKIP, href=f"#{MAIN}", class_name="skip-link"),
            _header(is_home),
            rx.el.main(*content, id=MAIN, tab_index=-1, class_name="backoffice-main"),
            proof_dialog(),
        ),
    )


def list_page(title: str, text: Any, *content: rx.Component, actions: tuple[rx.Component, ...] = ()) -> rx.Component:
    """A page with a list: link back to the dashboard, title, text and actions, content."""
    head = list_head(title, text, *actions, level="h1")
    return shell(back_link(words.BACK, routes.ADMIN), head, *content)


def side_page(title: Any, back: Any, back_label: str, *content: rx.Component) -> rx.Component:
    """A page outside the tabs: back link, title, content."""
    return shell(back_link(back_label, back), rc.heading(title, as_="h1", size="lg"), *content)


def back_link(label: Any, href: Any) -> rx.Component:
    """The link back at the head of a page outside the tabs."""
    return link(icon("arrow-left", class_name="icon-small"), label, href=href, class_name="backoffice-back")


def spinner() -> rx.Component:
    """A loading spinner."""
    return rc.center(rc.spinner(label=words.LOADING, size="xl"), min_height="50vh")


def _header(is_home: bool) -> rx.Component:
    title = rx.el.h1(words.TITLE) if is_home else rx.el.p(words.TITLE)
    return rx.el.header(
        rx.el.div(
            link(brand_mark(), title, href=routes.ADMIN, class_name="backoffice-title"),
            role_badge(AuthState.role),
            _enquiries_link(),
            _account_menu(),
            class_name="backoffice-bar",
        ),
        class_name="backoffice-header",
    )


def role_badge(role: Any) -> rx.Component:
    """The role as a badge, most prominent for admins."""
    variant = rx.match(role, (Role.ADMIN.value, "outline"), (Role.MANAGER.value, "solid"), "subtle")
    return rc.badge(role, variant=variant, class_name="role-badge")


def _enquiries_link() -> rx.Component:
    count = HeaderState.new_enquiries
    shown = rx.cond(count > MOST_SHOWN, f"{MOST_SHOWN}+", count)
    return link(
        icon("mail"),
        rx.el.span(words.ENQUIRIES, class_name="header-link-text"),
        rx.cond(
            count > 0,
            rx.el.span(
                shown,
                rx.el.span(f" {words.ENQUIRIES_NEW}", class_name="visually-hidden"),
                class_name="count-badge",
            ),
        ),
        href=routes.ADMIN_ENQUIRIES,
        class_name="header-link",
    )


def _account_menu() -> rx.Component:
    name = rx.cond(
        (AuthState.first_name != "") | (AuthState.last_name != ""),
        f"{AuthState.first_name} {AuthState.last_name}",
        words.NO_NAME,
    )
    avatar = person_avatar(first_name=AuthState.first_name, last_name=AuthState.last_name, email=AuthState.email)
    return rc.menu(
        rc.menu_button(avatar, rx.el.span(words.MENU_LABEL, class_name="visually-hidden"), class_name="avatar-button"),
        rc.menu_list(
            rx.el.div(
                rx.el.p(name, class_name="cell-title"),
                rx.el.p(email_text(AuthState.email), class_name="cell-note"),
                class_name="menu-person",
            ),
            rc.menu_divider(),
            menu_link(icon("person", class_name="icon-small"), words.PROFILE, href=routes.ADMIN_PROFILE),
            menu_link(icon("settings", class_name="icon-small"), words.SETTINGS, href=routes.ADMIN_SETTINGS),
            menu_link(icon("mail", class_name="icon-small"), words.ENQUIRIES, href=routes.ADMIN_ENQUIRIES),
            menu_link(icon("picture", class_name="icon-small"), words.PICTURES, href=routes.ADMIN_MEDIA),
            menu_link(icon("clock", class_name="icon-small"), words.ACTIVITY, href=routes.ADMIN_ACTIVITY),
            menu_link(icon("trash", class_name="icon-small"), words.TRASH, href=routes.ADMIN_TRASH),
            rx.cond(
                has_role(Role.ADMIN),
                menu_link(
                    icon("shield", class_name="icon-small"), words.PERSONAL_DATA, href=routes.ADMIN_PERSONAL_DATA
                ),
            ),
            menu_link(icon("globe", class_name="icon-small"), words.SITE, href=routes.HOME),
            rc.menu_divider(),
            rc.menu_item(icon("logout", class_name="icon-small"), words.SIGN_OUT, on_click=AuthState.sign_out),
        ),
        placement="bottom-end",
        is_lazy=True,
    )
