"""The public list of companies: featured cases, and the rows of the others."""

import reflex as rx

from ..core import routes
from ..ui.browser import alt_of, shown_picture
from . import texts as words
from .fields import CompanyCard
from .views import named_link


def featured_case(company: CompanyCard) -> rx.Component:
    """One company with what the firm did for it and one key figure; all of it links to the company."""
    return rx.el.article(
        rx.el.div(_mark(company), rx.el.h3(company.name, class_name="title-m"), class_name="case-name"),
        rx.el.p(rx.cond(company.our_role != "", company.our_role, company.tagline), class_name="case-role"),
        rx.cond(
            company.figure.words != "",
            rx.el.p(
                rx.el.span(company.figure.value, class_name="metric-value"),
                " ",
                company.figure.words,
                class_name="case-figure",
            ),
        ),
        _links(company),
        class_name="case",
    )


def company_row(company: CompanyCard) -> rx.Component:
    """One company on one line, as far as the screen is wide; all of it links to the company.

    One that has exited says where it is now in place of its tagline.
    """
    since = rx.cond(company.since != "", f"{words.SINCE} {company.since}", "")
    return rx.el.article(
        _mark(company),
        rx.el.h3(company.name, class_name="company-name"),
        rx.el.p(rx.cond(company.exit_note != "", company.exit_note, company.tagline), class_name="company-line"),
        rx.el.p(company.industry, class_name="company-sector"),
        rx.el.p(company.country, class_name="company-country"),
        rx.el.p(since, class_name="company-since"),
        _links(company),
        class_name="company",
    )


def _mark(company: CompanyCard) -> rx.Component:
    """The left end of the logo, where a wide one has its mark."""
    return shown_picture(
        company.logo,
        fallback=routes.PLACEHOLDER_COMPANY,
        alt=alt_of(company.logo, company.name + " logo"),
        size=(40, 40),
        places=(("", "2.5rem"),),
        class_name="mark",
    )


def _links(company: CompanyCard) -> rx.Component:
    return rx.el.div(
        named_link(words.DETAILS_LABEL, company.name, routes.company_page(company.slug), "card-link"),
        named_link(words.CONTACT_LINK.label, company.name, words.CONTACT_LINK.href, ""),
        class_name="company-links",
    )
