"""The states of adding a passkey and of renaming a factor, on `/admin/two-step`."""

from typing import ClassVar

import reflex as rx

from ..accounts import factors, passkeys
from ..accounts.device_names import device_name
from ..accounts.drafts import FactorNameDraft
from ..accounts.guard import setup_event
from ..accounts.passkey_state import in_thread, make_offer
from ..accounts.relying_party import problem_of
from ..backoffice.db_calls import write
from ..content import messages
from ..core.errors import NotFound
from ..core.permissions import Action, Actor, require
from ..core.settings import get_settings
from ..framework.event_marks import EventReply, public_event
from ..ui.backoffice.passkeys import PasskeyOffer
from ..ui.feedback import error_notice, subject_of, success_notice
from .two_step_state import FactorForm


class AddPasskeyState(FactorForm, rx.State):
    """The form that names a new passkey, and then the button that creates it; `answers` counts the refused ones."""

    draft: ClassVar = FactorNameDraft
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

    @setup_event
    def cancel(self, *, actor: Actor) -> None:
        """Go back to the form."""
        self._close()

    async def _submit(self, draft: FactorNameDraft, actor: Actor) -> None:
        """Show the button that creates the passkey."""
        # At once, because the proof would come after the browser's dialog otherwise.
        require(actor, Action.CHANGE_SIGN_IN)
        self._close()
        self.name = draft.name
        self.times_shown += 1

    @setup_event
    async def begin(self, request: str, *, actor: Actor) -> None:
        """Make the options for the request with this id, once the form is filled in."""
        if self.name:
            self.offer = await make_offer(request, passkeys.begin_registration, await self._identity())

    @setup_event
    async def finish(self, response: str, *, actor: Actor) -> EventReply:
        """Add the passkey that the browser has created; show recovery codes if it is the first factor."""
        name, identity = self.name, await self._identity()
        try:
            if not name:
                raise NotFound(messages.FACTOR_SETUP_OVER)
            made = await in_thread(passkeys.register, identity, response, name)
            await self._show_added(made, actor)
        except Exception as error:
            self.answers += 1
            return error_notice(error, messages.FACTOR_FAILED, subject_of(self))
        self._close()
        return success_notice(messages.FACTOR_ADDED.format(name=name), subject_of(self))

    def _close(self) -> None:
        self._saved()
        self._clear()

    def _clear(self) -> None:
        self.errors, self.checks = {}, {}
        self.name, self.offer = "", PasskeyOffer()


class RenameFactorState(FactorForm, rx.State):
    """The form that renames a factor, after `ask` has chosen it."""

    draft: ClassVar = FactorNameDraft
    factor: int = 0
    name: str = ""
    times_asked: int = 0

    @public_event
    def open(self) -> None:
        """Choose none; the page's `on_load`."""
        self._close()

    @setup_event
    async def ask(self, factor: int, *, actor: Actor) -> None:
        """Show the form for one factor."""
        self._close()
        self.name = next((one.name for one in (await self._list()).factors if one.id == factor), "")
        self.factor = factor
        self.times_asked += 1

    @setup_event
    def cancel(self, *, actor: Actor) -> None:
        """Hide the form."""
        self._close()

    async def _submit(self, draft: FactorNameDraft, actor: Actor) -> EventReply:
        """Rename the factor."""
        identity, factor = await self._identity(), self.factor
        await write(lambda session: factors.rename(session, identity, factor, draft.name))
        await (await self._list())._load(actor)
        self._close()
        return success_notice(messages.FACTOR_RENAMED.format(name=draft.name), subject_of(self))

    def _close(self) -> None:
        self._saved()
        self.factor, self.name = 0, ""
