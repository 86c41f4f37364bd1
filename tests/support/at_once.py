"""Two transactions at the same time, of which the second waits for the first."""

import sys
import threading
from collections.abc import Callable

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import transaction
from sitekit.base.errors import ServiceError
from tests.support.waiting import wait_for

Step = Callable[[Session], object]
LOCKS = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")


def told_second(first: Step, second: Step) -> list[ServiceError]:
    """Commit the first when the second waits for what it has locked, or has ended; returns what the second was told."""
    told: list[ServiceError] = []

    def come_second() -> None:
        try:
            with transaction() as session:
                second(session)
        except ServiceError as error:
            told.append(error)

    other = threading.Thread(target=come_second)
    with transaction() as session:
        first(session)
        session.flush()
        other.start()
        wait_for(lambda: not other.is_alive() or _waits(other, session), "the second waits for the first")
    other.join(timeout=30)
    assert not other.is_alive()
    return told


def _waits(other: threading.Thread, session: Session) -> bool:
    """Whether a thread waits for the transaction of this session: in the queue of SQLite's writers, or for a lock."""
    if session.get_bind().dialect.name == "sqlite":
        frame = sys._current_frames().get(other.ident or 0)
        return frame is not None and frame.f_code.co_name == "_sqlite_write_lock"
    return bool(session.execute(LOCKS).scalar())
