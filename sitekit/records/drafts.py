"""Drafts of records: what staff typed, kept until it is published, by a press or at its time."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from ..base import messages
from ..base.db.database import delete_some, now
from ..base.errors import Conflict, InvalidInput, NotFound, SavedSince
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Actor, require
from ..base.text import clean_text, one_line, record_id
from ..base.times import iso_text, time_in_zone
from . import activity, draft_authors, preview_links, publishing, saving, versions
from . import draft_texts as texts
from .comparison import compare
from .draft_authors import AUTHORS, Tell
from .draft_times import HIDE_AT, PUBLISH_AT, input_time, typed_times
from .fields.changes import Change
from .fields.field_type import inputs_of
from .form_fields import MOST_ROWS, with_groups
from .pictures.texts import DESCRIBE
from .proposals import Proposal, ProposalState, columns, is_draft, link_columns
from .record_form import RecordForm
from .record_type import AnyRecordType
from .revisions import BATCH, RevisionSource, change_context

# The inputs of a form that are about its draft, beside those of the record.
ID, VERSION = "draft_id", "draft_version"
MOST_CHARACTERS = 500_000
UNDOABLE_FOR = timedelta(days=1)
UNTOUCHED = timedelta(days=182)


@dataclass(frozen=True)
class DraftMark:
    """A draft as lists and forms name it; `label` says in words what is to happen with it, `at` is an ISO text in UTC.

    `record_id` is 0 for the draft of a new record; `is_pending` is false if only its hiding is scheduled. `is_own`: the
    user saved it last. `is_beside`: the form shows what is stored, not the draft.
    """

    id: int = 0
    record_id: int = 0
    name: str = ""
    label: str = ""
    is_blocked: bool = False
    is_pending: bool = False
    is_own: bool = False
    is_beside: bool = False
    by_name: str = ""
    at: str = ""
    problem: str = ""


def of_record(session: Session, actor: Actor, record_type: AnyRecordType, record: int) -> Proposal | None:
    """The draft of a record; None if it has none."""
    require(actor, record_type.read_action)
    query = sa.select(Proposal).where(is_draft(record_type.table_name), columns.record_id == record_id(record))
    return session.execute(query).scalar_one_or_none()


def get(
    session: Session, actor: Actor, record_type: AnyRecordType, draft: object, *, is_locked: bool = False
) -> Proposal:
    """A draft by its id; raises `NotFound` if there is none of this record type."""
    require(actor, record_type.read_action)
    query = sa.select(Proposal).where(is_draft(record_type.table_name), columns.id == record_id(draft))
    query = query.with_for_update() if is_locked else query
    found: Proposal | None = session.execute(query.execution_options(populate_existing=True)).scalar_one_or_none()
    if found is None:
        raise NotFound(texts.GONE)
    return found


def of_list(
    session: Session, actor: Actor, record_type: AnyRecordType, records: Mapping[int, bool]
) -> tuple[dict[int, DraftMark], list[DraftMark]]:
    """The drafts of these records by their ids, which map to whether the record is public, and those of new records."""
    require(actor, record_type.read_action)
    is_listed = sa.or_(columns.record_id.in_(records), columns.record_id.is_(None))
    query = sa.select(Proposal).where(is_draft(record_type.table_name), is_listed).order_by(columns.updated_at.desc())
    rows = session.execute(query).scalars()
    found = [mark(draft, actor, is_public=records.get(draft.record_id or 0, False)) for draft in rows]
    return {each.record_id: each for each in found if each.record_id}, [each for each in found if not each.record_id]


def mark(draft: Proposal, actor: Actor, *, is_public: bool = False, is_beside: bool = False) -> DraftMark:
    """How lists and forms name a draft; `is_public` says whether its record is."""
    is_pending = draft.inputs is not None
    label = texts.LIVE_WITH_DRAFT if is_public and is_pending else texts.DRAFT
    if draft.state == ProposalState.BLOCKED:
        label = texts.NEEDS_A_LOOK
    elif draft.publish_at:
        label = texts.PUBLISHES.format(time=time_in_zone(draft.publish_at))
    elif draft.hide_at and not is_pending:
        label = texts.HIDES.format(time=time_in_zone(draft.hide_at))
    return DraftMark(
        id=draft.id or 0,
        record_id=draft.record_id or 0,
        name=name_of(draft),
        label=label,
        is_blocked=draft.state == ProposalState.BLOCKED,
        is_pending=is_pending,
        is_own=draft.by == actor.user_id,
        is_beside=is_beside,
        by_name=draft.by_name or messages.SOMEONE,
        at=iso_text(draft.updated_at),
        problem=draft.problem,
    )


def saved_text(draft: Proposal) -> str:
    """The reply to saving a draft."""
    if draft.problem:
        return texts.SAVED_NOT_SCHEDULED.format(problem=draft.problem)
    if draft.publish_at:
        return texts.SAVED_PUBLISHES.format(time=time_in_zone(draft.publish_at))
    return texts.SAVED_HIDES.format(time=time_in_zone(draft.hide_at)) if draft.hide_at else texts.SAVED


def name_of(draft: Proposal) -> str:
    """The name that is typed into a draft, or "Untitled"."""
    inputs = draft.inputs if isinstance(draft.inputs, Mapping) else {}
    return one_line(inputs.get("name")) or texts.UNTITLED


def form_with(form: RecordForm, draft: Proposal | None) -> RecordForm:
    """The form of a record with the values of its draft, if it has one, and the inputs about the draft."""
    about = dict.fromkeys((ID, VERSION, PUBLISH_AT, HIDE_AT), "")
    if draft is None:
        return replace(form, texts=form.texts | about)
    about = {
        ID: str(draft.id),
        VERSION: str(draft.version),
        PUBLISH_AT: input_time(draft.publish_at),
        HIDE_AT: input_time(draft.hide_at),
    }
    if not isinstance(draft.inputs, Mapping):
        return replace(form, texts=form.texts | about)
    typed = {name: str(draft.inputs[name]) for name in form.texts if isinstance(draft.inputs.get(name), str)}
    rows = {name: rows for name in form.rows if isinstance(rows := draft.inputs.get(name), list)}
    return replace(form, version=draft.base_version, texts=form.texts | typed | about, rows=form.rows | rows)


def typed_inputs(record_type: AnyRecordType, typed: Mapping[str, object]) -> dict[str, Any]:
    """What a form sends of the fields of a record type, unchecked: texts, and the rows of groups."""
    given, _ = with_groups(typed)
    inputs: dict[str, Any] = {}
    for name in inputs_of(record_type.fields):
        if name in record_type.groups:
            rows = given.get(name)
            fields = record_type.groups[name].fields
            kept = [row for row in rows if isinstance(row, Mapping)][:MOST_ROWS] if isinstance(rows, list) else []
            inputs[name] = [{field: clean_text(row.get(field)) for field in fields} for row in kept]
        else:
            inputs[name] = clean_text(given.get(name))
    return inputs


def wrong_inputs(
    session: Session, actor: Actor, record_type: AnyRecordType, draft: Proposal, stored: RecordForm | None
) -> dict[str, str]:
    """The messages about what is wrong in a draft; what is only missing is so if it kept the draft from its time."""
    if draft.inputs is None:
        return {}
    refused = publishing.refusals(session, actor, record_type, draft.inputs, stored)
    accepted = () if draft.problem else (messages.FIELD_REQUIRED, messages.MARKDOWN_UNDESCRIBED, DESCRIBE)
    return {name: sentence for name, sentence in refused.items() if sentence not in accepted}


def save(
    session: Session,
    actor: Actor,
    record_type: AnyRecordType,
    record: int,
    typed: Mapping[str, object],
    *,
    overwrite: bool = False,
    email: Tell | None = None,
) -> int:
    """Keep what was typed as the draft of a record, 0 for a new one, with its times; returns the draft's id.

    What could not be published now gets no time to be published at; the draft's `problem` says why. Raises `SavedSince`
    if another user saved the draft since, or the record of one with a time, unless `overwrite`; `ConfirmationNeeded`
    before others' work, of which `email` tells them, gets a time, unless confirmed; `Conflict` if it is gone, or
    could not be published at its time since, `NotFound` if the record is gone, and `InvalidInput` about the times.
    """
    require(actor, record_type.change_action)
    stored = saving.load(session, record_type.table, record, saving.gone(texts.SAVE_FAILED)) if record else None
    draft = _opened(session, record_type, record, typed, is_checked=not overwrite)
    inputs = typed_inputs(record_type, typed)
    if len(json.dumps(inputs, ensure_ascii=False)) > MOST_CHARACTERS:
        raise InvalidInput(texts.TOO_LONG)
    is_public = stored is not None and getattr(stored, record_type.publishing.column) == record_type.publishing.public
    publish_at, hide_at = typed_times(typed, draft, is_public=is_public)
    base = record_id(typed.get("version"))
    if publish_at and stored is not None:
        # Of another version nothing would be published at that time.
        base = stored.version if overwrite else base
        versions.refuse_if_changed(session, actor, stored, base)
    problem = ""
    if publish_at:
        form = record_type.described_form(session, stored) if stored else None
        if refused := publishing.refusals(session, actor, record_type, inputs, form):
            problem = publishing.explain(record_type, InvalidInput(messages.FIELDS_INVALID, refused))
            publish_at, hide_at = None, hide_at if is_public else None
    rescheduled = draft if draft and publish_at and publish_at != draft.publish_at else None
    draft_authors.ask(session, actor, rescheduled, texts.SCHEDULE, typed)
    inputs[AUTHORS] = sorted(draft_authors.authors(draft) | {actor.user_id})
    if draft is None:
        draft = Proposal(of_table=record_type.table_name, record_id=record or None, version=0)
    was = draft.publish_at, draft.hide_at
    draft.inputs, draft.base_version = inputs, base
    draft.publish_at, draft.hide_at = publish_at, hide_at
    draft.state = ProposalState.SCHEDULED if publish_at or hide_at else ProposalState.OPEN
    draft.problem = problem
    _write(session, actor, draft)
    is_scheduled = (publish_at, hide_at) not in ((None, None), was)
    audit_event = AuditEvent.DRAFT_SCHEDULED if is_scheduled else AuditEvent.DRAFT_SAVED
    preview_links.log(session, audit_event, actor, draft, record_type)
    if rescheduled:
        draft_authors.tell(session, actor, record_type, draft, email, publish_at)
    return int(draft.id or 0)


def begin_publishing(
    session: Session,
    actor: Actor,
    record_type: AnyRecordType,
    record: int,
    typed: Mapping[str, object],
    *,
    overwrite: bool,
) -> Proposal | None:
    """The draft that a form publishes, locked; None for a form without one. What is saved next names it as its source.

    A form without one leaves that of its record alone. Raises `SavedSince` if another user saved it since, unless
    `overwrite`, and `Conflict` if it was published, or could not be at its time.
    """
    require(actor, record_type.change_action)
    if not record_id(typed.get(ID)):
        return None
    draft = _opened(session, record_type, record, typed, is_checked=not overwrite)
    if draft and draft.inputs is not None:
        change_context(session).via = RevisionSource.DRAFT
    return draft


def finish_publishing(
    session: Session,
    actor: Actor,
    record_type: AnyRecordType,
    draft: Proposal | None,
    record: int,
    typed: Mapping[str, object],
    email: Tell | None = None,
) -> None:
    """Remove the draft whose values were saved as this record, unless its hiding is scheduled, and tell its authors.

    Raises `ConfirmationNeeded` if others worked on it, unless confirmed, and `InvalidInput` about the time to hide
    it; one to publish at is dropped.
    """
    require(actor, record_type.change_action)
    draft_authors.ask(session, actor, draft, texts.PUBLISH, typed)
    stored = saving.load(session, record_type.table, record, saving.gone(record_type.texts.update_failed))
    is_public = getattr(stored, record_type.publishing.column) == record_type.publishing.public
    _, hide_at = typed_times({HIDE_AT: typed.get(HIDE_AT)}, draft, is_public=is_public)
    if draft and draft.inputs is not None:
        draft.record_id = record
        preview_links.log(session, AuditEvent.DRAFT_PUBLISHED, actor, draft, record_type)
        preview_links.note_published(session, int(draft.id or 0), record)
        draft_authors.tell(session, actor, record_type, draft, email, None)
        draft.inputs, draft.publish_at, draft.problem = None, None, ""
    if hide_at:
        draft = draft or of_record(session, actor, record_type, record)
        if draft and draft.inputs is not None:
            raise InvalidInput(texts.HIDE_IN_DRAFT, {HIDE_AT: texts.HIDE_IN_DRAFT})
        draft = draft or Proposal(of_table=record_type.table_name, record_id=record, version=0)
        is_new = draft.hide_at != hide_at
        draft.hide_at, draft.state = hide_at, ProposalState.SCHEDULED
        _write(session, actor, draft)
        if is_new:
            preview_links.log(session, AuditEvent.DRAFT_SCHEDULED, actor, draft, record_type)
    elif draft:
        session.delete(draft)
        session.flush()


def discard(session: Session, actor: Actor, record_type: AnyRecordType, draft: object) -> str:
    """Discard a draft; returns the batch with which `bring_back` undoes it. Raises `NotFound` if it is gone."""
    require(actor, record_type.change_action)
    found = get(session, actor, record_type, draft, is_locked=True)
    found.state, found.batch = ProposalState.DISCARDED, uuid4().hex
    _write(session, actor, found)
    preview_links.log(session, AuditEvent.DRAFT_DISCARDED, actor, found, record_type)
    return str(found.batch)


def bring_back(session: Session, actor: Actor, record_types: Mapping[str, AnyRecordType], batch: object) -> str | None:
    """Undo the discarding of a draft by this user; returns its name, or None if the batch is none of a draft.

    Raises `Conflict` if the record has another draft now.
    """
    discarded = sa.and_(columns.state == ProposalState.DISCARDED.value, columns.by == actor.user_id)
    query = sa.select(Proposal).where(discarded, columns.batch == batch).with_for_update()
    is_batch = isinstance(batch, str) and BATCH.fullmatch(batch)
    draft = session.execute(query).scalar_one_or_none() if is_batch else None
    if draft is None or draft.of_table not in record_types:
        return None
    record_type = record_types[draft.of_table]
    require(actor, record_type.change_action)
    draft.batch = None
    draft.state = ProposalState.SCHEDULED if draft.publish_at or draft.hide_at else ProposalState.OPEN
    try:
        _write(session, actor, draft)
    except IntegrityError as error:
        raise Conflict(texts.TAKEN) from error
    preview_links.log(session, AuditEvent.DRAFT_SAVED, actor, draft, record_type)
    return preview_links.name_of(session, draft, record_type)


def changes(session: Session, actor: Actor, record_type: AnyRecordType, draft: object) -> tuple[Change, ...]:
    """What a draft changes of its record, or of a blank one; what is typed wrong counts as it is typed."""
    found = get(session, actor, record_type, draft)
    record = session.get(record_type.table, found.record_id) if found.record_id else record_type.table()
    if record is None or not isinstance(found.inputs, Mapping):
        return ()
    after = {**record.model_dump(), **found.inputs, **record_type.data_class.readable(found.inputs)}
    return compare(
        record_type.fields, record, after | versions.present_place(session, record, after, found.base_version)
    )


def erase(session: Session, table: str, record: int) -> None:
    """Delete the drafts of a record that is erased."""
    session.execute(sa.delete(columns.id.table).where(columns.of_table == table, columns.record_id == record))


def delete_expired(session: Session, at: datetime, limit: int) -> int:
    """Delete the drafts that were discarded longer ago than Undo works, with the links to their previews."""
    expired = columns.state == ProposalState.DISCARDED.value, columns.updated_at < at - UNDOABLE_FOR
    links = sa.delete(link_columns.id.table)
    session.execute(links.where(link_columns.proposal_id.in_(sa.select(columns.id).where(*expired).limit(limit))))
    return delete_some(session, columns.id, sa.and_(*expired), limit)


def is_kept(record_types: Iterable[AnyRecordType]) -> sa.ColumnElement[bool]:
    """Whether the record of a draft is not in the trash."""
    return sa.or_(
        columns.record_id.is_(None),
        *(
            sa.and_(columns.of_table == one.table_name, columns.record_id.in_(sa.select(one.columns.id)))
            for one in record_types
        ),
    )


def _opened(
    session: Session,
    record_type: AnyRecordType,
    record: int,
    typed: Mapping[str, object],
    *,
    is_checked: bool = True,
) -> Proposal | None:
    """The draft that a form was opened with, locked, as it was then; None if there was none and there still is none."""
    opened = record_id(typed.get(ID))
    of_form = columns.record_id == record if record else sa.and_(columns.id == opened, columns.record_id.is_(None))
    query = sa.select(Proposal).where(is_draft(record_type.table_name), of_form).with_for_update()
    draft: Proposal | None = session.execute(query.execution_options(populate_existing=True)).scalar_one_or_none()
    if draft is None:
        if opened and not record:
            raise Conflict(texts.GONE)
        return None
    seen = record_id(typed.get(VERSION))
    if is_checked and (draft.id != opened or draft.version != seen):
        if draft.state == ProposalState.BLOCKED and draft.version - 1 == seen:
            raise Conflict(texts.BLOCKED_SINCE.format(problem=draft.problem))
        raise SavedSince(draft.by_name or messages.SOMEONE, draft.updated_at, int(draft.id or 0))
    return draft


def _write(session: Session, actor: Actor, draft: Proposal) -> None:
    draft.version += 1
    draft.by, draft.updated_at = actor.user_id, now()
    draft.by_name = activity.name_of(actor.user_id)  # read by the statement that writes it
    session.add(draft)
    try:
        session.flush()
    except IntegrityError as error:
        raise Conflict(messages.SAVED_JUST_NOW) from error
