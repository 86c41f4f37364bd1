"""Session events, announced to subscribers in this process."""

import logging
from collections.abc import Callable
from enum import StrEnum

logger = logging.getLogger(__name__)


class AuthEvent(StrEnum):
    """The seven events of a session."""

    INITIAL_SESSION = "initial session"
    SIGNED_IN = "signed in"
    SIGNED_OUT = "signed out"
    TOKEN_REFRESHED = "token refreshed"  # noqa: S105  the name of an event
    USER_UPDATED = "user updated"
    PASSWORD_RECOVERY = "password recovery"  # noqa: S105
    MFA_VERIFIED = "MFA verified"


Subscriber = Callable[[AuthEvent, int | None], None]
_subscribers: list[Subscriber] = []


def subscribe(subscriber: Subscriber) -> Callable[[], None]:
    """Call `subscriber(event, user_id)` at every event; returns a function that unsubscribes.

    The id is None if no user is signed in. Known limit: nothing in the product subscribes yet.
    """
    _subscribers.append(subscriber)
    return lambda: _subscribers.remove(subscriber) if subscriber in _subscribers else None


def announce(event: AuthEvent, user_id: int | None) -> None:
    """Call all subscribers; an exception of one is logged, and the others are still called."""
    for subscriber in tuple(_subscribers):
        try:
            subscriber(event, user_id)
        except Exception:
            logger.exception("A subscriber failed at the event '%s'.", event)
