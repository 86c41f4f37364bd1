"""A process that is killed amid saves and deletions: records, revisions and the content version always agree."""

import os
import subprocess
import sys
import time
from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.core.permissions import Actor
from advisory_site.db.database import ContentVersion, read_session, transaction
from advisory_site.records.activity import columns as activity
from advisory_site.records.revisions import columns
from advisory_site.team.models import columns as members
from tests.conftest import ROOT
from tests.support.factories import add_member

WRITE_FOREVER = """
import sys
from advisory_site.core.permissions import Actor, Role
from advisory_site.db.database import transaction
from advisory_site.ops import tables
from advisory_site.records import trash
from advisory_site.records.saving import write
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS

actor = Actor(int(sys.argv[1]), Role.EMPLOYEE)
print("ready", flush=True)
for number in range(10_000):
    record = number % 5 + 1
    with transaction() as session:
        stored = session.get(TeamMember, record)
        if stored is None:
            trash.restore(session, actor, MEMBERS, record)
        elif number % 3:
            write(session, stored, {"name": f"Ann {number}"}, actor)
        else:
            MEMBERS.delete(session, actor, record)
"""


@pytest.mark.spec("HIST-1")
def test_records_and_revisions_agree_after_a_kill(database: ModuleType, actor: Actor) -> None:
    with transaction() as session:
        for _ in range(5):
            add_member(session)
    content = content_version() - revisions()
    for pause in (0.05, 0.11, 0.17):
        enough = revisions() + 10
        process = subprocess.Popen(
            [sys.executable, "-c", WRITE_FOREVER, str(actor.user_id)],
            cwd=ROOT,
            env=dict(os.environ),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        while revisions() < enough:  # as soon as possible, so that the kill comes amid writing
            time.sleep(0.01)
        time.sleep(pause)
        process.kill()
        process.communicate()
        agree()
        assert content_version() - revisions() == content


def revisions() -> int:
    with read_session() as session:
        return int(session.execute(sa.select(sa.func.count(columns.id))).scalar_one())


def content_version() -> int:
    with read_session() as session:
        return int(session.execute(sa.select(col(ContentVersion.number))).scalar_one())


def agree() -> None:
    """The last revision of each record has its version and name, or says that it was deleted."""
    with read_session() as session:
        stored = {row.id: (row.version, row.name) for row in session.execute(sa.select(*members))}
        written = session.execute(sa.select(*columns).order_by(columns.number)).all()
        acts = session.execute(sa.select(sa.func.count()).where(activity.record_id.is_not(None))).scalar_one()
    last = {one.record_id: one for one in written}
    assert {one for one, row in last.items() if row.action != "deleted"} == set(stored)
    assert {one: (last[one].number, last[one].label) for one in stored} == stored
    for record, row in last.items():
        assert [one.number for one in written if one.record_id == record] == list(range(1, row.number + 1))
    assert acts == len(written)
