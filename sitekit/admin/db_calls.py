"""Runs database work in threads, because a locked database takes seconds."""

from collections.abc import Callable
from typing import TypeVar

from sqlmodel import Session

from ..base.db.database import read_session, transaction
from ..base.threads import READERS, WRITERS
from ..records.revisions import batch_of

T = TypeVar("T")


async def read(what: Callable[[Session], T]) -> T:
    """Run a read-only call in a thread."""
    return await READERS.run(_read, what)


async def write(what: Callable[[Session], T]) -> T:
    """Run a call in a thread and a transaction."""
    return await WRITERS.run(_write, what)


async def change(what: Callable[[Session], T]) -> tuple[T, str]:
    """`write` what can be undone; returns also the batch for `undo_notice`."""
    return await write(lambda session: (what(session), batch_of(session)))


def _read(what: Callable[[Session], T]) -> T:
    with read_session() as session:
        return what(session)


def _write(what: Callable[[Session], T]) -> T:
    with transaction() as session:
        return what(session)
