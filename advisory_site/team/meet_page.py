"""The Meet Our Team page: a card with the faces of the team, and links to it and to the contact page."""

from dataclasses import dataclass

import reflex as rx

from sitekit.records.pictures.addresses import Picture
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.browser import Places
from sitekit.ui.public.links import actions
from sitekit.ui.public.record_page import PublicPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import profile, sections
from ..components.artwork import compass_art
from ..components.layout import page
from . import texts
from .public import read_members
from .views import view_tabs

# More are not recognisable in one row.
MOST_FACES = 12
FACE_WIDTHS: Places = (("(min-width: 64rem)", "9rem"), ("(min-width: 40rem)", "20vw"), ("", "3rem"))


@dataclass(frozen=True)
class Face:
    """A member as the card shows them."""

    slug: str
    name: str
    picture: Picture


class MeetTeamState(PublicPage, rx.State):
    """The state of the page: the first active members."""

    faces: list[Face] = []

    @public_event
    async def load(self) -> None:
        """Read the members again."""
        members = await self._read(read_members, "The faces of the team") or []
        self.faces = [Face(member.slug, member.name, member.picture) for member in members[:MOST_FACES]]


def meet_team_page() -> rx.Component:
    """The page."""
    return page(routes.MEET_OUR_TEAM, sections.page_head(texts.MEET, view_tabs(routes.MEET_OUR_TEAM)), team_card())


def team_card() -> rx.Component:
    """The card with the faces and two links; without members with the compass."""
    has_faces = profile.has_items(MeetTeamState.faces)
    return sections.section(
        rx.el.div(
            rx.cond(has_faces, rx.fragment(), compass_art()),
            rx.el.h2(words_of(texts.MEET_CARD.title), class_name="title-l"),
            rx.el.p(words_of(texts.MEET_CARD.text), class_name="lead"),
            rx.cond(has_faces, rx.el.ul(rx.foreach(MeetTeamState.faces, _face), class_name="faces")),
            profile.mention(MeetTeamState),
            actions(texts.MEET_TEAM_LINK, texts.MEET_CONTACT_LINK),
            class_name="panel panel-roomy",
        ),
        tone="section-follow",
    )


def _face(face: Face) -> rx.Component:
    look = {"loading": "eager", "class_name": "portrait"}
    picture = profile.face(face.picture, size=(400, 500), places=FACE_WIDTHS, **look)
    return rx.el.li(rx.el.a(picture, face.name, href=routes.team_profile_page(face.slug)))
