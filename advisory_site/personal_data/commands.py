"""The command `personal-data`: a summary of the data about an email address, its export and its erasure."""

from collections.abc import Iterator
from pathlib import Path

from sqlmodel import Session

from ..core.errors import ServiceError
from ..db.database import read_session, transaction
from ..observability.audit_log import Act
from ..records import activity
from ..records.csv_export import snapshot
from . import texts as words
from .documents import JSON
from .erasure import Outcome, erase_address, outcome_of
from .search import Survey, person_of, survey


def describe(address: str) -> Iterator[str]:
    """The rows per table, and what erasing would do. Raises `InvalidInput` if it is no address."""
    with read_session() as session:
        seen = _survey(session, address)
    if not seen.found:
        yield words.NOTHING.format(email=seen.person.email)
        return
    for found in seen.found:
        yield f"{found.counts.total():>8,}  {found.rule.title}"
    yield from _lines(words.GOES, words.STAYS, outcome_of(seen))


def export(address: str, file: Path) -> str:
    """Write everything into a new file; returns the number of rows. Raises `ServiceError` if it cannot be written."""
    with read_session() as session:
        seen = _survey(session, address)
        try:
            with file.open("xb") as target:
                target.writelines(JSON.pieces(session, address))
        except OSError as error:
            raise ServiceError(f"{file} cannot be written: {error.strerror}.") from error
    with transaction() as session:
        activity.note(session, Act.EXPORTED, f"{JSON.name} of {seen.person.email}")
    return f"{seen.total:,}"


def erase(address: str) -> Iterator[str]:
    """Erase everything and report it. Raises `NotFound` if there is nothing, and `Conflict` for the last admin."""
    with transaction() as session:
        outcome = erase_address(session, address)
    yield from _lines(words.WENT, words.STAYED, outcome)


def _survey(session: Session, address: str) -> Survey:
    snapshot(session)
    return survey(session, person_of(session, address))


def _lines(goes: str, stays: str, outcome: Outcome) -> Iterator[str]:
    for title, lines in ((goes, outcome.goes), (stays, outcome.stays)):
        yield f"{title}:"
        yield from (f"- {line}" for line in lines)
