"""Erases the data about an email address in one transaction, and reports what was deleted and what stays."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ...base.db.folding import refolded
from ...base.errors import Conflict, NotFound
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, require
from ...base.scratch import delete_abandoned
from ...records import activity
from ...records.personal_data import DataSubject, ErasureOutcome, Relation, Rule
from ..people import service
from . import texts as personal_data_texts
from .addresses import without_address
from .rules import ACTIVITY, copies, rules
from .search import Row, RowGroup, Survey, batches, person_of, rows_of, survey


@dataclass(frozen=True)
class ErasureResult:
    """What erasing does, in sentences: what goes, and what stays and why."""

    goes: tuple[str, ...]
    stays: tuple[str, ...]


def look_up(session: Session, actor: Actor, address: object) -> Survey:
    """The data about an address. Raises `InvalidInput` if it is not one."""
    require(actor, Action.MANAGE_PERSONAL_DATA)
    return survey(session, person_of(session, address))


def erase(session: Session, actor: Actor, address: object) -> ErasureResult:
    """Erase the data about an address, with its account.

    Raises `NotFound` if nothing is held, and `Conflict` for the last admin and for the actor's own account.
    """
    require(actor, Action.MANAGE_PERSONAL_DATA)
    if person_of(session, address).user_id == actor.user_id:
        raise Conflict(personal_data_texts.OWN_ACCOUNT)
    return erase_address(session, address, by=actor.user_id)


def erase_address(session: Session, address: object, by: int | None = None) -> ErasureResult:
    """Erase the data about an address without checking an actor, for the command line."""
    person = person_of(session, address)
    seen = survey(session, person)
    if not seen.groups:
        raise NotFound(personal_data_texts.NOTHING.format(email=person.email))
    if person.user_id:
        service.delete_account(session, person.user_id)
    # Also the activity if it had nothing: deleting the account has noted the address.
    found_rules = {group.rule for group in seen.groups} | {ACTIVITY}
    for rule in rules():
        if rule in found_rules:
            _apply(session, rule, person)
    # Without the address, which would otherwise be held again.
    activity.log(session, AuditEvent.PERSONAL_DATA_ERASED, f"{seen.total} rows", by=by)
    delete_abandoned()  # copies of the records that a command left when it was killed
    return outcome_of(seen, personal_data_texts.DONE)


def outcome_of(seen: Survey, texts: personal_data_texts.OutcomeTexts = personal_data_texts.WILL) -> ErasureResult:
    """The effect of erasing the found rows, before it or after: what is deleted and what is kept."""
    goes = tuple(line for group in seen.groups for line in _goes(group, texts))
    stays = tuple(line for group in seen.groups for line in _stays(group, texts))
    return ErasureResult(goes or (texts.nothing,), stays + copies())


def _goes(group: RowGroup, texts: personal_data_texts.OutcomeTexts) -> Iterator[str]:
    for outcome, sentence in (
        (ErasureOutcome.DELETED, texts.deleted),
        (ErasureOutcome.ADDRESS_REMOVED, texts.address_removed),
    ):
        if count := _count(group, outcome):
            yield sentence.format(rows=group.rule.counted(count))


def _stays(group: RowGroup, texts: personal_data_texts.OutcomeTexts) -> Iterator[str]:
    rule, reasons = group.rule, Counter[str]()
    for relation, count in group.counts.items():
        is_author = relation == Relation.AUTHOR and rule.why_author
        if rule.outcomes[relation] != ErasureOutcome.DELETED:
            reasons[rule.why_author if is_author else rule.why] += count
    for why, count in reasons.items():
        if why:
            yield texts.kept.format(rows=rule.counted(count), why=why)


def _count(group: RowGroup, outcome: ErasureOutcome) -> int:
    return sum(count for relation, count in group.counts.items() if group.rule.outcomes[relation] == outcome)


def _apply(session: Session, rule: Rule, person: DataSubject) -> None:
    rows: dict[ErasureOutcome, list[Row]] = {outcome: [] for outcome in ErasureOutcome}
    for row, relation in rows_of(session, rule, person):
        outcome = rule.outcomes[relation]
        names = (rule.key.name, *rule.texts) if outcome == ErasureOutcome.ADDRESS_REMOVED else (rule.key.name,)
        rows[outcome].append({name: row[name] for name in names})
    for batch in batches(rows[ErasureOutcome.DELETED]):
        _delete(session, rule, [row[rule.key.name] for row in batch])
    for batch in batches(rows[ErasureOutcome.ADDRESS_REMOVED]):
        _remove_address(session, rule, batch, person.email)


def _delete(session: Session, rule: Rule, keys: Sequence[Any]) -> None:
    if rule.delete:
        rule.delete(session, keys)
    else:
        session.execute(sa.delete(rule.source).where(rule.key.in_(keys)))


def _remove_address(session: Session, rule: Rule, rows: Sequence[Row], email: str) -> None:
    change = sa.update(rule.source).where(rule.key == sa.bindparam("of_row"))
    changed = ({name: without_address(row[name], email) for name in rule.texts} for row in rows)
    session.connection().execute(
        change,
        [
            {"of_row": row[rule.key.name]} | texts | refolded(rule.source, texts)
            for row, texts in zip(rows, changed, strict=True)
        ],
    )
