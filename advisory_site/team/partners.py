"""The partners as a short row of faces, for pages that mention them."""

import re
from dataclasses import dataclass
from typing import Any

import reflex as rx

from sitekit.base.text import fold
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.browser import Places
from sitekit.ui.public.record_page import PublicPage
from sitekit.ui.public.words import words_of

from .. import routes
from ..components import profile
from ..components.mentions import Partner
from . import texts
from .service import MEMBERS

FACE_WIDTHS: Places = (("", "4rem"),)
# More than fit into one row of a phone.
MOST = 3
# By the designation, so that no other member is called a partner.
_PARTNER = re.compile(r"\bpartner\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Member(Partner):
    expertise: tuple[str, ...] = ()

    def is_partner(self, field: str) -> bool:
        fields = map(fold, self.expertise)
        return _PARTNER.search(self.designation) is not None and (not field or fold(field) in fields)


def read_partners(field: str = "") -> list[Partner]:
    """The active members whose designation says partner, in display order; only those with a field of expertise."""
    members = MEMBERS.read(lambda session: MEMBERS.select_public(session, _Member))
    partners = [member for member in members if member.is_partner(field)]
    return [Partner(member.slug, member.name, member.designation, member.picture) for member in partners]


def first_partner(field: str) -> Partner:
    """The first partner with a field of expertise; empty if there is none."""
    return next(iter(read_partners(field)), Partner())


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
            rx.el.p(words_of(texts.READERS_LABEL), class_name="hint"),
            rx.el.ul(rx.foreach(PartnersState.partners, _partner), class_name="readers"),
        ),
    )


def who_replies() -> Any:
    """One of the partners in the row, as the beginning of a sentence."""
    one_of = [(number, texts.ONE_OF.format(number=word)) for number, word in ((2, "two"), (3, "three"))]
    return rx.match(rx.Var.create(PartnersState.partners).length(), *one_of, texts.A_PARTNER)


def _partner(partner: Partner) -> rx.Component:
    face = profile.face(partner.picture, size=(64, 64), places=FACE_WIDTHS, loading="lazy")
    return rx.el.li(rx.el.a(face, partner.name, href=routes.team_profile_page(partner.slug)))
