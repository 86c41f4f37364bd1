"""The states of signing in with a passkey: alone, and as the second step after the password."""

from collections.abc import Callable
from typing import Any, TypeVar

import reflex as rx

from ...admin.components.passkey_button import PasskeyOffer
from ...base import messages
from ...base.errors import ServiceError
from ...base.threads import WRITERS
from ...server.framework.event_marks import EventReply, public_event
from ...ui.feedback import error_notice, success_notice
from ..account_errors import ChallengeOver, PasskeyRefused, database_errors_as_unavailable
from ..sessions.auth_events import AuthEvent, announce
from ..sessions.auth_state import SUBJECT, AuthPageState, BrowserState, ChallengeState, next_page
from ..sessions.session_state import auth_of, device_of
from . import passkeys
from .passkeys import Options

T = TypeVar("T")

MAX_ID = 40


class PasskeySignInState(rx.State):
    """Signs in with a passkey alone; `answers` counts the refused ones."""

    offer: PasskeyOffer = PasskeyOffer()
    answers: int = 0

    @public_event
    async def begin(self, request: str) -> None:
        """Make the options for the request with this id, which the browser has chosen."""
        page = await self.get_state(AuthPageState)
        self.offer = await make_offer(request, passkeys.begin_sign_in, page._address(), page._tab())

    @public_event
    async def finish(self, response: str) -> EventReply:
        """Begin a session, and redirect to the page that was asked for."""
        page = await self.get_state(AuthPageState)
        browser = await self.get_state(BrowserState)
        try:
            issued = await in_thread(
                passkeys.sign_in, response, page._address(), page._tab(), device_of(self), browser.known
            )
            identity = await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
            await browser._remember(identity.user.email)
        except Exception as error:
            self.answers += 1
            return error_notice(error, messages.SIGN_IN_FAILED, SUBJECT)
        announce(AuthEvent.MFA_VERIFIED, identity.user.id)
        return [success_notice(messages.SIGNED_IN, SUBJECT, is_brief=True), rx.redirect(next_page(self), replace=True)]


class PasskeyStepState(rx.State):
    """Answers the challenge after the password with a passkey; `answers` counts the refused ones."""

    offer: PasskeyOffer = PasskeyOffer()
    answers: int = 0

    @public_event
    async def begin(self, request: str) -> None:
        """Make the options for the request with this id, which the browser has chosen."""
        challenge = await self.get_state(ChallengeState)
        self.offer = await make_offer(request, passkeys.begin_second_step, challenge._challenge, challenge._tab())

    @public_event
    async def finish(self, response: str) -> EventReply:
        """Begin the session, and redirect to the page that was asked for."""
        challenge = await self.get_state(ChallengeState)
        browser_tokens = (await self.get_state(BrowserState)).known
        try:
            issued = await in_thread(
                passkeys.second_step, challenge._challenge, challenge._tab(), response, device_of(self), browser_tokens
            )
            return await challenge._finish(issued)
        except Exception as error:
            self.answers += 1
            if isinstance(error, ChallengeOver):
                challenge._clear()
            return error_notice(error, messages.SIGN_IN_FAILED, SUBJECT)


async def make_offer(request: str, make: Callable[..., Options], *args: Any) -> PasskeyOffer:
    """The options for a request, or why there are none; neither where this site can have no passkeys."""
    request = request[:MAX_ID]
    try:
        return PasskeyOffer(request, await in_thread(make, *args))
    except PasskeyRefused:
        return PasskeyOffer(request)
    except ServiceError as error:
        return PasskeyOffer(request, error=error.message)


async def in_thread(call: Callable[..., T], *args: Any) -> T:
    """Run a call that opens its own transactions in a thread. Raises `Unavailable` if the queue is too long."""
    with database_errors_as_unavailable():
        return await WRITERS.run(call, *args)
