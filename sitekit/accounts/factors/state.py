"""The states of `/admin/two-step`: the user's second factors, and the setup of an authenticator app.

The services want a recent reauthentication for every change but a name: another person may be using the session.
"""

from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ...admin.db_calls import read, write
from ...admin.guard import setup_event
from ...admin.staff_form import StaffForm
from ...base import messages
from ...base.identity import Identity
from ...base.permissions import Actor
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import error_notice, subject_of, success_notice
from ...ui.form import once
from ..form_data import CodeData, FactorNameData
from ..sessions.auth_events import AuthEvent, announce
from ..sessions.session_state import auth_of
from . import codes, factors, recovery_codes
from . import policy as factor_policy
from .factors import AppSetup, Factor
from .recovery_codes_state import RecoveryCodesState


class TwoStepState(rx.State):
    """The user's second factors."""

    factors: list[Factor] = []
    codes_left: int = 0
    is_required: bool = False
    has_failed: bool = False
    is_loading: bool = True

    @setup_event(failed=lambda self, error, _subject: self._show_load_error(error), says_outage=True)
    async def open(self, *, actor: Actor) -> None:
        """Read the user's factors; recovery codes that were shown are gone. This is a page's `on_load`."""
        (await self.get_state(RecoveryCodesState))._open_page()
        await self._load(actor)

    @setup_event(failed=messages.FACTOR_FAILED, says_outage=True)
    async def remove(self, factor: int, *, identity: Identity) -> EventReply:
        """Remove a factor."""
        name = next((row.name for row in self.factors if row.id == factor), "")
        await write(lambda session: factors.remove(session, identity, factor))
        await self._load(identity.actor)
        if not self.codes_left:
            (await self.get_state(RecoveryCodesState))._clear()
        return success_notice(messages.FACTOR_REMOVED.format(name=name), subject_of(self))

    @setup_event(failed=messages.FACTOR_FAILED, says_outage=True)
    async def make_codes(self, *, identity: Identity) -> EventReply:
        """Show new recovery codes in place of the earlier ones."""
        made = await write(lambda session: factors.make_recovery_codes(session, identity))
        (await self.get_state(RecoveryCodesState))._show(made)
        await self._load(identity.actor)
        return success_notice(messages.RECOVERY_CODES_MADE, subject_of(self))

    async def _load(self, actor: Actor) -> None:
        self.factors, self.codes_left = await read(lambda session: _read(session, actor.user_id))
        self.is_required = factor_policy.is_required(actor.role)
        self.has_failed, self.is_loading = False, False

    def _show_load_error(self, error: Exception) -> ChainedEvent:
        self.factors, self.codes_left, self.has_failed, self.is_loading = [], 0, True, False
        return error_notice(error, messages.FACTORS_FETCH_FAILED, subject_of(self))


def _read(session: Session, user_id: int) -> tuple[list[Factor], int]:
    return factors.list_factors(session, user_id), recovery_codes.count_left(session, user_id)


class FactorForm(StaffForm, rx.State, mixin=True):
    """A form that changes the user's factors; set `data_class`, and define `_submit`."""

    async def _submit(self, data: Any, identity: Identity) -> EventReply:
        """Do what the form asks for; returns the reply."""
        raise NotImplementedError

    @setup_event
    def cancel(self, *, actor: Actor) -> None:
        """Discard what was begun."""
        self._close()

    @setup_event
    @once(failed=messages.FACTOR_FAILED)
    async def save(self, form_data: dict[str, Any], *, identity: Identity) -> EventReply:
        """Submit the form; after an error, all typed texts stay."""
        return await self._submit(self.data_class.read(form_data), identity)

    def _close(self) -> None:
        self._clear()
        self.revision += 1

    async def _list(self) -> TwoStepState:
        return await self.get_state(TwoStepState)

    async def _show_added(self, made: tuple[str, ...], actor: Actor) -> None:
        """Show a factor that was added, and the recovery codes that were made with the first one."""
        await (await auth_of(self))._identity()
        announce(AuthEvent.MFA_VERIFIED, actor.user_id)
        if made:
            (await self.get_state(RecoveryCodesState))._show(made)
        await (await self._list())._load(actor)


class ConfirmAppState(FactorForm, rx.State):
    """The setup of an app: its secret, and the form for its first code."""

    data_class: ClassVar = CodeData
    name: str = ""
    secret: str = ""
    address: str = ""
    qr_path: str = ""
    qr_size: int = 0
    times_shown: int = 0
    _factor: int = 0

    async def _submit(self, data: CodeData, identity: Identity) -> EventReply:
        """Let the app count, if the code is right; show recovery codes if it is the first factor."""
        factor, name = self._factor, self.name
        made = await write(lambda session: factors.confirm_app(session, identity, factor, data.code))
        await self._show_added(made, identity.actor)
        self._close()
        return success_notice(messages.FACTOR_ADDED.format(name=name), subject_of(self))

    def _show(self, setup: AppSetup, name: str) -> None:
        self._close()
        self._factor, self.name, self.address = setup.factor_id, name, setup.address
        self.secret = codes.in_groups(setup.secret)
        self.qr_path, self.qr_size = codes.qr_path(setup.address)
        self.times_shown += 1


class AddAppState(FactorForm, rx.State):
    """The form that begins the setup of an app."""

    data_class: ClassVar = FactorNameData

    async def _submit(self, data: FactorNameData, identity: Identity) -> None:
        """Show the QR code of a new app."""
        setup = await write(lambda session: factors.begin_app(session, identity, data.name))
        (await self.get_state(ConfirmAppState))._show(setup, data.name)
        self._saved()
