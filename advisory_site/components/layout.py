"""The frame around every public page: skip link, header, main, footer."""

import reflex as rx

from sitekit.base import paths
from sitekit.ui.icons import icon
from sitekit.ui.public.links import anchor, button, current_link
from sitekit.ui.public.menu import menu
from sitekit.ui.theme_toggle import theme_toggle

from ..content import layout as texts
from ..content.firm import FIRM
from .artwork import brand_mark

CONTENT_ID = "content"


def page(route: str, *sections: rx.Component) -> rx.Component:
    """A public page: its sections between header and footer; `route` marks the current page in the header."""
    return rx.el.div(
        rx.el.a(texts.SKIP_LINK, href=f"#{CONTENT_ID}", class_name="skip-link"),
        site_header(route),
        rx.el.main(*sections, id=CONTENT_ID, tab_index=-1),
        site_footer(),
        class_name="site",
    )


def logo(label: str) -> rx.Component:
    """Brand mark and name, linked to Home."""
    return rx.el.a(brand_mark(), FIRM.name, href=paths.HOME, class_name="logo", aria_label=label)


def site_header(route: str) -> rx.Component:
    """The sticky header; its links are in a row on wide screens and in the menu on small ones."""
    return rx.el.header(
        rx.el.div(
            logo(texts.LOGO_LABEL),
            rx.el.nav(_navigation(route), class_name="site-nav", aria_label=texts.NAVIGATION_LABEL),
            rx.el.a(
                texts.GET_STARTED.label,
                href=texts.GET_STARTED.href,
                class_name="button button-small button-header",
            ),
            _small_screen_menu(route),
            class_name="wrap",
        ),
        class_name="site-header",
    )


def _navigation(route: str) -> rx.Component:
    return rx.el.ul(*(rx.el.li(current_link(link, route)) for link in texts.NAVIGATION))


def _small_screen_menu(route: str) -> rx.Component:
    return menu(
        rx.el.nav(_navigation(route), aria_label=texts.NAVIGATION_LABEL),
        button(texts.GET_STARTED),
        rx.el.ul(
            *(rx.el.li(anchor(link)) for link in (*texts.MENU_FOOT, texts.FOOTER_EMAIL, texts.FOOTER_PHONE)),
            class_name="menu-foot",
        ),
        toggle=(
            rx.el.span(
                icon("menu"),
                rx.el.span(texts.MENU_OPEN_LABEL, class_name="visually-hidden"),
                class_name="menu-bars",
            ),
            rx.el.span(
                icon("close"),
                rx.el.span(texts.MENU_CLOSE_LABEL, class_name="visually-hidden"),
                class_name="menu-cross",
            ),
        ),
    )


def site_footer() -> rx.Component:
    """The footer: links, contacts and legal information."""
    return rx.el.footer(
        rx.el.div(
            rx.el.div(
                rx.el.div(logo(texts.LOGO_LABEL), rx.el.p(texts.FOOTER_TAGLINE), class_name="footer-brand"),
                *(_link_group(group) for group in texts.FOOTER_GROUPS),
                _reach_us(),
                class_name="footer-grid",
            ),
            _footer_base(),
            class_name="wrap",
        ),
        class_name="site-footer",
    )


def _link_group(group: texts.LinkGroup) -> rx.Component:
    return rx.el.nav(
        rx.el.h2(group.title),
        rx.el.ul(*(rx.el.li(anchor(link)) for link in group.links)),
        aria_label=f"{texts.FOOTER_NAVIGATION_LABEL}: {group.title}",
    )


def _reach_us() -> rx.Component:
    links = (texts.FOOTER_EMAIL, texts.FOOTER_PHONE, *texts.FOOTER_SOCIAL)
    return rx.el.div(
        rx.el.h2(texts.FOOTER_CONTACT_TITLE),
        rx.el.ul(*(rx.el.li(anchor(link)) for link in links)),
        class_name="footer-reach",
    )


def _footer_base() -> rx.Component:
    return rx.el.div(
        rx.el.p(texts.FOOTER_COPYRIGHT),
        rx.el.ul(
            *(rx.el.li(anchor(link)) for link in texts.FOOTER_LEGAL),
            rx.el.li(theme_toggle()),
        ),
        class_name="footer-base",
    )
