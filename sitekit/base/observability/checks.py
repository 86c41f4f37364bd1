"""What is asked to see whether the site is well, each question once.

`/readyz`, the metrics, the command `check`, the dashboard and the reminder of an overdue backup read the answers.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from redis import Redis, RedisError
from sqlalchemy.exc import SQLAlchemyError

from .. import backup_log, redis_probe
from ..db.database import engine, now, read_session
from ..db.diagnosis import LEAST_FREE, Trouble, disk_bytes, explain, free_bytes, is_trouble, prove_storing, trouble_of
from ..db.migrations import NewerSchema, head, is_newer, revision_of
from ..db.postgresql import refuse_other_encoding
from ..mail import outbox
from ..settings import get_settings
from ..threads import HEALTH, PROBES, WRITE_PROBE, Pool

OK, AWAY, LATE, LOW, NONE, NOT_USED, OVERDUE = "ok", "away", "late", "low", "none", "not used", "overdue"
# Mail that waits for longer than this means that the mail server has a problem.
MAIL_IS_LATE_AFTER = timedelta(minutes=15)
# In seconds: how long a successful test write counts, and how long what is known of the backups.
PROOF_HOLDS, BACKUPS_HOLD = 30.0, 60.0
REDIS_TIMEOUT = 5  # seconds
_NOTHING: Mapping[str, float] = MappingProxyType({})


class Severity(StrEnum):
    """The severity of a finding. `WRONG`: something does not work. `UNSAFE`: production does not start."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"
    UNSAFE = "unsafe"


@dataclass(frozen=True)
class Finding:
    """What a check found: a word for machines, a sentence for the operator, and the values of its gauges.

    `sentence` is empty if another check of the same part says it. `detail` is what is shown alone: the revision of the
    schema in the metrics, and why the store of pictures fails on the dashboard.
    """

    word: str = OK
    severity: Severity = Severity.FINE
    sentence: str = ""
    values: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    detail: str = ""


def _away(_error: Exception) -> str:
    return AWAY


@dataclass(frozen=True, eq=False)
class Check:
    """One question about a part of the site; `ask` blocks, so that callers run it in `pool`.

    While there is no answer, its word is `late`; `word_of` gives that for an error. A finding of `OK` holds for
    `holds` seconds. `gauges` are the metrics that it has values for, with their meanings.
    """

    part: str
    ask: Callable[[], Finding]
    pool: Pool = HEALTH
    late: str = AWAY
    word_of: Callable[[Exception], str] = _away
    holds: float = 0.0
    gauges: Mapping[str, str] = field(default_factory=dict)

    def answer(self) -> Finding:
        """What `ask` finds; an error is a finding, too."""
        try:
            return self.ask()
        except Exception as error:
            return Finding(self.word_of(error), Severity.WRONG, sentence_of(error))


def sentence_of(error: Exception) -> str:
    """One sentence about an error of a check. A driver's message may contain a URL with its password."""
    if isinstance(error, SQLAlchemyError) and is_trouble(error):
        return explain(error)
    return f"cannot be reached ({type(error).__name__})."


def _schema() -> Finding:
    with engine().connect() as connection:
        refuse_other_encoding(connection)
        revision = revision_of(connection)
    if revision == head():
        return Finding(detail=revision)
    if is_newer(revision):
        return Finding(Trouble.NEWER, Severity.WRONG, NewerSchema(revision).message, detail=revision)
    text = f"at schema {revision or 'none'}, but this program needs {head()}: 'migrate' moves it."
    return Finding(Trouble.NOT_MIGRATED, Severity.WRONG, text, detail=revision)


def _storing() -> Finding:
    prove_storing()
    return Finding(sentence=f"{engine().dialect.name}, at the newest schema ({head()}), and can be written to.")


def _mail() -> Finding:
    with read_session() as session:
        queue = outbox.queue_status(session)
    overdue = now() - queue.waiting_since if queue.waiting_since else timedelta()
    return Finding(
        LATE if overdue > MAIL_IS_LATE_AFTER else OK,
        Severity.WRONG if queue.given_up else Severity.FINE,
        f"{queue.waiting} messages wait, {queue.given_up} could not be sent.",
        {
            "mail_waiting": queue.waiting,
            "mail_failed": queue.given_up,
            "mail_overdue_seconds": max(0.0, overdue.total_seconds()),
        },
    )


def _redis() -> Finding:
    # A new connection, because a changed password and the limit of connections do not affect an open one.
    url = get_settings().redis_url
    if not url:
        return Finding(NOT_USED, Severity.FINE, "not used: one process keeps its visitors in memory.")
    with Redis.from_url(url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=1) as client:
        try:
            client.set(redis_probe.KEY, "1", ex=redis_probe.LIFETIME)
        except RedisError as error:
            return Finding(redis_probe.trouble_of(error), Severity.WRONG, redis_probe.explain(error, url))
    return Finding(sentence="answers, and stores what it is sent.")


def _disk() -> Finding:
    folder, free = get_settings().data_dir, free_bytes()
    word = OK if free >= LEAST_FREE else LOW
    values = {"disk_bytes": disk_bytes(), "disk_free_bytes": free}
    if not os.access(folder, os.W_OK):
        return Finding(word, Severity.WRONG, f"{folder} does not exist, or cannot be written to.", values)
    severity = Severity.FINE if word == OK else Severity.WRONG
    return Finding(word, severity, f"{free // 2**20} MB are free in {folder}.", values)


def _backups() -> Finding:
    with read_session() as session:
        times = backup_log.times(session)
    values = {
        "backup_made_seconds": times.made_at.timestamp() if times.made_at else 0.0,
        "backup_rehearsed_seconds": times.rehearsed_at.timestamp() if times.rehearsed_at else 0.0,
        "backup_rehearsal_failed": float(times.has_rehearsal_failed),
    }
    if times.made_at is None:
        return Finding(NONE, values=values)
    if not backup_log.is_overdue(times.made_at):
        return Finding(values=values)
    text = f"none was verified since {times.made_at:%Y-%m-%d %H:%M} UTC."
    return Finding(OVERDUE, Severity.WRONG, text, values)


SCHEMA = Check("database", _schema, word_of=trouble_of)
BACKUPS = Check(
    "backups",
    _backups,
    holds=BACKUPS_HOLD,
    gauges={
        "backup_made_seconds": "When the newest verified backup was made, in seconds since 1970; 0 without one.",
        "backup_rehearsed_seconds": (
            "When a restore was last rehearsed without a problem, in seconds since 1970; 0 if never."
        ),
        "backup_rehearsal_failed": "1 if the last rehearsal of a restore failed.",
    },
)
# What a running site asks all the time. The dashboard also asks the store of pictures, and `check` asks much more.
CHECKS = (
    SCHEMA,
    # In a pool of its own, so that a write that hangs does not hold up the others.
    Check("database", _storing, WRITE_PROBE, Trouble.LOCKED, trouble_of, PROOF_HOLDS),
    Check(
        "mail",
        _mail,
        gauges={
            "mail_waiting": "Messages that are to be sent.",
            "mail_failed": "Messages that could not be sent, and wait for an admin.",
            "mail_overdue_seconds": "How long the oldest of them has waited.",
        },
    ),
    Check("redis", _redis, PROBES),
    Check(
        "disk",
        _disk,
        PROBES,
        gauges={
            "disk_bytes": "The size of the data folder's file system.",
            "disk_free_bytes": "What is free in the data folder.",
        },
    ),
    BACKUPS,
)
