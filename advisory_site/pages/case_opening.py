"""What the case of a company opens with: the company's mark, its first key figure, and what its founder says."""

from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.records.references import find_named
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.public.record_page import RecordPart

from .. import routes
from ..articles.models import COMPANY
from ..articles.service import ARTICLES
from ..companies.service import COMPANIES
from ..components import profile
from .testimonials import Case


class CaseOpeningState(RecordPart, rx.State):
    """The company whose case the article with this slug is; empty for other articles."""

    case: Case = Case()

    record_type: ClassVar = COMPANIES

    @public_event
    async def load(self) -> None:
        """Read the company of the article that the address names."""
        self.case = await self._read_part(_case_of) or Case()


def _case_of(session: Session, slug: str) -> Case:
    if ARTICLES.resolve_slug(session, slug) != slug:
        return Case()
    return find_named(session, COMPANY, ARTICLES.get_public(session, slug).case_of, Case) or Case()


def case_opening(slug: str) -> rx.Component:
    """The opening of the article with this slug; nothing if it is no case."""
    case = CaseOpeningState.case
    mark = profile.mark(case.mark, size=(48, 48), places=(("", "3rem"),), class_name="mark")
    figure = rx.el.p(
        rx.el.span(case.figure.value, class_name="metric-value"), " ", case.figure.words, class_name="case-figure"
    )
    said = rx.el.figure(
        rx.el.blockquote(rx.el.p(case.quote)),
        rx.el.figcaption(
            rx.el.div(
                rx.cond(case.quoted_name != "", rx.el.p(case.quoted_name, class_name="label")),
                rx.cond(case.quoted_role != "", rx.el.p(case.quoted_role, class_name="muted")),
            )
        ),
        class_name="voice",
    )
    opening = rx.el.div(
        rx.el.div(
            rx.el.p(mark, rx.el.a(case.name, href=routes.company_page(case.slug)), class_name="case-name title-s"),
            rx.cond(case.figure.words != "", figure),
        ),
        rx.cond(case.quote != "", said),
        class_name="case-opening",
    )
    return rx.cond((CaseOpeningState.of_slug == slug) & (case.slug != ""), opening)
