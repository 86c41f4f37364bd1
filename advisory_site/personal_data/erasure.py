"""Erases the data about an email address in one transaction, and reports what was deleted and what stays."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..accounts import service
from ..core.errors import Conflict, NotFound
from ..core.permissions import Action, Actor, require
from ..observability.audit_log import Act
from ..records import activity
from . import texts as words
from .addresses import Person, without_address
from .rules import ACTIVITY, RULES, Fate, Relation, Rule
from .search import Found, Row, Survey, batches, person_of, rows_of, survey


@dataclass(frozen=True)
class Outcome:
    """What erasing does, in sentences: what goes, and what stays and why."""

    goes: tuple[str, ...]
    stays: tuple[str, ...]


def look_up(session: Session, actor: Actor, address: object) -> Survey:
    """The data about an address. Raises `InvalidInput` if it is not one."""
    require(actor, Action.MANAGE_PERSONAL_DATA)
    return survey(session, person_of(session, address))


def erase(session: Session, actor: Actor, address: object) -> Outcome:
    """Erase the data about an address, with its account.

    Raises `NotFound` if nothing is held, and `Conflict` for the last admin and for the actor's own account.
    """
    require(actor, Action.MANAGE_PERSONAL_DATA)
    if person_of(session, address).user_id == actor.user_id:
        raise Conflict(words.OWN_ACCOUNT)
    return erase_address(session, address, by=actor.user_id)


def erase_address(session: Session, address: object, by: int | None = None) -> Outcome:
    """Erase the data about an address without checking an actor, for the command line."""
    person = person_of(session, address)
    seen = survey(session, person)
    if not seen.found:
        raise NotFound(words.NOTHING.format(email=person.email))
    if person.user_id:
        service.delete_account(session, person.user_id)
    # Also the activity if it had nothing: deleting the account has noted the address.
    found = {one.rule for one in seen.found} | {ACTIVITY}
    for rule in RULES:
        if rule in found:
            _apply(session, rule, person)
    # Without the address, which would otherwise be held again.
    activity.note(session, Act.PERSONAL_DATA_ERASED, f"{seen.total} rows", by=by)
    return outcome_of(seen)


def outcome_of(seen: Survey) -> Outcome:
    """The effect of erasing the found rows: what is deleted and what is kept."""
    goes = tuple(line for found in seen.found for line in _goes(found))
    stays = tuple(line for found in seen.found for line in _stays(found))
    return Outcome(goes or (words.GOES_NOTHING,), stays + words.ELSEWHERE)


def _goes(found: Found) -> Iterator[str]:
    for fate, sentence in ((Fate.DELETED, words.DELETED), (Fate.ADDRESS_REMOVED, words.ADDRESS_REMOVED)):
        if count := _count(found, fate):
            yield sentence.format(title=found.rule.title, count=f"{count:,}")


def _stays(found: Found) -> Iterator[str]:
    rule, reasons = found.rule, Counter[str]()
    for relation, count in found.counts.items():
        is_author = relation == Relation.AUTHOR and rule.why_author
        if rule.fates[relation] != Fate.DELETED:
            reasons[rule.why_author if is_author else rule.why] += count
    for why, count in reasons.items():
        if why:
            yield words.KEPT.format(title=rule.title, count=f"{count:,}", why=why)


def _count(found: Found, fate: Fate) -> int:
    return sum(count for relation, count in found.counts.items() if found.rule.fates[relation] == fate)


def _apply(session: Session, rule: Rule, person: Person) -> None:
    rows: dict[Fate, list[Row]] = {fate: [] for fate in Fate}
    for row, relation in rows_of(session, rule, person):
        fate = rule.fates[relation]
        names = (rule.key.name, *rule.texts) if fate == Fate.ADDRESS_REMOVED else (rule.key.name,)
        rows[fate].append({name: row[name] for name in names})
    for some in batches(rows[Fate.DELETED]):
        _delete(session, rule, [row[rule.key.name] for row in some])
    for some in batches(rows[Fate.ADDRESS_REMOVED]):
        _remove_address(session, rule, some, person.email)


def _delete(session: Session, rule: Rule, keys: Sequence[Any]) -> None:
    if rule.delete:
        rule.delete(session, keys)
    else:
        session.execute(sa.delete(rule.source).where(rule.key.in_(keys)))


def _remove_address(session: Session, rule: Rule, rows: Sequence[Row], email: str) -> None:
    change = sa.update(rule.source).where(rule.key == sa.bindparam("of_row"))
    changed = ({name: without_address(row[name], email) for name in rule.texts} for row in rows)
    values = [{"of_row": row[rule.key.name]} | texts for row, texts in zip(rows, changed, strict=True)]
    session.connection().execute(change.values({name: sa.bindparam(name) for name in rule.texts}), values)
