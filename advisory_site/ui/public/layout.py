"""The frame around every public page: skip link, header, main, footer."""

import reflex as rx

from ...content import layout as words
from ...content.firm import FIRM
from ...core import routes
from ..icons import icon
from .artwork import brand_mark
from .links import anchor, button, current_link
from .menu import menu

CONTENT_ID = "content"


def page(route: str, *sections: rx.Component) -> rx.Component:
    """A public page: its sections between header and footer; `route` marks the current page in the header."""
    return rx.el.div(
        rx.el.a(words.SKIP_LINK, href=f"#{CONTENT_ID}", class_name="skip-link"),
        site_header(route),
        rx.el.main(*sections, id=CONTENT_ID, tab_index=-1),
        site_footer(),
        class_name="site",
    )


def logo(label: str) -> rx.Component:
    """Brand mark and name, linked to Home."""
    return rx.el.a(brand_mark(), FIRM.name, href=routes.HOME, class_name="logo", aria_label=label)


def site_header(route: str) -> rx.Component:
    """The sticky header; its links are in a row on wide screens and in the menu on small ones."""
    return rx.el.header(
        rx.el.div(
            logo(words.LOGO_LABEL),
            rx.el.nav(_navigation(route), class_name="site-nav", aria_label=words.NAVIGATION_LABEL),
            rx.el.a(
                words.GET_STARTED.label,
                href=words.GET_STARTED.href,
                class_name="button button-small button-header",
            ),
            _small_screen_menu(route),
            class_name="wrap",
        ),
        class_name="site-header",
    )


def _navigation(route: str) -> rx.Component:
    return rx.el.ul(*(rx.el.li(current_link(link, route)) for link in words.NAVIGATION))


def _small_screen_menu(route: str) -> rx.Component:
    return menu(
        rx.el.nav(_navigation(route), aria_label=words.NAVIGATION_LABEL),
        button(words.GET_STARTED),
        rx.el.ul(
            *(rx.el.li(anchor(link)) for link in (*words.MENU_FOOT, words.FOOTER_EMAIL, words.FOOTER_PHONE)),
            class_name="menu-foot",
        ),
        toggle=(
            rx.el.span(
                icon("menu"),
                rx.el.span(words.MENU_OPEN_LABEL, class_name="visually-hidden"),
                class_name="menu-bars",
            ),
            rx.el.span(
                icon("close"),
                rx.el.span(words.MENU_CLOSE_LABEL, class_name="visually-hidden"),
                class_name="menu-cross",
            ),
        ),
    )


def theme_toggle() -> rx.Component:
    """The switch between light and dark; the choice is also kept in a cookie (`ssr/theme_variants.py`)."""
    return rx.el.button(
        icon("sun", class_name="theme-sun"),
        icon("moon", class_name="theme-moon"),
        type="button",
        on_click=rx.toggle_color_mode,
        class_name="icon-button theme-toggle",
        aria_label=words.THEME_LABEL,
    )


def site_footer() -> rx.Component:
    """The footer: links, contacts and legal information."""
    return rx.el.footer(
        rx.el.div(
            rx.el.div(
                rx.el.div(logo(words.LOGO_LABEL), rx.el.p(words.FOOTER_TAGLINE), class_name="footer-brand"),
                *(_link_group(group) for group in words.FOOTER_GROUPS),
                _reach_us(),
                class_name="footer-grid",
            ),
            _footer_base(),
            class_name="wrap",
        ),
        class_name="site-footer",
    )


def _link_group(group: words.LinkGroup) -> rx.Component:
    return rx.el.nav(
        rx.el.h2(group.title),
        rx.el.ul(*(rx.el.li(anchor(link)) for link in group.links)),
        aria_label=f"{words.FOOTER_NAVIGATION_LABEL}: {group.title}",
    )


def _reach_us() -> rx.Component:
    links = (words.FOOTER_EMAIL, words.FOOTER_PHONE, *words.FOOTER_SOCIAL)
    return rx.el.div(
        rx.el.h2(words.FOOTER_CONTACT_TITLE),
        rx.el.ul(*(rx.el.li(anchor(link)) for link in links)),
        class_name="footer-reach",
    )


def _footer_base() -> rx.Component:
    return rx.el.div(
        rx.el.p(words.FOOTER_COPYRIGHT),
        rx.el.ul(
            *(rx.el.li(anchor(link)) for link in words.FOOTER_LEGAL),
            rx.el.li(theme_toggle()),
        ),
        class_name="footer-base",
    )
