"""The states of `/admin/two-step`: the user's second factors, and the setup of an authenticator app.

The services want a recent proof for every change but a name, because another person may be using the session.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts import codes, factor_policy, factors, recovery_codes
from ..accounts.auth_events import AuthEvent, announce
from ..accounts.drafts import CodeDraft, FactorNameDraft
from ..accounts.factors import AppSetup
from ..accounts.guard import setup_event
from ..accounts.recovery_codes_state import RecoveryCodesState
from ..accounts.session_state import auth_of
from ..accounts.sessions import Identity
from ..backoffice.db_calls import read, write
from ..content import messages
from ..core.permissions import Actor
from ..core.text import iso_text
from ..framework.event_marks import EventReply, public_event
from ..ui.backoffice.submit import once
from ..ui.feedback import error_notice, subject_of, success_notice
from .short_form import ShortForm


@dataclass(frozen=True)
class FactorRow:
    """A second factor as the page lists it; times are ISO texts in UTC, empty for never."""

    id: int = 0
    kind: str = ""
    name: str = ""
    added: str = ""
    used: str = ""
    is_readable: bool = True


class TwoStepState(rx.State):
    """The user's second factors."""

    factors: list[FactorRow] = []
    codes_left: int = 0
    is_required: bool = False
    has_failed: bool = False
    is_loading: bool = True

    @setup_event
    async def open(self, *, actor: Actor) -> EventReply:
        """Read the user's factors; recovery codes that were shown are gone. This is a page's `on_load`."""
        (await self.get_state(RecoveryCodesState))._open_page()
        try:
            await self._load(actor)
        except Exception as error:
            self.factors, self.codes_left, self.has_failed, self.is_loading = [], 0, True, False
            return error_notice(error, messages.FACTORS_FETCH_FAILED, subject_of(self))
        return None

    @setup_event
    async def remove(self, factor: int, *, actor: Actor) -> EventReply:
        """Remove a factor."""
        name = next((one.name for one in self.factors if one.id == factor), "")
        try:
            identity = await (await auth_of(self))._identity()
            await write(lambda session: factors.remove(session, identity, factor))
            await self._load(actor)
        except Exception as error:
            return error_notice(error, messages.FACTOR_FAILED, subject_of(self))
        return success_notice(messages.FACTOR_REMOVED.format(name=name), subject_of(self))

    @setup_event
    async def make_codes(self, *, actor: Actor) -> EventReply:
        """Show new recovery codes in place of the earlier ones."""
        try:
            identity = await (await auth_of(self))._identity()
            made = await write(lambda session: factors.make_recovery_codes(session, identity))
            (await self.get_state(RecoveryCodesState))._show(made)
            await self._load(actor)
        except Exception as error:
            return error_notice(error, messages.FACTOR_FAILED, subject_of(self))
        return success_notice(messages.RECOVERY_CODES_MADE, subject_of(self))

    async def _load(self, actor: Actor) -> None:
        held, self.codes_left = await read(lambda session: _read(session, actor.user_id))
        self.factors = [
            FactorRow(
                one.id,
                one.kind,
                one.name,
                iso_text(one.created_at),
                iso_text(one.last_used_at) if one.last_used_at else "",
                one.is_readable,
            )
            for one in held
        ]
        self.is_required = factor_policy.is_required(actor.role)
        self.has_failed, self.is_loading = False, False


def _read(session: Session, user_id: int) -> tuple[list[factors.Factor], int]:
    return factors.list_factors(session, user_id), recovery_codes.count_left(session, user_id)


class FactorForm(ShortForm, rx.State, mixin=True):
    """A short form that changes the user's factors; set `draft`, and define `_submit`."""

    async def _submit(self, draft: Any, actor: Actor) -> EventReply:
        """Do what the form asks for; returns the reply."""
        raise NotImplementedError

    @setup_event
    @once
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> AsyncIterator[EventReply]:
        """Submit the form; after an error, all typed texts stay."""
        yield None
        try:
            reply = await self._submit(self.draft.read(form_data), actor)
        except Exception as error:
            yield self._refuse(error, messages.FACTOR_FAILED)
        else:
            yield reply

    async def _identity(self) -> Identity:
        return await (await auth_of(self))._identity()

    async def _list(self) -> TwoStepState:
        return await self.get_state(TwoStepState)

    async def _show_added(self, made: tuple[str, ...], actor: Actor) -> None:
        """Show a factor that was added, and the recovery codes that were made with the first one."""
        await self._identity()
        announce(AuthEvent.MFA_VERIFIED, actor.user_id)
        if made:
            (await self.get_state(RecoveryCodesState))._show(made)
        await (await self._list())._load(actor)


class ConfirmAppState(FactorForm, rx.State):
    """The setup of an app: its secret, and the form for its first code."""

    draft: ClassVar = CodeDraft
    name: str = ""
    secret: str = ""
    address: str = ""
    qr_path: str = ""
    qr_size: int = 0
    times_shown: int = 0
    _factor: int = 0

    @public_event
    def open(self) -> None:
        """Discard a setup of an earlier visit; the page's `on_load`."""
        self._close()

    @setup_event
    def cancel(self, *, actor: Actor) -> None:
        """Discard the setup; the app is not added."""
        self._close()

    async def _submit(self, draft: CodeDraft, actor: Actor) -> EventReply:
        """Let the app count, if the code is right; show recovery codes if it is the first factor."""
        identity = await self._identity()
        factor, name = self._factor, self.name
        made = await write(lambda session: factors.confirm_app(session, identity, factor, draft.code))
        await self._show_added(made, actor)
        self._close()
        return success_notice(messages.FACTOR_ADDED.format(name=name), subject_of(self))

    def _show(self, setup: AppSetup, name: str) -> None:
        self._close()
        self._factor, self.name, self.address = setup.factor_id, name, setup.address
        self.secret = codes.in_groups(setup.secret)
        self.qr_path, self.qr_size = codes.qr_path(setup.address)
        self.times_shown += 1

    def _close(self) -> None:
        self._saved()
        self.name = self.secret = self.address = self.qr_path = ""
        self._factor = self.qr_size = 0


class AddAppState(FactorForm, rx.State):
    """The form that begins the setup of an app."""

    draft: ClassVar = FactorNameDraft

    async def _submit(self, draft: FactorNameDraft, actor: Actor) -> None:
        """Show the QR code of a new app."""
        identity = await self._identity()
        setup = await write(lambda session: factors.begin_app(session, identity, draft.name))
        (await self.get_state(ConfirmAppState))._show(setup, draft.name)
        self._saved()
