"""What the back office needs of the accounts of its users, which lie above it: they hand it over once, at start."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import reflex as rx
from reflex.event import EventCallback
from sqlmodel import Session

from ..base.errors import NotSignedIn
from ..base.identity import Identity
from ..base.permissions import Actor
from ..records.draft_authors import Tell
from ..server.framework.event_marks import EventReply


class CountErased(Protocol):
    """Counts what a user deletes permanently; without a number, one record."""

    def __call__(self, session: Session, actor: Actor, number: int = 1) -> None: ...


@dataclass(frozen=True)
class UserAccounts:
    """The accounts as the back office uses them.

    `identify` reads the sender of the event being handled; it raises `NotSignedIn`, for which `redirect_to_sign_in`
    makes the reply, or `Unavailable`. A one-use link lets its holder make one request outside events: `issue_link`
    makes the secret of one for a subject, `read_link` checks a secret without the database, and `use_link` uses it
    up; all raise `NotSignedIn`, and so does `read_again`, if the session has ended. A pass is such a link that works
    again until it expires. `session_ticker` watches the session of an open page.
    """

    identify: Callable[[rx.State], Awaitable[Identity]]
    redirect_to_sign_in: Callable[[rx.State, NotSignedIn], Awaitable[EventReply]]
    read_again: Callable[[Session, Identity], Identity]
    issue_link: Callable[[rx.State, Mapping[str, str]], Awaitable[str]]
    read_link: Callable[[object], object]
    use_link: Callable[[Session, object], tuple[Identity, dict[str, str]]]
    issue_pass: Callable[[rx.State, Mapping[str, str]], Awaitable[str]]
    use_pass: Callable[[Session, object], tuple[Identity, dict[str, str]]]
    count_erased: CountErased
    tell_of_draft: Tell
    session_ticker: Callable[[], rx.Component]
    reauthentication_dialog: Callable[[], rx.Component]
    sign_out: EventCallback[()]


_accounts: UserAccounts


def use_accounts(accounts: UserAccounts) -> None:
    """Set the accounts; called once, before a page is built or an event handled."""
    global _accounts
    _accounts = accounts


def user_accounts() -> UserAccounts:
    """The accounts that were handed over."""
    return _accounts
