"""A back-office state for the tests of access marks, with one handler of every kind."""

from collections.abc import AsyncIterator, Iterator

import reflex as rx

from sitekit.admin.guard import admin_event, staff_event
from sitekit.base.identity import Identity
from sitekit.base.permissions import Actor
from sitekit.server.framework.event_marks import EventReply


class DeskState(rx.State):
    """A state with guarded handlers."""

    rows: list[str] = []
    amount: int = 0

    @staff_event
    async def load(self, *, actor: Actor) -> None:
        """A coroutine."""
        self.rows = [f"for {actor.role}"]

    @staff_event
    def load_plainly(self, amount: int, *, actor: Actor) -> EventReply:
        """A function with an argument."""
        self.amount = amount
        return rx.redirect("/done")

    @staff_event
    async def load_in_steps(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """An asynchronous generator."""
        self.rows = ["first"]
        yield None
        self.rows = ["first", "second"]

    @staff_event
    def load_in_plain_steps(self, *, actor: Actor) -> Iterator[EventReply]:
        """A generator."""
        yield rx.redirect("/first")
        yield rx.redirect("/second")

    @staff_event
    async def load_by_session(self, amount: int, *, identity: Identity) -> None:
        """A coroutine that needs the session of its sender."""
        self.rows, self.amount = [identity.session_id], amount

    @admin_event
    async def erase(self, *, actor: Actor) -> None:
        """A handler for admins only."""
        self.rows = ["erased"]

    def unmarked(self) -> None:
        """A handler without an access mark."""
        self.rows = ["reached"]
