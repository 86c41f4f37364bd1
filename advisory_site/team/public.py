"""The public team pages: the team, and one member's profile."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import reflex as rx

from sitekit.server.framework.event_marks import public_event
from sitekit.ui.public.record_page import PublicPage, RecordPage

from .. import routes
from ..components import profile, sections
from ..components.layout import page
from . import texts
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

    record_type: ClassVar = MEMBERS
    seo: ClassVar = texts.PROFILE_SEO
    not_found_title: ClassVar = texts.NOT_FOUND_TITLE

    def _show(self, record: MemberPage | None) -> None:
        self.member = record or MemberPage()
        self.story = profile.paragraphs_of(self.member.detailed_bio)
        self._title = ", ".join(filter(None, (self.member.name, self.member.designation)))
        self._summary = self.member.bio


def read_members() -> list[MemberCard]:
    """Read the active members, in display order."""
    members = MEMBERS.read(MEMBERS.list_public)
    return [replace(member, bio=profile.whole_sentences(member.bio)) for member in members]


def team_page() -> rx.Component:
    """The list page: the team with portraits, numbers and values."""
    return page(
        routes.TEAM,
        sections.page_head(texts.HERO, view_tabs(routes.TEAM)),
        sections.section(
            rx.el.h2(texts.LIST_TITLE, class_name="visually-hidden"),
            profile.listing(
                TeamState,
                TeamState.members,
                member_card,
                wait=texts.LOADING,
                nothing=profile.empty(TeamState, texts.EMPTY_TITLE, texts.EMPTY_TEXT),
                last=[profile.last_card(texts.DIRECTORY_QUESTION, texts.DIRECTORY_LINK)],
                class_name="card-grid card-grid-people",
            ),
            tone="section-follow",
        ),
        sections.stat_band(texts.STATS_TITLE, texts.STATS),
        sections.points(texts.VALUES, texts.VALUE_CARDS),
        sections.closing(texts.CLOSING, look="closing-split section-sunken"),
    )


def team_profile_page(*parts: Callable[[str], rx.Component]) -> rx.Component:
    """The page of one member; `parts` show the companies and the articles of the member with a slug."""
    member = MemberState.member
    return page(
        routes.TEAM,
        profile.profile_page(
            MemberState,
            texts.BACK,
            texts.LOADING,
            content=rx.fragment(
                member_profile(member, MemberState.story, *(part(member.slug) for part in parts)),
                sections.closing(texts.CLOSING, look="closing-line"),
            ),
            missing=profile.not_found(MemberState, texts.NOT_FOUND_TITLE, texts.NOT_FOUND_TEXT, texts.BACK),
        ),
    )
