"""The demo firm in a database."""

import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.seed import seed
from sitekit.base.permissions import Actor
from sitekit.records.features import record_types
from sitekit.records.inputs import form_of


def test_saving_a_demo_record_as_it_is_changes_nothing(session: Session, actor: Actor) -> None:
    assert seed(session)
    session.flush()
    for record_type in record_types().values():
        for record in session.execute(sa.select(record_type.table)).scalars():
            form = form_of(record, record_type.fields)
            written = record_type.data_class.read(form.inputs()).changes(form, record)
            assert {name for name, value in written.items() if value != getattr(record, name)} == set()
