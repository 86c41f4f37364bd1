"""The public advisor pages: the list with the recruitment section, and one advisor's profile."""

from dataclasses import replace
from typing import ClassVar

import reflex as rx

from ..content import messages
from ..core import routes
from ..core.list_filters import ListFilters
from ..core.typography import typeset, typeset_record
from ..db.database import read_session
from ..framework.event_marks import public_event
from ..ui.public import filters, profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import FilteredList, RecordPage
from . import texts as words
from .expertise import filters_of
from .fields import AdvisorCard, AdvisorPage, Tag, tags_of
from .recruitment_section import network_steps, recruitment_section
from .service import ADVISORS, fields_of_others
from .views import advisor_card, advisor_profile


class AdvisorListState(FilteredList, rx.State):
    """The state of the list: the active advisors."""

    advisors: list[AdvisorCard] = []

    seo: ClassVar = words.SEO

    @public_event
    async def load(self) -> None:
        """Read the list again."""
        advisors = await self._read(_advisors, "The list of advisors") or []
        self.advisors = [advisors[place] for place in self._select(filters_of(advisors), routes.ADVISORS)]
        self.list_title = f"{words.number_of(len(self.advisors))}: {self.chosen}"


class AdvisorState(RecordPage, rx.State):
    """The state of an advisor's profile."""

    advisor: AdvisorPage = AdvisorPage()
    tags: list[Tag] = []
    story: list[str] = []

    kind: ClassVar = ADVISORS
    seo: ClassVar = words.PROFILE_SEO
    not_found_title: ClassVar = words.NOT_FOUND_TITLE

    def _find(self, slug: str) -> tuple[AdvisorPage, set[str]]:
        with read_session() as session:
            advisor = ADVISORS.get_public(session, slug)
            return typeset_record(advisor), set(map(typeset, fields_of_others(session, slug)))

    def _show(self, found: tuple[AdvisorPage, set[str]] | None) -> None:
        self.advisor, shared = found or (AdvisorPage(), set())
        self.tags = tags_of(self.advisor.expertise, shared)
        self.story = profile.paragraphs_of(self.advisor.detailed_bio)
        self._title = ", ".join(filter(None, (self.advisor.name, self.advisor.title)))
        self._summary = self.advisor.bio


def _advisors() -> list[AdvisorCard]:
    with read_session() as session:
        advisors = typeset_record(ADVISORS.list_public(session))
    return [replace(advisor, bio=profile.whole_sentences(advisor.bio)) for advisor in advisors]


def read_filters() -> ListFilters:
    """The filters of the list."""
    return filters_of(_advisors())


def advisors_page() -> rx.Component:
    """The list page: the advisors with their fields as filters, how the network works, and how to join it."""
    return page(
        routes.ADVISORS,
        sections.page_head(words.HERO),
        sections.section(
            rx.cond(
                AdvisorListState.chosen != "",
                filters.list_head(AdvisorListState, routes.ADVISORS),
                rx.el.h2(words.LIST_TITLE, class_name="visually-hidden"),
            ),
            filters.filter_rows(AdvisorListState.filters, words.EXPERTISE_TITLE),
            profile.listing(
                AdvisorListState,
                AdvisorListState.advisors,
                advisor_card,
                wait=words.LOADING,
                nothing=profile.empty(AdvisorListState, words.EMPTY_TITLE, words.EMPTY_TEXT),
                last=[profile.last_card(words.JOIN_QUESTION, words.JOIN_LINK)],
                class_name="card-grid card-grid-people",
            ),
            tone="section-follow",
            id=routes.LIST,
        ),
        network_steps(),
        recruitment_section(),
        sections.closing(words.CLOSING, look="closing-split closing-soft"),
    )


def advisor_page() -> rx.Component:
    """The page of one advisor."""
    return page(
        routes.ADVISORS,
        profile.profile_page(
            AdvisorState,
            words.BACK,
            words.LOADING,
            found=rx.fragment(
                advisor_profile(AdvisorState.advisor, AdvisorState.tags, AdvisorState.story),
                sections.closing(words.CLOSING, look="closing-line"),
            ),
            missing=profile.not_found(
                AdvisorState,
                words.NOT_FOUND_TITLE,
                messages.ADVISOR_NOT_FOUND,
                words.BACK,
                words.BY_FIELD,
                failed=messages.ADVISOR_PROFILE_FAILED,
            ),
        ),
    )
