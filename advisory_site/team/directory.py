"""The team directory: all members by family name and by expertise."""

from dataclasses import dataclass

import reflex as rx

from ..core import routes
from ..core.pictures import Picture
from ..framework.event_marks import public_event
from ..ui.public import profile, sections
from ..ui.public.layout import page
from ..ui.public.page_state import PublicPage
from . import texts as words
from .fields import MemberCard
from .public import read_members
from .sort_names import sort_name
from .views import view_tabs

BY_EXPERTISE = "by-expertise"
# With fewer members there is no index of letters.
INDEXED_FROM = 20


@dataclass(frozen=True)
class Person:
    """A member as the directory shows them."""

    slug: str
    name: str
    designation: str
    picture: Picture
    expertise: tuple[str, ...]


@dataclass(frozen=True)
class DirectoryGroup:
    """The members of one letter or one field of expertise."""

    title: str
    anchor: str
    people: tuple[Person, ...]


def grouped(members: list[MemberCard]) -> tuple[list[DirectoryGroup], list[DirectoryGroup]]:
    """The directory's two orders, both from A to Z: by family name, and by field of expertise.

    With few members, the names are one group without a title instead of one per letter.
    """
    people = sorted(
        (Person(m.slug, m.name, m.designation, m.picture, m.expertise) for m in members),
        key=lambda person: (sort_name(person.name), person.slug),
    )
    letters: dict[str, list[Person]] = {}
    fields: dict[str, list[Person]] = {}
    spellings: dict[str, str] = {}
    for person in people:
        letter = sort_name(person.name)[:1].upper() if len(people) >= INDEXED_FROM else ""
        letters.setdefault(letter, []).append(person)
        for field in dict.fromkeys(spellings.setdefault(item.casefold(), item) for item in person.expertise):
            fields.setdefault(field, []).append(person)
    return _groups("letter", letters), _groups("field", fields)


def _groups(kind: str, by_title: dict[str, list[Person]]) -> list[DirectoryGroup]:
    titles = sorted(by_title, key=str.casefold)
    return [DirectoryGroup(title, f"{kind}-{number}", tuple(by_title[title])) for number, title in enumerate(titles, 1)]


class DirectoryState(PublicPage, rx.State):
    """The state of the directory: the active members in both orders."""

    letters: list[DirectoryGroup] = []
    fields: list[DirectoryGroup] = []
    has_index: bool = False

    @public_event
    async def load(self) -> None:
        """Read the members again."""
        members = await self._read(read_members, "The team directory")
        self.letters, self.fields = grouped(members or [])
        self.has_index = any(group.title for group in self.letters)


def team_profiles_page() -> rx.Component:
    """The directory page."""
    return page(
        routes.TEAM_PROFILES,
        sections.page_head(words.DIRECTORY, view_tabs(routes.TEAM_PROFILES)),
        sections.section(
            rx.cond(
                DirectoryState.is_loading,
                profile.loading(words.LOADING),
                rx.cond(
                    rx.Var.create(DirectoryState.letters).length() > 0,
                    _directory(),
                    profile.empty(DirectoryState, words.EMPTY_TITLE, words.EMPTY_TEXT),
                ),
            ),
            tone="section-follow",
        ),
    )


def _directory() -> rx.Component:
    return rx.fragment(
        rx.el.section(
            rx.el.div(
                rx.el.h2(words.DIRECTORY_BY_NAME, class_name="title-l"),
                rx.cond(DirectoryState.has_index, _index()),
                class_name="section-head",
            ),
            rx.el.div(rx.foreach(DirectoryState.letters, _letter)),
            class_name="beside directory",
        ),
        rx.el.section(
            rx.el.div(rx.el.h2(words.DIRECTORY_BY_EXPERTISE, class_name="title-l"), class_name="section-head"),
            rx.el.ul(rx.foreach(DirectoryState.fields, _field), class_name="tools"),
            class_name="beside directory",
            id=BY_EXPERTISE,
        ),
    )


def _index() -> rx.Component:
    jump = lambda group: rx.el.li(rx.el.a(group.title, href="#" + group.anchor, class_name="tag"))  # noqa: E731
    return rx.el.nav(
        rx.el.ul(
            rx.foreach(DirectoryState.letters, jump),
            rx.el.li(rx.el.a(words.DIRECTORY_BY_EXPERTISE, href=f"#{BY_EXPERTISE}", class_name="tag")),
            class_name="tags",
        ),
        aria_label=words.DIRECTORY_INDEX_LABEL,
    )


def _letter(group: DirectoryGroup) -> rx.Component:
    return rx.el.section(
        rx.cond(group.title != "", rx.el.h3(group.title, class_name="group-title")),
        rx.el.ul(rx.foreach(group.people, _row), class_name="rows"),
        class_name=rx.cond(group.title != "", "group group-titled", "group"),
        id=group.anchor,
    )


def _row(person: Person) -> rx.Component:
    """One member on one line, which links to the profile."""
    face = profile.face(person.picture, size=(56, 70), places=(("", "3.5rem"),))
    return profile.row(face, person.name, person.designation, routes.team_profile_page(person.slug))


def _field(group: DirectoryGroup) -> rx.Component:
    name = lambda person: rx.el.li(rx.el.a(person.name, href=routes.team_profile_page(person.slug)))  # noqa: E731
    return rx.el.li(
        rx.el.h3(group.title, class_name="title-s"), rx.el.ul(rx.foreach(group.people, name)), id=group.anchor
    )
