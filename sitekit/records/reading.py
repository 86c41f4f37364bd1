"""What pages for visitors read of the database."""

from collections.abc import Callable
from typing import TypeVar

from sqlmodel import Session

from ..base.db.database import read_session
from ..base.typography import typeset_record

T = TypeVar("T")


def read_typeset(read: Callable[[Session], T]) -> T:
    """What `read` finds in a session of its own, with all its texts typeset. Runs in a thread."""
    with read_session() as session:
        return typeset_record(read(session))
