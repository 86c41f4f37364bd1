"""The states of adding a passkey and of renaming a factor, on `/admin/two-step`."""

from typing import ClassVar

import reflex as rx

from ...admin.components.passkey_button import PasskeyOffer
from ...admin.db_calls import write
from ...admin.guard import setup_event
from ...base import messages
from ...base.errors import NotFound
from ...base.identity import Identity
from ...base.permissions import Action, Actor, require
from ...base.settings import get_settings
from ...server.framework.event_marks import ChainedEvent, EventReply, public_event
from ...ui.feedback import error_notice, subject_of, success_notice
from ..form_data import FactorNameData
from ..sessions.device_names import device_name
from . import factors, passkeys
from .passkey_sign_in import in_thread, make_offer
from .relying_party import problem_of
from .state import FactorForm


class AddPasskeyState(FactorForm, rx.State):
    """The form that names a new passkey, and then the button that creates it; `answers` counts the refused ones."""

    data_class: ClassVar = FactorNameData
    offer: PasskeyOffer = PasskeyOffer()
    answers: int = 0
    name: str = ""
    suggested: str = ""
    is_available: bool = True
    times_shown: int = 0

    @public_event
    def open(self) -> None:
        """Show an empty form; the page's `on_load`."""
        self._clear()
        self.suggested = device_name(str(self.router.headers.user_agent))
        self.is_available = not problem_of(get_settings())

    async def _submit(self, data: FactorNameData, identity: Identity) -> None:
        """Show the button that creates the passkey."""
        # At once, because the reauthentication would come after the browser's dialog otherwise.
        require(identity.actor, Action.CHANGE_SIGN_IN)
        self._close()
        self.name = data.name
        self.times_shown += 1

    @setup_event
    async def begin(self, request: str, *, identity: Identity) -> None:
        """Make the options for the request with this id, once the form is filled in."""
        if self.name:
            self.offer = await make_offer(request, passkeys.begin_registration, identity)

    @setup_event(failed=lambda self, error, _subject: self._refuse_response(error), says_outage=True)
    async def finish(self, response: str, *, identity: Identity) -> EventReply:
        """Add the passkey that the browser has created; show recovery codes if it is the first factor."""
        name = self.name
        if not name:
            raise NotFound(messages.FACTOR_SETUP_OVER)
        made = await in_thread(passkeys.register, identity, response, name)
        await self._show_added(made, identity.actor)
        self._close()
        return success_notice(messages.FACTOR_ADDED.format(name=name), subject_of(self))

    def _refuse_response(self, error: Exception) -> ChainedEvent:
        self.answers += 1
        return error_notice(error, messages.FACTOR_FAILED, subject_of(self))

    def _close(self) -> None:
        self._saved()
        self.name, self.offer = "", PasskeyOffer()


class RenameFactorState(FactorForm, rx.State):
    """The form that renames a factor, after `ask` has chosen it."""

    data_class: ClassVar = FactorNameData
    factor: int = 0
    name: str = ""
    times_asked: int = 0

    @setup_event
    async def ask(self, factor: int, *, actor: Actor) -> None:
        """Show the form for one factor."""
        self._close()
        self.name = next((row.name for row in (await self._list()).factors if row.id == factor), "")
        self.factor = factor
        self.times_asked += 1

    async def _submit(self, data: FactorNameData, identity: Identity) -> EventReply:
        """Rename the factor."""
        factor = self.factor
        await write(lambda session: factors.rename(session, identity, factor, data.name))
        await (await self._list())._load(identity.actor)
        self._close()
        return success_notice(messages.FACTOR_RENAMED.format(name=data.name), subject_of(self))
