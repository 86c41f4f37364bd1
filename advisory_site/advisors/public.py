"""The public advisor pages: the list with the recruitment section, and one advisor's profile."""

from collections.abc import AsyncIterator
from dataclasses import replace

import reflex as rx

from ..content import messages
from ..content.firm import FIRM
from ..core import routes
from ..core.list_filters import ListFilters
from ..core.text import escape_controls
from ..core.typography import typeset, typeset_record
from ..db.database import read_session
from ..framework.event_marks import EventReply, public_event
from ..ui.public import filters, profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import FilteredList, PublicPage
from . import texts as words
from .expertise import filters_of
from .fields import AdvisorCard, AdvisorPage, Tag, tags_of
from .recruitment_section import network_steps, recruitment_section
from .service import ADVISORS, fields_of_others
from .views import advisor_card, advisor_profile


class AdvisorListState(FilteredList, rx.State):
    """The state of the list: the active advisors."""

    advisors: list[AdvisorCard] = []

    @rx.var
    def page_title(self) -> str:
        """The title of the document."""
        return f"{self.chosen} | {words.SEO.title}" if self.chosen else words.SEO.title

    @public_event
    async def load(self) -> None:
        """Read the list again."""
        advisors = await self._read(_advisors, "The list of advisors") or []
        self.advisors = [advisors[place] for place in self._select(filters_of(advisors), routes.ADVISORS)]
        self.list_title = f"{words.number_of(len(self.advisors))}: {self.chosen}"


class AdvisorState(PublicPage, rx.State):
    """The state of an advisor's profile."""

    advisor: AdvisorPage = AdvisorPage()
    tags: list[Tag] = []
    story: list[str] = []

    @rx.var
    def page_title(self) -> str:
        """The title of the document."""
        if self.is_missing or self.is_unavailable:
            return f"{words.NOT_FOUND_TITLE} | {FIRM.name}"
        who = ", ".join(filter(None, (self.advisor.name, self.advisor.title)))
        return f"{who} | {FIRM.name}" if who else words.PROFILE_SEO.title

    @rx.var
    def page_description(self) -> str:
        """The description for search results."""
        return profile.in_brief(self.advisor.bio) or words.PROFILE_SEO.description

    @public_event
    async def load(self) -> AsyncIterator[EventReply]:
        """Read the advisor that the address names."""
        slug = str(self.slug)
        if self._turns_to(slug):
            yield None
        found = await self._read(lambda: _advisor(slug), f"The advisor '{escape_controls(slug, 80)}'")
        if self._moved_to:
            yield rx.redirect(routes.advisor_page(self._moved_to), replace=True)
            return
        self.advisor, shared = found or (AdvisorPage(), set())
        self.tags = tags_of(self.advisor.expertise, shared)
        self.story = profile.paragraphs_of(self.advisor.detailed_bio)


def _advisors() -> list[AdvisorCard]:
    with read_session() as session:
        advisors = typeset_record(ADVISORS.list_public(session))
    return [replace(advisor, bio=profile.whole_sentences(advisor.bio)) for advisor in advisors]


def read_filters() -> ListFilters:
    """The filters of the list."""
    return filters_of(_advisors())


def _advisor(slug: str) -> tuple[AdvisorPage, set[str]]:
    with read_session() as session:
        advisor = ADVISORS.get_public(session, slug)
        return typeset_record(advisor), set(map(typeset, fields_of_others(session, slug)))


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
                nothing=profile.empty(words.EMPTY_TITLE, words.EMPTY_TEXT),
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
    message = rx.cond(AdvisorState.is_unavailable, messages.ADVISOR_PROFILE_FAILED, messages.ADVISOR_NOT_FOUND).to(str)
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
            missing=profile.not_found(words.NOT_FOUND_TITLE, message, words.BACK, words.BY_FIELD),
        ),
    )
