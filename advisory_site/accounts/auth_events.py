"""What happens to sessions, announced to whoever subscribed in this process."""

import logging
from collections.abc import Callable
from enum import StrEnum

logger = logging.getLogger(__name__)


class AuthEvent(StrEnum):
    """The seven events of a session's life."""

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
    """Call `subscriber(event, user_id)` at every event, with None where nobody is signed in; returns how to stop."""
    _subscribers.append(subscriber)
    return lambda: _subscribers.remove(subscriber) if subscriber in _subscribers else None


def announce(event: AuthEvent, user_id: int | None) -> None:
    """Tell all subscribers; one that fails is logged and keeps nobody else from hearing."""
    for subscriber in tuple(_subscribers):
        try:
            subscriber(event, user_id)
        except Exception:
            logger.exception("A subscriber failed at the event '%s'.", event)
