"""The partners as a short row of faces, for pages that speak of them."""

import re
from dataclasses import dataclass

import reflex as rx

from ..core import routes
from ..core.pictures import Picture, picture_at
from ..core.typography import typeset_record
from ..db.database import read_session
from ..framework.event_marks import public_event
from ..records.selection import computed
from ..ui.browser import Places, shown_picture
from ..ui.public import profile
from ..ui.public.page_state import PublicPage
from . import texts as words
from .service import MEMBERS

FACE_WIDTHS: Places = (("", "4rem"),)
# More than fit into one row of a phone.
MOST = 3
# By the designation, so that the page calls nobody a partner who is none.
_PARTNER = re.compile(r"\bpartner\b", re.IGNORECASE)


@dataclass(frozen=True)
class Partner:
    """A partner as pages other than their own show them."""

    slug: str = ""
    name: str = ""
    designation: str = ""
    picture: Picture = computed(picture_at, "image_url", default=Picture())
    expertise: tuple[str, ...] = ()


def read_partners() -> list[Partner]:
    """The active members whose designation says partner, in display order."""
    with read_session() as session:
        members = typeset_record(MEMBERS.select_public(session, Partner))
    return [member for member in members if _PARTNER.search(member.designation)]


class PartnersState(PublicPage, rx.State):
    """The state of the row: the first active members who are partners."""

    partners: list[Partner] = []

    @public_event
    async def load(self) -> None:
        """Read the partners again; if that fails, those shown stay."""
        partners = await self._read(read_partners, "The partners")
        if partners is not None:
            self.partners = partners[:MOST]


def partner_row() -> rx.Component:
    """Who reads the messages; nothing if there are no partners."""
    return rx.cond(
        profile.has_items(PartnersState.partners),
        rx.el.div(
            rx.el.p(words.READERS_LABEL, class_name="hint"),
            rx.el.ul(rx.foreach(PartnersState.partners, _partner), class_name="readers"),
        ),
    )


def _partner(partner: Partner) -> rx.Component:
    picture = shown_picture(
        partner.picture,
        fallback=routes.PLACEHOLDER_PERSON,
        alt="",
        size=(64, 64),
        places=FACE_WIDTHS,
        loading="eager",
    )
    return rx.el.li(rx.el.a(picture, partner.name, href=routes.team_profile_page(partner.slug)))
