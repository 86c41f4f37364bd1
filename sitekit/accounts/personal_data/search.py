"""Finds the rows that are held about an email address, table by table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ...base.errors import InvalidInput
from ...base.text import is_email
from ...records.personal_data import DataSubject, Relation, Rule
from ..form_data import email_of
from ..models import Profile
from . import texts as personal_data_texts
from .addresses import is_address, may_contain, passages
from .rules import rules

# Rows read at once.
BATCH = 200
# Rows of each table that a survey has.
SHOWN = 20

_ALSO = "is_theirs"
_EMPTY: tuple[object, ...] = (None, "", [], {})

Row = Mapping[Any, Any]
Value = str | int | float | bool | datetime | list[Any] | dict[str, Any] | None


@dataclass(frozen=True)
class PersonalRecord:
    """A row about the person: how it belongs to them, what is shown of it, and where staff see it.

    `values` has the shown columns by label; of a mention, the passages with the address.
    """

    relation: Relation
    values: Mapping[str, Value]
    page: str


@dataclass
class RowGroup:
    """The rows of one rule: how many of each relation, and the first ones."""

    rule: Rule
    counts: Counter[Relation] = field(default_factory=Counter)
    rows: list[PersonalRecord] = field(default_factory=list)


@dataclass(frozen=True)
class Survey:
    """The data about a person; rules without a row are left out."""

    person: DataSubject
    groups: tuple[RowGroup, ...]

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(group.counts.total() for group in self.groups)


def person_of(session: Session, address: object) -> DataSubject:
    """The person of an address, in any case. Raises `InvalidInput` if it is not an email address."""
    email = email_of(address)
    if not is_email(email):
        raise InvalidInput(personal_data_texts.EMAIL_INVALID, {"email": personal_data_texts.EMAIL_INVALID})
    profiles = Profile.metadata.tables["profiles"].c
    user_id = session.execute(sa.select(profiles.id).where(profiles.email == email)).scalar()
    return DataSubject(email, user_id or 0)


def survey(session: Session, person: DataSubject) -> Survey:
    """Count the rows about a person, and read the first ones of each table."""
    every = [RowGroup(rule) for rule in rules()]
    for group in every:
        for row, relation in rows_of(session, group.rule, person):
            group.counts[relation] += 1
            if len(group.rows) < SHOWN:
                group.rows.append(_personal_record(group.rule, row, relation, person.email))
    return Survey(person, tuple(group for group in every if group.rows))


def find(session: Session, rule: Rule, person: DataSubject) -> Iterator[PersonalRecord]:
    """The data in the rows of a rule, in order, read in batches."""
    return (_personal_record(rule, row, relation, person.email) for row, relation in rows_of(session, rule, person))


def rows_of(session: Session, rule: Rule, person: DataSubject) -> Iterator[tuple[Row, Relation]]:
    """The rows of a rule by the names of their columns, and how each belongs to the person."""
    columns, also = rule.source.c, rule.also(person) if rule.also else sa.false()
    users = [columns[name] == person.user_id for name in (*rule.owners, *rule.authors) if person.user_id]
    texts = [may_contain(columns[name], person.email) for name in rule.texts]
    only = sa.true() if rule.only is None else rule.only
    keys = session.execute(sa.select(rule.key).where(only, sa.or_(also, *users, *texts)).order_by(rule.key)).scalars()
    for batch in batches(keys.all()):
        rows = sa.select(*columns, sa.case((also, 1), else_=0).label(_ALSO)).where(rule.key.in_(batch))
        for row in session.execute(rows.order_by(rule.key)).mappings():
            if relation := _relation(rule, row, person):
                yield row, relation


def batches(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The keys of rows in groups that are read or changed at once."""
    return (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))


def _relation(rule: Rule, row: Row, person: DataSubject) -> Relation | None:
    if row[_ALSO] or any(row[name] == person.user_id for name in rule.owners):
        return Relation.THEIRS
    if any(is_address(row[name], person.email) for name in rule.addresses):
        return Relation.THEIRS
    if any(passages(row[name], person.email) for name in rule.texts):
        return Relation.MENTIONED
    is_author = any(row[name] == person.user_id for name in rule.authors)
    return Relation.AUTHOR if is_author else None


def _personal_record(rule: Rule, row: Row, relation: Relation, email: str) -> PersonalRecord:
    shown_columns = [column.name for column in rule.source.c if column.name not in (*rule.hidden, *rule.unshown)]
    whole = shown_columns if relation == Relation.THEIRS or not rule.brief else rule.brief
    labels = {name: rule.labels.get(name) or _label(name) for name in shown_columns}
    values: dict[str, Any] = {labels[name]: row[name] for name in whole}
    for name in (name for name in rule.texts if name in shown_columns and name not in whole):
        if excerpts := passages(row[name], email):
            values[personal_data_texts.PASSAGE.format(label=labels[name])] = excerpts
    page = rule.page(row) if rule.page else ""
    return PersonalRecord(relation, {label: value for label, value in values.items() if value not in _EMPTY}, page)


def _label(name: str) -> str:
    return personal_data_texts.LABELS.get(name, name.removeprefix("is_").replace("_", " ").capitalize())
