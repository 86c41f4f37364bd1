"""The home page, as a table of contents."""

from dataclasses import replace

import reflex as rx

from sitekit.base import messages, paths
from sitekit.base.db.database import now
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.copy import SIGN_IN
from sitekit.ui.public.links import arrow_link
from sitekit.ui.public.on_query import on_query
from sitekit.ui.public.record_page import PublicPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..articles import texts as articles
from ..articles.fields import ArticleCard
from ..articles.public import newest_article
from ..articles.related import link_to_case
from ..articles.service import read_cases
from ..articles.views import insight
from ..components import profile, sections
from ..components.artwork import compass_art
from ..components.layout import page
from ..components.mentions import Partner
from ..content import home as texts
from ..content import testimonials as testimonial_texts
from ..content.support import SUPPORT_AREAS
from ..team.partners import read_partners
from . import testimonials
from .testimonial_views import marks_strip, people_line, quotation
from .testimonials import CompanyMark, Quotation

_Records = tuple[Quotation, list[CompanyMark], list[Partner], ArticleCard, list[tuple[str, str]]]


class HomeState(PublicPage, rx.State):
    """What Home shows of the records; empty vars show nothing. `told` has companies by name, and the paths of cases."""

    said: Quotation = Quotation()
    marks: list[CompanyMark] = []
    faces: list[Partner] = []
    newest: ArticleCard = ArticleCard()
    told: list[tuple[str, str]] = []

    @public_event
    async def load(self) -> None:
        """Read the records again."""
        nothing: _Records = Quotation(), [], [], ArticleCard(), []
        records = await self._read(_records, "The records of Home")
        self.said, self.marks, self.faces, self.newest, self.told = records or nothing


def _records() -> _Records:
    cases = testimonials.read_cases()
    said = next(iter(testimonials.quotations(cases)), Quotation())
    paths_of_cases = read_cases()
    said = replace(said, case=paths_of_cases.get(said.slug, ""))
    told = [(case.name, paths_of_cases[case.slug]) for case in cases if case.slug in paths_of_cases]
    faces = read_partners()[: testimonials.MOST_FACES]
    return said, testimonials.marks(cases), faces, newest_article(now()), told


def home_page() -> rx.Component:
    """The page as a list of sections."""
    return page(
        paths.HOME,
        on_query(_confirmed(), query=paths.CONFIRMED),
        sections.hero(
            texts.HERO,
            texts.HERO_PRIMARY,
            texts.HERO_SECONDARY,
            people=rx.fragment(people_line(HomeState.faces), rx.foreach(HomeState.told, _told_case)),
            numbers=sections.stat_band(texts.STATS_TITLE, texts.STATS, texts.STATS_SOURCE),
        ),
        _testimonials(),
        _newest(),
        sections.points(texts.WHY_FOUNDERS, texts.WHY_FOUNDERS_CARDS),
        sections.support_summary(routes.STRATEGIC_SUPPORT, texts.SUPPORT, SUPPORT_AREAS, texts.SUPPORT_LINK),
        sections.closing(texts.CLOSING, compass_art()),
    )


def _told_case(case: tuple[str, str]) -> rx.Component:
    """The line about a told case, if it is the case of the company that the line names."""
    line = rx.Var.create(words_of(texts.TOLD_CASE)).to(str)
    name, path = case[0], case[1]
    return rx.cond(line.contains(name), rx.el.p(line, " ", link_to_case(path, name), class_name="told-case"))


def _testimonials() -> rx.Component:
    """A founder's words set large, and the marks of companies."""
    said = HomeState.said
    is_said = said.words != ""
    return rx.cond(
        is_said | profile.has_items(HomeState.marks),
        sections.section(
            rx.cond(
                is_said,
                rx.fragment(
                    rx.el.h2(words_of(testimonial_texts.VOICES_TITLE), class_name="visually-hidden"),
                    quotation(said),
                    rx.cond(said.case != "", rx.el.p(link_to_case(said.case, said.company), class_name="voice-case")),
                ),
            ),
            marks_strip(HomeState.marks),
            tone="testimonials",
        ),
    )


def _newest() -> rx.Component:
    """The newest article."""
    return rx.cond(
        HomeState.newest.slug != "",
        sections.section(
            rx.el.div(
                rx.el.h2(articles.HOME_LABEL, class_name="eyebrow"),
                rx.el.div(insight(HomeState.newest), rx.el.p(arrow_link(articles.HOME_LINK))),
                class_name="beside newest",
            ),
            tone="section-tight",
        ),
    )


def _confirmed() -> rx.Component:
    """The notice after an email address was confirmed."""
    notice = rx.el.div(
        rx.el.p(messages.EMAIL_CONFIRMED),
        rx.el.a(SIGN_IN, href=paths.AUTH),
        class_name="notice notice-inline",
    )
    return rx.el.div(notice, class_name="wrap", custom_attrs={"style": {"paddingBlockStart": "var(--space-5)"}})
