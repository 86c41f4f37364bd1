"""Access marks for event handlers of staff, the middleware that refuses unmarked ones, and the page gate.

A marked handler receives `*, actor: Actor`, read from the database at this very call:

    @staff_event
    async def save(self, form_data: dict, *, actor: Actor): ...

With `*, identity: Identity` instead, it receives the session too, whose actor is `identity.actor`.

What it replies to a failure can be declared beside the mark, and then also holds while the database is down:

    @staff_event(failed="Failed to restore", row="row_id", reloads=True)
    async def restore(self, row_id: int, *, actor: Actor): ...
"""

import functools
import inspect
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, get_origin, get_type_hints, overload

import reflex as rx
from reflex.event import Event, EventCallback
from reflex.state import BaseState, StateUpdate

from ..base import messages, paths
from ..base.errors import Forbidden, NotSignedIn, ServiceError, Unavailable
from ..base.identity import Identity
from ..base.observability import audit_log
from ..base.permissions import ADMINS, STAFF, Actor, Role
from ..base.text import MAX_INTEGER
from ..server.framework.event_marks import ACCESS, EventReply, Handling, access_of
from ..server.framework.events import handler_of, serves_pages
from ..server.framework.state_vars import is_browser_storage
from ..ui.feedback import error_notice, reason, subject_of
from ..ui.form import release_form
from ..ui.reauthentication_request import current_event
from .components import controls
from .components.backoffice import backoffice
from .current_user import CurrentUser
from .user_accounts import user_accounts

logger = logging.getLogger(__name__)

STAFF_ACCESS = "staff"
ADMIN_ACCESS = "admin"
_INTEGER = re.compile(r"-?[0-9]{1,10}")

# A sentence, or a function of the state, the error and the notice's subject, which returns the reply.
Failure = str | Callable[[Any, Exception, str], Any]

First = TypeVar("First", contravariant=True)
Second = TypeVar("Second", contravariant=True)
Third = TypeVar("Third", contravariant=True)


class TakesNothing(Protocol):
    """A handler whose event has no arguments."""

    def __call__(self, state: Any, /, *, actor: Actor) -> Handling: ...


class TakesOne(Protocol[First]):
    """A handler whose event has one argument."""

    def __call__(self, state: Any, first: First, /, *, actor: Actor) -> Handling: ...


class TakesTwo(Protocol[First, Second]):
    """A handler whose event has two arguments."""

    def __call__(self, state: Any, first: First, second: Second, /, *, actor: Actor) -> Handling: ...


class TakesThree(Protocol[First, Second, Third]):
    """A handler whose event has three arguments."""

    def __call__(self, state: Any, first: First, second: Second, third: Third, /, *, actor: Actor) -> Handling: ...


class TakesNothingButIdentity(Protocol):
    """A handler without arguments that needs the session of its sender."""

    def __call__(self, state: Any, /, *, identity: Identity) -> Handling: ...


class TakesOneAndIdentity(Protocol[First]):
    """A handler with one argument that needs the session of its sender."""

    def __call__(self, state: Any, first: First, /, *, identity: Identity) -> Handling: ...


@dataclass(frozen=True)
class GuardMark:
    """A decorator for handlers that require one of certain roles.

    `failed` is the reply to any error; its notice is about the row that the argument `row` names. With `reloads` the
    state's `_load` follows, because what is shown may be out of date. With `says_outage` an outage that keeps the
    handler from running has its own sentence.
    """

    access: str
    roles: frozenset[Role]
    is_for_setup: bool = False
    failed: Failure | None = None
    row: str = ""
    reloads: bool = False
    says_outage: bool = False

    @overload
    def __call__(
        self, *, failed: Failure, row: str = "", reloads: bool = False, says_outage: bool = False
    ) -> "GuardMark": ...
    @overload
    def __call__(self, handler: TakesThree[First, Second, Third]) -> EventCallback[First, Second, Third]: ...
    @overload
    def __call__(self, handler: TakesTwo[First, Second]) -> EventCallback[First, Second]: ...
    @overload
    def __call__(self, handler: TakesOne[First]) -> EventCallback[First]: ...
    @overload
    def __call__(self, handler: TakesOneAndIdentity[First]) -> EventCallback[First]: ...
    @overload
    def __call__(self, handler: TakesNothing | TakesNothingButIdentity) -> EventCallback[()]: ...
    def __call__(self, handler: Callable[..., Handling] | None = None, **options: Any) -> Any:
        """Wrap a handler in the check of its sender."""
        return _guarded(handler, self) if handler else replace(self, **options)

    async def reply_to(self, error: Exception, state: Any, payload: Mapping[str, Any]) -> list[Any]:
        """The replies to a failed event."""
        subject = subject_of(state, payload.get(self.row, ""))
        if isinstance(self.failed, str):
            return [error_notice(error, self.failed, subject)]
        assert self.failed is not None
        reply = self.failed(state, error, subject)
        reply = await reply if isinstance(reply, Awaitable) else reply
        replies = reply if isinstance(reply, list) else [reply]
        return [reply for reply in replies if reply is not None]


def log_only(_state: Any, error: Exception, _subject: str) -> None:
    """The `failed` of an event that nobody asked for, such as a check while typing: only logs the error."""
    logger.info("Not said: %s", reason(error))


staff_event = GuardMark(STAFF_ACCESS, STAFF)  # for signed-in users of any role
admin_event = GuardMark(ADMIN_ACCESS, ADMINS)
# Also for those who must set up a second factor before anything else.
setup_event = GuardMark(STAFF_ACCESS, STAFF, is_for_setup=True)


def _guarded(handler: Callable[..., Handling], mark: GuardMark) -> Any:
    signature = inspect.signature(handler)
    sender = next((name for name in ("actor", "identity") if name in signature.parameters), "")
    if not sender:
        raise TypeError(f"{handler.__qualname__} has to take '*, actor: Actor'")

    @functools.wraps(handler)
    async def guarded(self: rx.State, *args: Any, **kwargs: Any) -> AsyncIterator[EventReply]:
        given = guarded.__signature__.bind(self, *args, **kwargs).arguments  # type: ignore[attr-defined]
        payload = dict(list(given.items())[1:])
        try:
            identity = await user_accounts().identify(self)
            audit_log.account.set(identity.user.email)
            if identity.user.role not in mark.roles:
                raise Forbidden(messages.NOT_ALLOWED)
        except NotSignedIn as error:
            yield await user_accounts().redirect_to_sign_in(self, error)
            return
        except Unavailable as error:
            release_form(self, handler)
            if mark.failed is None:
                yield error_notice(error, messages.UNEXPECTED_ERROR, subject_of(self))
            else:
                yield await mark.reply_to(error if mark.says_outage else _cause_of(error), self, payload) or None
            return
        except ServiceError as error:
            release_form(self, handler)
            yield error_notice(error, messages.UNEXPECTED_ERROR, subject_of(self))
            return
        if identity.must_add_factor and not mark.is_for_setup:
            yield redirect_to_setup(self)
            return
        current_event.set((f"{type(self).get_full_name()}.{handler.__name__}", payload))
        try:
            known = identity if sender == "identity" else identity.actor
            async for update in _updates(handler(self, *args, **kwargs, **{sender: known})):
                yield update
        except Exception as error:
            if mark.failed is None:
                raise
            replies = await mark.reply_to(error, self, payload)
            if mark.reloads:
                replies += await self._load(identity.actor) or []  # type: ignore[attr-defined]
            yield replies or None

    # Reflex reads an event's arguments from these; the sender is removed, because the browser must not send it.
    parameters = [parameter for name, parameter in signature.parameters.items() if name != sender]
    guarded.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    guarded.__annotations__ = {name: expected for name, expected in handler.__annotations__.items() if name != sender}
    del guarded.__wrapped__
    setattr(guarded, ACCESS, mark.access)
    return rx.event(guarded)


async def _updates(result: Handling) -> AsyncIterator[EventReply]:
    """Run a handler, which may be sync, async or a generator, and yield its updates."""
    if isinstance(result, AsyncIterator):
        async for update in result:
            yield update
    elif isinstance(result, Iterator):
        for update in result:
            yield update
    else:
        yield (await result) if isinstance(result, Awaitable) else result


def redirect_to_setup(state: rx.State) -> EventReply:
    """Redirect to the page that sets up a second factor, unless the tab is there."""
    if state.router.url.path == paths.ADMIN_TWO_STEP:
        return None
    return rx.redirect(paths.ADMIN_TWO_STEP, replace=True)


def _cause_of(error: Unavailable) -> Exception:
    """The error of the database itself, which is logged."""
    return error.__cause__ if isinstance(error.__cause__, Exception) else error


class DefaultDeny(rx.Middleware):
    """Refuses unmarked handlers, payloads of wrong types, and Reflex's own events that no page needs."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Return None to pass the event on, an empty update to refuse it. Only its name is logged."""
        if not is_allowed(event.name):
            logger.warning("Refused the event %s: its handler is not marked.", event.name)
        elif not fits(event.name, event.payload):
            logger.warning("Refused the event %s: its payload does not fit.", event.name)
        else:
            return None
        return StateUpdate()


def is_allowed(event_name: str) -> bool:
    """Whether a handler of this name may run."""
    handler = handler_of(event_name)
    return handler is not None and (access_of(handler) is not None or serves_pages(handler))


def fits(event_name: str, payload: Mapping[str, Any]) -> bool:
    """Whether a payload has the handler's arguments and types, and no browser storage vars other than ours."""
    handler = handler_of(event_name)
    assert handler is not None
    try:
        given = inspect.signature(handler).bind(None, **payload).arguments
    except TypeError:
        return False
    expected = _plain_kinds(handler)
    if not all(_is_of(expected.get(name, object), value) for name, value in given.items()):
        return False
    storage = payload.get("vars") if serves_pages(handler) else None
    if storage is None:
        return True
    return isinstance(storage, dict) and all(
        isinstance(storage[name], str) and is_browser_storage(name) for name in storage
    )


@functools.cache
def _plain_kinds(handler: Callable[..., Any]) -> dict[str, type]:
    """The handler's arguments of plain types, which Reflex does not check."""
    hints = {name: get_origin(hint) or hint for name, hint in get_type_hints(handler).items()}
    return {name: expected for name, expected in hints.items() if expected in (str, int, bool, dict, list)}


def _is_of(expected: type, value: object) -> bool:
    """Whether a value has a type.

    An integer may be sent as text, which Reflex converts. PostgreSQL takes no larger one as the id of a record.
    """
    if expected is not int:
        return isinstance(value, expected)
    number = int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else value
    return type(number) is int and abs(number) <= MAX_INTEGER


def staff_page(*content: rx.Component) -> rx.Component:
    """A back-office page. While the session loads, its content has nothing of anybody; without one, it is a spinner.

    Its `on_load` begins with `AuthState.require_staff`; from then on the ticker checks the session.
    """
    is_out = ~CurrentUser.is_loading & (CurrentUser.role == "")
    return backoffice(
        user_accounts().session_ticker(),
        rx.cond(is_out, controls.spinner(), rx.fragment(*content)),
        custom_attrs={"data-is-loading": rx.cond(CurrentUser.is_loading, "true", "false")},
    )
