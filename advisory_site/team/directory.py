"""The team directory: a table of all members by family name, which fields of expertise filter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import reflex as rx

from sitekit.base import paths
from sitekit.base.list_filters import Filter
from sitekit.records.pictures.addresses import Picture
from sitekit.ui.public import filters
from sitekit.ui.public.record_page import FilteredList

from .. import routes
from ..components import profile, sections
from ..components.layout import page
from . import texts
from .fields import MemberCard
from .service import MEMBERS
from .sort_names import sort_name
from .views import view_tabs

# With fewer members there is no index of letters.
INDEXED_FROM = 20


@dataclass(frozen=True)
class ExpertiseLink:
    """A field of expertise, and the address of all who have it."""

    name: str
    href: str


@dataclass(frozen=True)
class DirectoryMember:
    """A member as the directory shows them."""

    slug: str
    name: str
    designation: str
    picture: Picture
    expertise: tuple[ExpertiseLink, ...]


@dataclass(frozen=True)
class DirectoryGroup:
    """The members of one letter; without a title, all of a short list."""

    title: str
    anchor: str
    people: tuple[DirectoryMember, ...]


def grouped(members: Sequence[MemberCard]) -> list[DirectoryGroup]:
    """The members by family name, in one group for each letter; few members in one group without a title."""
    letters: dict[str, list[DirectoryMember]] = {}
    for member in sorted(members, key=lambda member: (sort_name(member.name), member.slug)):
        letter = sort_name(member.name)[:1].upper() if len(members) >= INDEXED_FROM else ""
        letters.setdefault(letter, []).append(_person(member))
    return [
        DirectoryGroup(letter, f"letter-{number}", tuple(letters[letter]))
        for number, letter in enumerate(sorted(letters), 1)
    ]


def _person(member: MemberCard) -> DirectoryMember:
    expertise = tuple(ExpertiseLink(field, routes.members_with(field)) for field in dict.fromkeys(member.expertise))
    return DirectoryMember(member.slug, member.name, member.designation, member.picture, expertise)


class DirectoryState(FilteredList, rx.State):
    """The state of the directory: the active members, of one field of expertise if the address names it."""

    groups: list[DirectoryGroup] = []
    has_index: bool = False

    record_type: ClassVar = MEMBERS
    seo: ClassVar = texts.DIRECTORY_SEO
    path: ClassVar = routes.TEAM_PROFILES
    filtered_by: ClassVar = (Filter("field", texts.EXPERTISE_TITLE, lambda member: member.expertise),)

    def _show(self, selected: list[MemberCard], _cards: list[MemberCard]) -> None:
        self.filters = []  # the table has the links
        self.groups = grouped(selected)
        self.has_index = any(group.title for group in self.groups)
        self.list_title = (
            f"{texts.number_of(len(selected))}{f': {self.chosen}' if self.chosen else texts.BY_FAMILY_NAME}"
        )


def team_profiles_page() -> rx.Component:
    """The directory page."""
    state = DirectoryState
    return page(
        routes.TEAM_PROFILES,
        sections.page_head(texts.DIRECTORY, view_tabs(routes.TEAM_PROFILES)),
        sections.section(
            rx.cond(
                state.is_loading,
                profile.loading(texts.LOADING),
                rx.cond(
                    profile.has_items(state.groups),
                    rx.fragment(filters.list_head(state), rx.cond(state.has_index, _index()), _table()),
                    profile.empty(state, texts.EMPTY_TITLE, texts.EMPTY_TEXT),
                ),
            ),
            tone="section-follow",
            id=paths.LIST,
        ),
    )


def _index() -> rx.Component:
    jump = lambda group: profile.linked_tag(group.title, "#" + group.anchor)  # noqa: E731
    return rx.el.nav(
        rx.el.ul(rx.foreach(DirectoryState.groups, jump), class_name="tags"),
        aria_label=texts.DIRECTORY_INDEX_LABEL,
    )


def _table() -> rx.Component:
    """On a narrow screen each row is a list. The ARIA roles keep the semantics that CSS `display` removes there."""
    columns = (texts.NAME_LABEL, texts.ROLE_LABEL, texts.EXPERTISE_TITLE)
    return rx.el.table(
        rx.el.thead(
            rx.el.tr(*(rx.el.th(column, scope="col", role="columnheader") for column in columns), role="row"),
            role="rowgroup",
        ),
        rx.foreach(DirectoryState.groups, _group),
        class_name="table directory",
        role="table",
        aria_label=DirectoryState.list_title,
    )


def _group(group: DirectoryGroup) -> rx.Component:
    title = rx.el.tr(
        rx.el.th(group.title, scope="rowgroup", col_span=3, role="rowheader"), role="row", class_name="directory-letter"
    )
    return rx.el.tbody(
        rx.cond(group.title != "", title), rx.foreach(group.people, _row), role="rowgroup", id=group.anchor
    )


def _row(person: DirectoryMember) -> rx.Component:
    """One member: portrait and name, role, and the fields of expertise, each of which leads to all who have it."""
    face = profile.face(person.picture, size=(56, 70), places=(("", "3rem"),))
    name = rx.el.a(person.name, href=routes.team_profile_page(person.slug))
    return rx.el.tr(
        rx.el.th(rx.el.div(face, name, class_name="directory-name"), scope="row", role="rowheader"),
        rx.el.td(person.designation, role="cell", custom_attrs={"data-label": texts.ROLE_LABEL}),
        rx.el.td(
            rx.el.ul(rx.foreach(person.expertise, _field)),
            role="cell",
            custom_attrs={"data-label": rx.cond(profile.has_items(person.expertise), texts.EXPERTISE_TITLE, "")},
        ),
        role="row",
    )


def _field(field: ExpertiseLink) -> rx.Component:
    return rx.el.li(
        rx.cond(field.name == DirectoryState.chosen, field.name, rx.el.a(field.name, href=field.href)),
    )
