"""The command `personal-data`: a summary of the data about an email address, its export and its erasure."""

from collections.abc import Iterator
from pathlib import Path

from sqlmodel import Session

from ...base.db.database import read_session, transaction
from ...base.errors import ServiceError
from ...base.observability.audit_log import AuditEvent
from ...records import activity
from ...records.csv_export import snapshot
from . import texts
from .documents import JSON
from .erasure import ErasureResult, erase_address, outcome_of
from .search import Survey, person_of, survey


def describe(address: str) -> Iterator[str]:
    """The rows per table, and what erasing would do. Raises `InvalidInput` if it is no address."""
    with read_session() as session:
        seen = _survey(session, address)
    if not seen.groups:
        yield texts.NOTHING.format(email=seen.person.email)
        return
    for group in seen.groups:
        yield f"{group.counts.total():>8,}  {group.rule.title}"
    yield from _lines(texts.GOES, texts.STAYS, outcome_of(seen))


def export(address: str, file: Path) -> str:
    """Write everything into a new file; returns the number of rows. Raises `ServiceError` if it cannot be written."""
    with read_session() as session:
        seen = _survey(session, address)
        try:
            with file.open("xb") as target:
                try:
                    target.writelines(JSON.pieces(session, address))
                    target.flush()
                except BaseException:
                    file.unlink()
                    raise
        except OSError as error:
            raise ServiceError(f"{file} cannot be written: {error.strerror}.") from error
    with transaction() as session:
        activity.log(session, AuditEvent.EXPORTED, f"{JSON.name} of {seen.person.email}")
    return f"{seen.total:,}"


def erase(address: str) -> Iterator[str]:
    """Erase everything and report it. Raises `NotFound` if there is nothing, and `Conflict` for the last admin."""
    with transaction() as session:
        outcome = erase_address(session, address)
    yield from _lines(texts.WENT, texts.STAYED, outcome)


def _survey(session: Session, address: str) -> Survey:
    snapshot(session)
    return survey(session, person_of(session, address))


def _lines(goes: str, stays: str, outcome: ErasureResult) -> Iterator[str]:
    for title, lines in ((goes, outcome.goes), (stays, outcome.stays)):
        yield f"{title}:"
        yield from (f"- {line}" for line in lines)
