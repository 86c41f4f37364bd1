"""How the back office reaches the database: in a thread, because a locked one takes seconds, and nobody else waits."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from sqlmodel import Session

from ..database import reading, transaction

T = TypeVar("T")


async def read(what: Callable[[Session], T]) -> T:
    """The result of a reading."""
    return await asyncio.to_thread(_read, what)


async def write(what: Callable[[Session], T]) -> T:
    """The result of a change; all of it is stored, or none."""
    return await asyncio.to_thread(_write, what)


def _read(what: Callable[[Session], T]) -> T:
    with reading() as session:
        return what(session)


def _write(what: Callable[[Session], T]) -> T:
    with transaction() as session:
        return what(session)
