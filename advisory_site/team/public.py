"""The public team pages: the team, and one member's profile."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import reflex as rx

from ..content.firm import FIRM
from ..core import routes
from ..core.text import escape_controls
from ..core.typography import typeset_record
from ..db.database import read_session
from ..framework.event_marks import EventReply, public_event
from ..ui.public import profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import PublicPage
from . import texts as words
from .fields import MemberCard, MemberPage
from .service import MEMBERS
from .views import member_card, member_profile, view_tabs


class TeamState(PublicPage, rx.State):
    """The state of the list: the active members."""

    members: list[MemberCard] = []

    @public_event
    async def load(self) -> None:
        """Read the list again."""
        self.members = await self._read(read_members, "The list of team members") or []


class MemberState(PublicPage, rx.State):
    """The state of a member's profile."""

    member: MemberPage = MemberPage()
    story: list[str] = []

    @rx.var
    def page_title(self) -> str:
        """The title of the document."""
        if self.is_missing or self.is_unavailable:
            return f"{words.NOT_FOUND_TITLE} | {FIRM.name}"
        who = ", ".join(filter(None, (self.member.name, self.member.designation)))
        return f"{who} | {FIRM.name}" if who else words.PROFILE_SEO.title

    @rx.var
    def page_description(self) -> str:
        """The description for search results."""
        return profile.in_brief(self.member.bio) or words.PROFILE_SEO.description

    @public_event
    async def load(self) -> AsyncIterator[EventReply]:
        """Read the member that the address names."""
        slug = str(self.slug)
        if self._turns_to(slug):
            yield None
        found = await self._read(lambda: _member(slug), f"The team member '{escape_controls(slug, 80)}'")
        if self._moved_to:
            yield rx.redirect(routes.team_profile_page(self._moved_to), replace=True)
            return
        self.member = found or MemberPage()
        self.story = profile.paragraphs_of(self.member.detailed_bio)


def read_members() -> list[MemberCard]:
    """Read the active members, in display order."""
    with read_session() as session:
        members = typeset_record(MEMBERS.list_public(session))
    return [replace(member, bio=profile.whole_sentences(member.bio)) for member in members]


def _member(slug: str) -> MemberPage:
    with read_session() as session:
        return typeset_record(MEMBERS.get_public(session, slug))


def team_page() -> rx.Component:
    """The list page: the team with portraits, numbers and values."""
    return page(
        routes.TEAM,
        sections.page_head(words.HERO, view_tabs(routes.TEAM)),
        sections.section(
            rx.el.h2(words.LIST_TITLE, class_name="visually-hidden"),
            profile.listing(
                TeamState,
                TeamState.members,
                member_card,
                wait=words.LOADING,
                nothing=profile.empty(words.EMPTY_TITLE, words.EMPTY_TEXT),
                last=[profile.last_card(words.DIRECTORY_QUESTION, words.DIRECTORY_LINK)],
                class_name="card-grid card-grid-people",
            ),
            tone="section-follow",
        ),
        sections.stat_band(words.STATS_TITLE, words.STATS),
        sections.points(words.VALUES, words.VALUE_CARDS),
        sections.closing(words.CLOSING, look="closing-split section-sunken"),
    )


def team_profile_page(companies: Callable[[str], rx.Component]) -> rx.Component:
    """The page of one member; `companies` shows the companies of the member with a slug."""
    member = MemberState.member
    return page(
        routes.TEAM,
        profile.profile_page(
            MemberState,
            words.BACK,
            words.LOADING,
            found=rx.fragment(
                member_profile(member, MemberState.story, companies(member.slug)),
                sections.closing(words.CLOSING, look="closing-line"),
            ),
            missing=profile.not_found(words.NOT_FOUND_TITLE, words.NOT_FOUND_TEXT, words.BACK),
        ),
    )
