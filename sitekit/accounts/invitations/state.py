"""The states of the page of invitations: the list, and the dialog that invites people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ...admin.components.dialog import NEW
from ...admin.db_calls import write
from ...admin.guard import admin_event
from ...admin.list_state import ListReplies, ListState
from ...admin.staff_form import KeptForm, StaffForm
from ...base import messages
from ...base.permissions import Actor, Role
from ...base.settings import get_settings
from ...records.listing import ListPage, ListQuery
from ...records.record_form import RecordForm
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import NoticeState, subject_of
from ...ui.form import once
from . import invitations
from . import texts as invitation_texts
from .invitations import InvitationData, InvitationOutcome, InvitationRow, Result

INVITE = "invite"
_RESULTS = {
    Result.INVITED: invitation_texts.INVITED,
    Result.INVITED_AGAIN: invitation_texts.INVITED_AGAIN,
    Result.HAS_ACCOUNT: invitation_texts.HAS_ACCOUNT,
}


@dataclass(frozen=True)
class OutcomeRow:
    """What became of one entry of the dialog's list."""

    entry: str = ""
    text: str = ""
    is_refused: bool = False


class InviteState(KeptForm, StaffForm, rx.State):
    """The dialog that invites people. What could not be invited stays in its form, to be corrected."""

    outcomes: list[OutcomeRow] = []
    counted: str = ""
    has_refused: bool = False
    has_mail: bool = True

    data_class: ClassVar = InvitationData

    @admin_event(failed=messages.INVITE_FAILED)
    async def open(self, *, actor: Actor) -> None:
        """Show an empty form."""
        self._clear()
        self.has_mail = bool(get_settings().smtp_url)
        self.form = RecordForm(texts={"addresses": "", "role": Role.EMPLOYEE.value})
        self.unsaved_name = f"{actor.user_id}:{INVITE}"
        self.shown = NEW

    @admin_event(failed=lambda self, error, _subject: self._refuse(error, messages.INVITE_FAILED))
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Invite the people, and show what became of each address."""
        data = InvitationData.read(form_data)
        outcomes = await write(lambda session: invitations.invite(session, actor, data))
        self._show(outcomes, data.role)
        self._saved()
        return [NoticeState.withdraw(subject_of(self)), InvitationListState.refresh]

    def _show(self, outcomes: Sequence[InvitationOutcome], role: str) -> None:
        self.outcomes = [
            OutcomeRow(
                outcome.entry.email or outcome.entry.typed,
                _RESULTS.get(outcome.result, outcome.reason),
                outcome.result == Result.REFUSED,
            )
            for outcome in outcomes
        ]
        invited = sum(outcome.result in (Result.INVITED, Result.INVITED_AGAIN) for outcome in outcomes)
        self.counted = invitation_texts.COUNTED.format(invited=invited, all=len(outcomes))
        refused = [outcome.entry.typed for outcome in outcomes if outcome.result == Result.REFUSED]
        self.has_refused = bool(refused)
        self.form = RecordForm(texts={"addresses": "\n".join(refused), "role": role})


class InvitationListState(ListState, rx.State):
    """One page of the invitations, open ones or ended ones."""

    rows: list[InvitationRow] = []

    texts: ClassVar[ListReplies] = ListReplies(
        list_failed=messages.INVITATIONS_FETCH_FAILED,
        deleted=messages.INVITATION_REVOKED,
        delete_failed=messages.INVITATION_REVOKE_FAILED,
    )
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": invitation_texts.STATUS})

    @admin_event(failed=lambda self, error, _subject: self._show_load_error(error))
    async def refresh(self, *, actor: Actor) -> EventReply:
        """Read the list again, and leave the dialog as it is."""
        return await super()._load(actor)

    @admin_event(failed=messages.INVITATION_SEND_FAILED, row="invitation", reloads=True)
    async def send_again(self, invitation: int, *, actor: Actor) -> EventReply:
        """Send an invitation again with a new link."""
        send = partial(invitations.send_again, actor=actor, invitation_id=invitation)
        return await self._act(actor, invitation, send, messages.INVITATION_SENT_AGAIN)

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[InvitationRow]:
        return invitations.list_invitations(session, actor, query)

    def _delete(self, session: Session, actor: Actor, record_id: int) -> None:
        invitations.revoke(session, actor, record_id)

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        """Read the list, and open the dialog if the address says so; else clear it."""
        events = await super()._load(actor)
        dialog = await self.get_state(InviteState)
        if self.router.url.query_parameters.get(INVITE):
            return [*events, *([] if dialog.shown else [InviteState.open])]
        dialog._clear()
        return events
