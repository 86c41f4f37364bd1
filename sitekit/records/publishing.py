"""What keeps a draft from being published, found before its time and said with the labels of the fields."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..base.errors import InvalidInput, ServiceError
from ..base.permissions import Actor, require
from ..base.site_pages import expecting
from .batch import slugs_of
from .features import record_types
from .fields.group import label_of
from .pictures.held import ALT, DECORATIVE
from .proposals import ProposalState, columns
from .record_form import RecordForm
from .record_type import AnyRecordType

MOST_NAMED = 3


def refusals(
    session: Session, actor: Actor, record_type: AnyRecordType, inputs: Mapping[str, Any], stored: RecordForm | None
) -> dict[str, str]:
    """The sentences about what would be refused if these inputs were published now. Writes nothing.

    Links may lead to the pages of other drafts.
    """
    require(actor, record_type.read_action)
    form = stored or record_type.blank_form()
    valid = record_type.data_class.read_valid(inputs, form)
    record = session.get(record_type.table, stored.id) if stored else None
    edit = replace(record_type.edit(record, form, valid) if record else record_type.new_edit(valid), typed={})
    checks: list[Callable[[], object]] = [partial(record_type.data_class.read, inputs, form.inputs() if stored else {})]
    for name, each in record_type.fields.items():
        checks.append(partial(each.field_type.prepare, session, actor, name, [edit]))
        # A description that was typed is not stored yet.
        if not (inputs.get(name + ALT) or inputs.get(name + DECORATIVE)):
            checks.append(partial(each.field_type.check_shown, session, record_type.publishing, name, [edit]))
    checks.append(partial(slugs_of, session, record_type, [edit]))
    sentences: dict[str, str] = {}
    with expecting(session, pages_of_drafts(session)):
        for check in checks:
            try:
                check()
            except InvalidInput as refused:
                sentences |= refused.fields
    return sentences


def explain(record_type: AnyRecordType, error: ServiceError) -> str:
    """Why something was refused, with the labels of the first fields that are concerned."""
    if not isinstance(error, InvalidInput) or not error.fields:
        return error.message
    named = list(error.fields.items())[:MOST_NAMED]
    return " ".join(f"{label_of(record_type.fields, name)}: {sentence}" for name, sentence in named)


def pages_of_drafts(session: Session, *which: sa.ColumnElement[bool]) -> Iterator[str]:
    """The addresses of the pages that drafts will have."""
    is_draft = columns.state != ProposalState.DISCARDED.value, columns.of_table.in_(record_types())
    for row in session.execute(sa.select(columns.of_table, columns.inputs).where(*is_draft, *which)):
        record_type = record_types()[row.of_table]
        values = record_type.data_class.readable(row.inputs or {})
        if values.get(record_type.publishing.column) == record_type.publishing.public:
            yield record_type.page(values.get("slug") or record_type.slug_for(values.get("name") or ""))
