"""The export files about an email address: JSON, and an HTML page for reading and printing."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape

from sqlmodel import Session

from ...base.db.database import now
from ...base.permissions import Action, Actor, require
from ...base.site import get_site
from ...base.times import date_text, iso_text, time_text
from ...records.personal_data import DataSubject
from . import texts
from .rules import copies, rules
from .search import PersonalRecord, Value, find, person_of

ADDRESS = "address"  # the parameter of a download link


@dataclass(frozen=True)
class PersonalDataFile:
    """A file format, written in chunks to limit memory."""

    suffix: str
    media_type: str
    write: Callable[[Session, DataSubject], Iterator[str]]

    @property
    def name(self) -> str:
        """What the file is, for a download link and for the activity."""
        return f"personal data as {self.suffix.upper()}"

    def file_name(self, at: datetime) -> str:
        """The file's name, without the address: `personal-data-2026-11-22.json`."""
        return f"personal-data-{date_text(at)}.{self.suffix}"

    def read(self, session: Session, actor: Actor, address: object) -> Iterator[bytes]:
        """The file in pieces. Raises `InvalidInput` if the address is not one."""
        require(actor, Action.MANAGE_PERSONAL_DATA)
        return self.pieces(session, address)

    def read_linked(self, session: Session, actor: Actor, subject: Mapping[str, str]) -> Iterator[bytes]:
        """The file that a link is for."""
        return self.read(session, actor, subject[ADDRESS])

    def pieces(self, session: Session, address: object) -> Iterator[bytes]:
        """The file without checking an actor, for the command line."""
        return (piece.encode() for piece in self.write(session, person_of(session, address)))


def _groups(session: Session, person: DataSubject) -> Iterator[tuple[str, Iterator[PersonalRecord]]]:
    """The title and the rows of each rule that finds any."""
    for rule in rules():
        rows = find(session, rule, person)
        if first := next(rows, None):
            yield rule.title, _again(first, rows)


def _again(first: PersonalRecord, rest: Iterator[PersonalRecord]) -> Iterator[PersonalRecord]:
    yield first
    yield from rest


def _write_json(session: Session, person: DataSubject) -> Iterator[str]:
    head = {"email": person.email, "firm": get_site().brand.legal_name, "made_at": iso_text(now())}
    yield f"{json.dumps(head, ensure_ascii=False)[:-1]}, {json.dumps('held')}: ["
    for number, (title, rows) in enumerate(_groups(session, person)):
        yield f'{"," * bool(number)}\n{{"what": {json.dumps(title)}, "rows": ['
        for index, record in enumerate(rows):
            row = {"relation": record.relation, **record.values}
            yield f"{',' * bool(index)}\n  {json.dumps(row, ensure_ascii=False, default=iso_text)}"
        yield "\n]}"
    yield f"\n], {json.dumps('elsewhere')}: {json.dumps(copies(), ensure_ascii=False)}}}\n"


_STYLE = """
body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem; font: 1rem/1.5 Georgia, serif; color: #13211c;
  background: #fff; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #13211c; }
article { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid #c9d3cd; break-inside: avoid; }
article p { margin: 0; color: #4b5a53; } dl { margin: .25rem 0; } dt { font-weight: bold; }
dd { margin: 0 0 .25rem; white-space: pre-wrap; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } h2 { break-after: avoid; } }
"""


def _write_html(session: Session, person: DataSubject) -> Iterator[str]:
    title = escape(texts.FOUND.format(email=person.email))
    text = escape(texts.DOCUMENT_TEXT.format(firm=get_site().brand.legal_name, at=f"{now():%d %b %Y %H:%M}"))
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body><h1>{title}</h1><p>{text}</p>\n"
    )
    for heading, rows in _groups(session, person):
        yield f"<section><h2>{escape(heading)}</h2>\n"
        yield from map(_article, rows)
        yield "</section>\n"
    others = "".join(f"<li>{escape(sentence)}</li>" for sentence in copies())
    yield f"<section><h2>{escape(texts.ALSO)}</h2><ul>{others}</ul></section></body></html>\n"


def _article(record: PersonalRecord) -> str:
    facts = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text_of(value))}</dd>" for name, value in record.values.items()
    )
    return f"<article><p>{escape(texts.RELATIONS[record.relation])}</p><dl>{facts}</dl></article>\n"


def text_of(value: Value) -> str:
    """A value as it is read: times in the site's time zone, lists with an entry per line, anything deeper as JSON."""
    if isinstance(value, bool):
        return texts.YES if value else texts.NO
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, list):
        return "\n".join(text_of(entry) for entry in value)
    return json.dumps(value, ensure_ascii=False, indent=1) if isinstance(value, dict) else str(value)


JSON = PersonalDataFile("json", "application/json", _write_json)
HTML = PersonalDataFile("html", "text/html; charset=utf-8", _write_html)
FILES = {file.name: file for file in (JSON, HTML)}
