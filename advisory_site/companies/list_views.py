"""The public list of companies: featured cases, and the rows of the others."""

import reflex as rx

from sitekit.ui.browser import shown_picture

from .. import routes
from . import texts
from .fields import CompanyCard
from .views import CaseLink, named_link


def featured_case(company: CompanyCard, case_link: CaseLink) -> rx.Component:
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
        _links(company, case_link(company.slug, company.name, "")),
        class_name="case",
    )


def company_row(company: CompanyCard) -> rx.Component:
    """One company on one line, as far as the screen is wide; all of it links to the company.

    One that has exited says where it is now in place of its tagline.
    """
    since = rx.cond(company.since != "", f"{texts.SINCE} {company.since}", "")
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
    return shown_picture(
        company.mark,
        fallback=routes.PLACEHOLDER_COMPANY,
        alt=rx.Var.create(texts.LOGO_OF) + company.name,
        size=(40, 40),
        places=(("", "2.5rem"),),
        is_whole=True,
        class_name="mark",
    )


def _links(company: CompanyCard, *more: rx.Component) -> rx.Component:
    return rx.el.div(
        named_link(texts.DETAILS_LABEL, company.name, routes.company_page(company.slug), "card-link"),
        named_link(texts.CONTACT_LINK.label, company.name, texts.CONTACT_LINK.href, ""),
        *more,
        class_name="company-links",
    )
