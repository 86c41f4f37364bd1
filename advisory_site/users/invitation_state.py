"""The states of the page of invitations: the list, and the dialog that invites people."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts import invitations
from ..accounts.guard import admin_event
from ..accounts.invitations import InvitationDraft, Outcome, Result, Status
from ..backoffice.db_calls import write
from ..backoffice.dialog_form import DialogForm
from ..backoffice.list_state import ListReplies, ListState
from ..content import messages
from ..core.permissions import Actor, Role
from ..core.settings import get_settings
from ..core.text import iso_text
from ..framework.event_marks import ChainedEvent, EventReply
from ..records.inputs import RecordForm
from ..records.listing import ListQuery, Page
from ..ui.backoffice.dialog import NEW
from ..ui.backoffice.submit import once
from ..ui.feedback import NoticeState, error_notice, subject_of
from . import invitation_texts as words

INVITE = "invite"
_OPEN = frozenset({Status.OPEN, Status.EXPIRED, Status.HAS_ACCOUNT, Status.SENDER_GONE})
_RESULTS = {
    Result.INVITED: words.INVITED,
    Result.INVITED_AGAIN: words.INVITED_AGAIN,
    Result.HAS_ACCOUNT: words.HAS_ACCOUNT,
}


@dataclass(frozen=True)
class InvitationRow:
    """An invitation as the list shows it; times are ISO texts in UTC."""

    id: int = 0
    email: str = ""
    role: str = ""
    status: str = ""
    is_valid: bool = False
    is_open: bool = False
    by: str = ""
    sent: str = ""
    expires: str = ""


@dataclass(frozen=True)
class OutcomeRow:
    """What became of one entry of the dialog's list."""

    entry: str = ""
    text: str = ""
    is_refused: bool = False


class InviteState(DialogForm, rx.State):
    """The dialog that invites people. What could not be invited stays in its form, to be corrected."""

    outcomes: list[OutcomeRow] = []
    counted: str = ""
    has_refused: bool = False
    has_mail: bool = True

    @admin_event
    async def open(self, *, actor: Actor) -> None:
        """Show an empty form."""
        self._clear()
        self.has_mail = bool(get_settings().smtp_url)
        self.form = RecordForm(texts={"addresses": "", "role": Role.EMPLOYEE.value})
        self.draft_name = f"{actor.user_id}:{INVITE}"
        self.shown = NEW

    @admin_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Invite the people, and show what became of each address."""
        yield None
        try:
            draft = self._read(form_data)
            outcomes = await write(lambda session: invitations.invite(session, actor, draft))
        except Exception as error:
            yield self._refuse(error, messages.INVITE_FAILED)
        else:
            self._show(outcomes, draft.role)
            self._saved()
            yield [NoticeState.withdraw(subject_of(self)), InvitationListState.refresh]

    def _read(self, typed: Mapping[str, Any]) -> InvitationDraft:
        return InvitationDraft.read(typed)

    def _show(self, outcomes: Sequence[Outcome], role: str) -> None:
        self.outcomes = [
            OutcomeRow(
                one.entry.email or one.entry.typed, _RESULTS.get(one.result, one.reason), one.result == Result.REFUSED
            )
            for one in outcomes
        ]
        invited = sum(one.result in (Result.INVITED, Result.INVITED_AGAIN) for one in outcomes)
        self.counted = words.COUNTED.format(invited=invited, all=len(outcomes))
        refused = [one.entry.typed for one in outcomes if one.result == Result.REFUSED]
        self.has_refused = bool(refused)
        self.form = RecordForm(texts={"addresses": "\n".join(refused), "role": role})

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        """Reply while the database is down; typed text stays."""
        if handler == "save":
            return self._refuse(error, messages.INVITE_FAILED)
        return error_notice(error, messages.INVITE_FAILED, subject_of(self)) if handler == "open" else None


class InvitationListState(ListState, rx.State):
    """One page of the invitations, open ones or ended ones."""

    rows: list[InvitationRow] = []

    texts: ClassVar[ListReplies] = ListReplies(
        list_failed=messages.INVITATIONS_FETCH_FAILED,
        deleted=messages.INVITATION_REVOKED,
        delete_failed=messages.INVITATION_REVOKE_FAILED,
    )
    filters: ClassVar[Mapping[str, str]] = MappingProxyType({"filter": words.STATUS})

    @admin_event
    async def refresh(self, *, actor: Actor) -> EventReply:
        """Read the list again, and leave the dialog as it is."""
        return await super()._load(actor)

    @admin_event
    async def send_again(self, invitation: int, *, actor: Actor) -> EventReply:
        """Send an invitation again with a new link."""
        send = partial(invitations.send_again, actor=actor, invitation_id=invitation)
        done, failed = messages.INVITATION_SENT_AGAIN, messages.INVITATION_SEND_FAILED
        return await self._act(actor, invitation, send, done, failed)

    def _find(self, session: Session, actor: Actor, query: ListQuery) -> Page[InvitationRow]:
        page = invitations.list_invitations(session, actor, query)
        return Page(tuple(map(_row, page.rows)), page.total, page.page, page.pages, page.size)

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

    async def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        if handler == "send_again":
            return error_notice(error, messages.INVITATION_SEND_FAILED, subject_of(self))
        return await super()._on_database_down("load" if handler == "refresh" else handler, error)


def _row(row: invitations.InvitationRow) -> InvitationRow:
    return InvitationRow(
        id=row.id,
        email=row.email,
        role=row.role,
        status=words.STATUSES[row.status],
        is_valid=row.status == Status.OPEN,
        is_open=row.status in _OPEN,
        by=row.by_name,
        sent=iso_text(row.sent_at),
        expires=iso_text(row.expires_at),
    )
