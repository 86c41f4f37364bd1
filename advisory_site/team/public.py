"""The public team pages: the team, and one member's profile."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import reflex as rx

from ..core import routes
from ..core.typography import typeset_record
from ..db.database import read_session
from ..framework.event_marks import public_event
from ..ui.public import profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import PublicPage, RecordPage
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


class MemberState(RecordPage, rx.State):
    """The state of a member's profile."""

    member: MemberPage = MemberPage()
    story: list[str] = []

    kind: ClassVar = MEMBERS
    seo: ClassVar = words.PROFILE_SEO
    not_found_title: ClassVar = words.NOT_FOUND_TITLE

    def _find(self, slug: str) -> MemberPage:
        with read_session() as session:
            return typeset_record(MEMBERS.get_public(session, slug))

    def _show(self, found: MemberPage | None) -> None:
        self.member = found or MemberPage()
        self.story = profile.paragraphs_of(self.member.detailed_bio)
        self._title = ", ".join(filter(None, (self.member.name, self.member.designation)))
        self._summary = self.member.bio


def read_members() -> list[MemberCard]:
    """Read the active members, in display order."""
    with read_session() as session:
        members = typeset_record(MEMBERS.list_public(session))
    return [replace(member, bio=profile.whole_sentences(member.bio)) for member in members]


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
                nothing=profile.empty(TeamState, words.EMPTY_TITLE, words.EMPTY_TEXT),
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
            missing=profile.not_found(MemberState, words.NOT_FOUND_TITLE, words.NOT_FOUND_TEXT, words.BACK),
        ),
    )
