"""What the case of a company opens with: the company's mark, its first key figure, and what its founder says."""

import reflex as rx

from sitekit.base.db.database import read_session
from sitekit.base.text import escape_controls
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.public.record_page import PublicPage

from .. import routes
from ..articles.service import ARTICLES, company_of
from ..components import profile
from . import testimonials
from .testimonials import Case


class CaseOpeningState(PublicPage, rx.State):
    """The company whose case the article with this slug is; empty for other articles."""

    case: Case = Case()
    of_article: str = ""

    @public_event
    async def load(self) -> None:
        """Read the company of the article that the address names; before the article, to be shown together."""
        slug = str(self.slug)
        case = await self._read(lambda: _case_of(slug), f"The company of '{escape_controls(slug, 80)}'")
        self.case, self.of_article = case or Case(), slug


def _case_of(slug: str) -> Case | None:
    with read_session() as session:
        if ARTICLES.resolve_slug(session, slug) != slug:
            return None
        company = company_of(session, ARTICLES.get_public(session, slug).case_of)
    return next((case for case in testimonials.read_cases() if company and case.slug == company.slug), None)


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
    return rx.cond((CaseOpeningState.of_article == slug) & (case.slug != ""), opening)
