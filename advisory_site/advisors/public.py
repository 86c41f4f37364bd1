"""The public advisor pages: the list with the recruitment section, and one advisor's profile."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import reflex as rx
from sqlmodel import Session

from sitekit.base import paths
from sitekit.ui.public import filters
from sitekit.ui.public.record_page import FilteredList, RecordPage

from .. import routes
from ..components import profile, sections
from ..components.layout import page
from . import texts
from .expertise import FILTER
from .fields import AdvisorCard, AdvisorPage, Tag, tags_of
from .recruitment_section import network_steps, recruitment_section
from .service import ADVISORS, fields_of_others
from .views import advisor_card, advisor_profile


class AdvisorListState(FilteredList, rx.State):
    """The state of the list: the active advisors."""

    advisors: list[AdvisorCard] = []

    record_type: ClassVar = ADVISORS
    seo: ClassVar = texts.SEO
    path: ClassVar = routes.ADVISORS
    filtered_by: ClassVar = (FILTER,)

    def _show(self, selected: list[AdvisorCard], _cards: list[AdvisorCard]) -> None:
        self.advisors = [replace(advisor, bio=profile.whole_sentences(advisor.bio)) for advisor in selected]


class AdvisorState(RecordPage, rx.State):
    """The state of an advisor's profile."""

    advisor: AdvisorPage = AdvisorPage()
    tags: list[Tag] = []
    story: list[str] = []

    record_type: ClassVar = ADVISORS
    seo: ClassVar = texts.PROFILE_SEO
    not_found_title: ClassVar = texts.NOT_FOUND_TITLE

    def _find(self, session: Session, slug: str) -> tuple[AdvisorPage, set[str]]:
        return ADVISORS.get_public(session, slug), fields_of_others(session, slug)

    def _show(self, record: tuple[AdvisorPage, set[str]] | None) -> None:
        self.advisor, shared = record or (AdvisorPage(), set())
        self.tags = tags_of(self.advisor.expertise, shared)
        self.story = profile.paragraphs_of(self.advisor.detailed_bio)
        self._title = ", ".join(filter(None, (self.advisor.name, self.advisor.title)))
        self._summary = self.advisor.bio


def advisors_page(letter_writer: Callable[[], rx.Component]) -> rx.Component:
    """The list page: the advisors with their fields as filters, how the network works, and the letter to new ones."""
    return page(
        routes.ADVISORS,
        sections.page_head(texts.HERO),
        sections.section(
            filters.list_head(AdvisorListState, texts.LIST_TITLE),
            filters.filter_rows(AdvisorListState.filters, texts.EXPERTISE_TITLE),
            profile.listing(
                AdvisorListState,
                AdvisorListState.advisors,
                advisor_card,
                wait=texts.LOADING,
                nothing=profile.empty(AdvisorListState, texts.EMPTY_TITLE, texts.EMPTY_TEXT),
                last=[profile.last_card(texts.JOIN_QUESTION, texts.JOIN_LINK)],
                class_name="card-grid card-grid-people",
            ),
            tone="section-follow",
            id=paths.LIST,
        ),
        network_steps(),
        recruitment_section(letter_writer()),
        sections.closing(texts.CLOSING, look="closing-split closing-soft"),
    )


def advisor_page(articles: Callable[[str], rx.Component]) -> rx.Component:
    """The page of one advisor; `articles` shows those by the advisor with this slug."""
    return page(
        routes.ADVISORS,
        profile.profile_page(
            AdvisorState,
            texts.BACK,
            texts.LOADING,
            content=rx.fragment(
                advisor_profile(
                    AdvisorState.advisor,
                    AdvisorState.tags,
                    AdvisorState.story,
                    articles(AdvisorState.advisor.slug),
                ),
                sections.closing(texts.CLOSING, look="closing-line"),
            ),
            missing=profile.not_found(
                AdvisorState,
                texts.NOT_FOUND_TITLE,
                texts.NOT_FOUND,
                texts.BACK,
                texts.BY_FIELD,
                failed=texts.PROFILE_FAILED,
            ),
        ),
    )
