"""The founder with portrait and address, beside the letter that the founder signs."""

import reflex as rx

from sitekit.base.typography import typeset
from sitekit.server.framework.event_marks import public_event
from sitekit.ui.browser import Places
from sitekit.ui.copy import Link
from sitekit.ui.public.links import anchor
from sitekit.ui.public.record_page import PublicPage

from .. import routes
from ..components import profile
from ..components.mentions import Partner
from ..content.firm import FIRM
from .service import MEMBERS

FACE_WIDTHS: Places = (("", "5rem"),)


class FounderState(PublicPage, rx.State):
    """The active member who has the founder's name; empty if there is none."""

    founder: Partner = Partner()

    @public_event
    async def load(self) -> None:
        """Read the member again."""
        self.founder = await self._read(_founder, "The founder") or Partner()


def _founder() -> Partner:
    members = MEMBERS.read(lambda session: MEMBERS.select_public(session, Partner))
    return next((member for member in members if member.name == typeset(FIRM.founder_name)), Partner())


def letter_writer() -> rx.Component:
    """Who writes a letter: the name, title and address, and the portrait if the founder has a profile."""
    founder = FounderState.founder
    has_profile = founder.slug != ""
    name = rx.el.a(FIRM.founder_name, href=routes.team_profile_page(founder.slug))
    return rx.el.div(
        rx.cond(has_profile, profile.face(founder.picture, size=(80, 100), places=FACE_WIDTHS, class_name="portrait")),
        rx.el.div(
            rx.el.p(rx.cond(has_profile, name, FIRM.founder_name), class_name="label"),
            rx.el.p(FIRM.founder_title, class_name="muted"),
            rx.el.p(anchor(Link(FIRM.founder_email, FIRM.founder_email_href))),
        ),
        class_name="letter-writer",
    )
