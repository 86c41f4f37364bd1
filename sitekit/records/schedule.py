"""What happens to drafts at their times: they are published, and their records hidden."""

from collections.abc import Mapping

import sqlalchemy as sa
from sqlmodel import Session

from ..base.db.database import now
from ..base.observability.audit_log import AuditEvent
from ..base.permissions import Actor, require
from ..base.site_pages import expecting
from . import activity, bulk, drafts, preview_links, saving, versions
from .draft_authors import CONFIRMED
from .draft_times import HIDE_AT, input_time
from .proposals import Proposal, ProposalState, columns
from .publishing import pages_of_drafts
from .record_type import AnyRecordType
from .revisions import RevisionSource, change_context


def due(session: Session, record_types: Mapping[str, AnyRecordType]) -> list[tuple[str, int, int | None]]:
    """The drafts whose time has come: table, id, and who scheduled each; none of records in the trash."""
    at = now()
    is_due = sa.or_(columns.publish_at <= at, columns.hide_at <= at)
    query = sa.select(columns.of_table, columns.id, columns.by).where(
        columns.state == ProposalState.SCHEDULED.value,
        is_due,
        columns.of_table.in_(record_types),
        drafts.is_kept(record_types.values()),
    )
    return [(row.of_table, row.id, row.by) for row in session.execute(query.order_by(columns.id))]


def carry_out(session: Session, actor: Actor, record_type: AnyRecordType, draft: int) -> bool:
    """Publish a draft and hide its record, if their times have come; False if another process has done it.

    Raises `InvalidInput` if a rule fails or the slug is taken, and `Conflict` if the record was saved since.
    """
    require(actor, record_type.change_action)
    found, at = drafts.get(session, actor, record_type, draft, is_locked=True), now()
    if found.state != ProposalState.SCHEDULED:
        return False
    change_context(session).via = RevisionSource.SCHEDULE
    is_published, is_hidden = (time is not None and time <= at for time in (found.publish_at, found.hide_at))
    if is_published:
        # Pages that begin at the same time may lead to each other.
        with expecting(session, pages_of_drafts(session, columns.state == found.state, columns.publish_at <= at)):
            _publish(session, actor, record_type, found)
    if is_hidden:
        _hide(session, actor, record_type, found)
    return is_published or is_hidden


def block(session: Session, record_type: AnyRecordType, draft: int, problem: str) -> Proposal | None:
    """Let a draft that could not be published wait for somebody; None if another process has done that."""
    query = sa.select(Proposal).where(
        columns.id == draft,
        columns.of_table == record_type.table_name,
        columns.state == ProposalState.SCHEDULED.value,
    )
    found = session.execute(query.with_for_update()).scalar_one_or_none()
    if found:
        found.state, found.problem = ProposalState.BLOCKED, problem
        found.publish_at = found.hide_at = None
        found.version += 1
        blocked, name = AuditEvent.DRAFT_BLOCKED, preview_links.name_of(session, found, record_type)
        activity.log(session, blocked, name, of_table=found.of_table, record_id=found.record_id)
        session.flush()
    return found


def _publish(session: Session, actor: Actor, record_type: AnyRecordType, draft: Proposal) -> None:
    record, inputs = draft.record_id, draft.inputs
    if record:
        stored = record_type.get_stored(session, actor, record)
        read = record_type.data_class.read(inputs, stored.inputs() if stored else {})
        record_type.update(session, actor, record, read, draft.base_version)
    else:
        record = record_type.create(session, actor, record_type.data_class.read(inputs))
    # The person who scheduled it was asked then, and others were told.
    typed = {HIDE_AT: input_time(draft.hide_at), "then": CONFIRMED}
    drafts.finish_publishing(session, actor, record_type, draft, record, typed)


def _hide(session: Session, actor: Actor, record_type: AnyRecordType, draft: Proposal) -> None:
    record = saving.load(session, record_type.table, draft.record_id, saving.gone(record_type.texts.update_failed))
    is_changed = versions.is_changed(session, record, draft.base_version)
    bulk.set_public(session, actor, record_type, [int(draft.record_id or 0)], is_public=False)
    if draft.inputs is None:
        session.delete(draft)
    else:
        draft.base_version = draft.base_version if is_changed else record.version
        draft.hide_at, draft.version = None, draft.version + 1
        draft.state = ProposalState.SCHEDULED if draft.publish_at else ProposalState.OPEN
    session.flush()
