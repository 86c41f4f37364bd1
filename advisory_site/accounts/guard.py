"""Access marks for event handlers of staff, the middleware that refuses unmarked ones, and the page gate.

A marked handler receives `*, actor: Actor`, read from the database at this very call:

    @staff_event
    async def save(self, form_data: dict, *, actor: Actor): ...
"""

import functools
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, get_origin, get_type_hints, overload, runtime_checkable

import reflex as rx
from reflex.event import Event, EventCallback
from reflex.state import BaseState, StateUpdate

from ..content import messages
from ..core import routes
from ..core.errors import Forbidden, ServiceError
from ..core.permissions import ADMINS, STAFF, Actor, Role
from ..framework.event_marks import ACCESS, EventReply, Handling, access_of
from ..framework.events import handler_of, serves_pages
from ..framework.state_vars import is_browser_storage
from ..observability import audit_log
from ..ui.backoffice.chakra import backoffice, rc
from ..ui.backoffice.submit import release_form
from ..ui.backoffice.ticker import Ticker
from ..ui.feedback import error_notice, subject_of
from ..ui.proof_request import current_event
from .errors import InvalidToken, SessionMissing, Unavailable
from .session_state import AuthState, auth_of, here

logger = logging.getLogger(__name__)

STAFF_ACCESS = "staff"
ADMIN_ACCESS = "admin"

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


@dataclass(frozen=True)
class GuardMark:
    """A decorator for handlers that require one of certain roles."""

    access: str
    roles: frozenset[Role]
    is_for_setup: bool = False

    @overload
    def __call__(self, handler: TakesThree[First, Second, Third]) -> EventCallback[First, Second, Third]: ...
    @overload
    def __call__(self, handler: TakesTwo[First, Second]) -> EventCallback[First, Second]: ...
    @overload
    def __call__(self, handler: TakesOne[First]) -> EventCallback[First]: ...
    @overload
    def __call__(self, handler: TakesNothing) -> EventCallback[()]: ...
    def __call__(self, handler: Callable[..., Handling]) -> Any:
        """Wrap a handler in the check of its sender."""
        return _guarded(handler, self)


staff_event = GuardMark(STAFF_ACCESS, STAFF)  # for signed-in users of any role
admin_event = GuardMark(ADMIN_ACCESS, ADMINS)
# Also for those who must set up a second factor before anything else.
setup_event = GuardMark(STAFF_ACCESS, STAFF, is_for_setup=True)


def _guarded(handler: Callable[..., Handling], mark: GuardMark) -> Any:
    signature = inspect.signature(handler)
    if "actor" not in signature.parameters:
        raise TypeError(f"{handler.__qualname__} has to take '*, actor: Actor'")

    @functools.wraps(handler)
    async def guarded(self: rx.State, *args: Any, **kwargs: Any) -> AsyncIterator[EventReply]:
        auth = await auth_of(self)
        try:
            identity = await auth._identity()
            audit_log.account.set(identity.user.email)
            if identity.user.role not in mark.roles:
                raise Forbidden(messages.NOT_ALLOWED)
        except (SessionMissing, InvalidToken) as error:
            yield await _redirect_to_sign_in(auth, error)
            return
        except Unavailable as error:
            release_form(self, handler)
            yield await _reply_database_down(self, handler.__name__, error)
            return
        except ServiceError as error:
            release_form(self, handler)
            yield error_notice(error, messages.UNEXPECTED_ERROR, subject_of(self))
            return
        if identity.must_add_factor and not mark.is_for_setup:
            yield auth._lead_to_setup()
            return
        given = guarded.__signature__.bind(self, *args, **kwargs).arguments  # type: ignore[attr-defined]
        payload = dict(list(given.items())[1:])
        current_event.set((f"{type(self).get_full_name()}.{handler.__name__}", payload))
        async for update in _updates(handler(self, *args, **kwargs, actor=identity.actor)):
            yield update

    # Reflex reads an event's arguments from these; `actor` is removed, because the browser must not send it.
    shown = [parameter for name, parameter in signature.parameters.items() if name != "actor"]
    guarded.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    guarded.__annotations__ = {name: kind for name, kind in handler.__annotations__.items() if name != "actor"}
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


async def _redirect_to_sign_in(auth: AuthState, error: ServiceError) -> EventReply:
    """Redirect to the sign-in page; after signing in the user comes back, unless they had signed out."""
    has_signed_out = isinstance(error, SessionMissing) and auth.user_id != 0
    await auth._clear_user()
    return await auth._leave(
        routes.ADMIN if has_signed_out else here(auth), has_notice=not isinstance(error, SessionMissing)
    )


@runtime_checkable
class HandlesDatabaseDown(Protocol):
    """A state with its own reply while the database is down."""

    def _on_database_down(self, handler: str, error: BaseException) -> Awaitable[EventReply] | EventReply: ...


async def _reply_database_down(state: rx.State, handler: str, error: Unavailable) -> EventReply:
    if not isinstance(state, HandlesDatabaseDown):
        return error_notice(error, messages.UNEXPECTED_ERROR, subject_of(state))
    reply = state._on_database_down(handler, error.__cause__ or error)
    return await reply if isinstance(reply, Awaitable) else reply


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
    kinds = _plain_kinds(handler)
    if not all(_is_of(kinds.get(name, object), value) for name, value in given.items()):
        return False
    stored = payload.get("vars") if serves_pages(handler) else None
    if stored is None:
        return True
    return isinstance(stored, dict) and all(
        isinstance(stored[name], str) and is_browser_storage(name) for name in stored
    )


@functools.cache
def _plain_kinds(handler: Callable[..., Any]) -> dict[str, type]:
    """The handler's arguments of plain types, which Reflex does not check."""
    hints = {name: get_origin(hint) or hint for name, hint in get_type_hints(handler).items()}
    return {name: kind for name, kind in hints.items() if kind in (str, int, bool, dict, list)}


def _is_of(kind: type, value: object) -> bool:
    """Whether a value has a type; an integer may be sent as text, which Reflex converts."""
    return isinstance(value, kind) or (kind is int and isinstance(value, str) and value.lstrip("-").isdecimal())


def staff_page(*content: rx.Component) -> rx.Component:
    """A back-office page: a spinner until the session is confirmed, then the content.

    Its `on_load` begins with `AuthState.require_staff`; from then on the ticker checks the session.
    """
    waiting = rc.center(rc.spinner(label="Loading...", size="xl"), min_height="60vh")
    is_out = AuthState.is_loading | (AuthState.role == "")
    return backoffice(
        session_ticker(AuthState.keep_watch),
        rx.cond(is_out, waiting, rx.fragment(*content)),
    )


def session_ticker(on_tick: Any) -> rx.Component:
    """Checks the session every 30 s and when another tab signs in or out."""
    return Ticker.create(every=AuthState.tick_ms, watched=AuthState.stored_session, on_tick=on_tick.temporal)
