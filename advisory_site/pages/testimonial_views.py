"""Components of what speaks for the firm on pages of fixed copy: founders' words, marks, faces, a partner."""

from typing import Any

import reflex as rx

from sitekit.ui.browser import Places
from sitekit.ui.public.links import anchor, arrow_link
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import profile
from ..components.mentions import Partner
from ..content import testimonials as texts
from .testimonials import AreaCases, CompanyMark, NamedCompany, Quotation

SMALL: Places = (("", "3rem"),)


def quotation(said: Quotation) -> rx.Component:
    """A founder's words with name, role and company, which links to its page."""
    return rx.el.figure(
        rx.el.blockquote(rx.el.p(said.words)),
        rx.el.figcaption(
            rx.cond(said.has_logo, rx.el.div(_logo(said.logo), class_name="voice-mark")),
            rx.el.div(
                rx.cond(said.name != "", rx.el.p(said.name, class_name="label")),
                rx.cond(said.role != "", rx.el.p(said.role, class_name="muted")),
                rx.el.p(rx.el.a(said.company, href=routes.company_page(said.slug))),
            ),
        ),
        class_name="voice",
    )


def voices(said: Any) -> rx.Component:
    """Several quotations beside each other; nothing without one."""
    return rx.cond(profile.has_items(said), rx.el.div(rx.foreach(said, quotation), class_name="pair voices"))


def marks_strip(marks: Any) -> rx.Component:
    """Companies by mark and name, each a link; nothing without one."""
    return rx.cond(
        profile.has_items(marks),
        rx.el.div(
            rx.el.h2(words_of(texts.MARKS_TITLE), class_name="visually-hidden"),
            rx.el.ul(rx.foreach(marks, _linked_mark), class_name="mark-row"),
            rx.el.p(arrow_link(texts.MARKS_LINK)),
            class_name="marks-strip",
        ),
    )


def _linked_mark(mark: CompanyMark) -> rx.Component:
    logo = profile.mark(mark.logo, size=(28, 28), places=(("", "1.75rem"),))
    logo_box = rx.el.span(logo, class_name="mark-place")
    return rx.el.li(rx.el.a(logo_box, mark.name, href=routes.company_page(mark.slug)))


def _logo(logo: Any) -> rx.Component:
    return profile.mark(logo, size=(48, 48), places=SMALL, class_name="whole-mark")


def people_line(faces: Any) -> rx.Component:
    """The faces of partners, with links to the team and to the companies."""
    return rx.el.div(
        rx.cond(
            profile.has_items(faces),
            rx.el.a(
                rx.foreach(faces, _face), href=routes.TEAM, class_name="small-faces", aria_hidden="true", tab_index=-1
            ),
        ),
        rx.el.ul(*(rx.el.li(anchor(link)) for link in texts.PEOPLE_LINKS)),
        class_name="people-line",
    )


def _face(face: Partner) -> rx.Component:
    return rx.el.span(profile.face(face.picture, size=(56, 70), places=SMALL, loading="lazy"))


def partner_line(partner: Partner, sentence: str) -> rx.Component:
    """The portrait of a partner, and a sentence that begins with the name; nothing without one."""
    return rx.cond(
        partner.slug != "",
        rx.el.figure(
            profile.portrait(partner.picture, partner.name),
            rx.el.figcaption(
                rx.el.p(
                    rx.el.a(partner.name, href=routes.team_profile_page(partner.slug)),
                    f" {words_of(sentence)}",
                    class_name="title-s",
                ),
                rx.el.p(partner.designation, class_name="muted"),
            ),
            class_name="answers",
        ),
    )


def area_cases(cases: AreaCases) -> rx.Component:
    """The companies of a support area in one line; nothing without one."""
    more = rx.el.a(texts.CASES_AND, " ", cases.others, " ", texts.CASES_MORE, href=routes.COMPANIES)
    return rx.cond(
        profile.has_items(cases.shown),
        rx.el.p(
            rx.el.span(f"{texts.CASES_LABEL}: ", class_name="label"),
            rx.foreach(cases.shown, _case_link),
            rx.cond(cases.others > 0, rx.fragment(" ", more)),
            class_name="area-cases",
        ),
    )


def _case_link(case: NamedCompany) -> rx.Component:
    return rx.fragment(case.comma, rx.el.a(case.name, href=routes.company_page(case.slug)))
