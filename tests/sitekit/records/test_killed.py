"""A process that is killed amid saves and deletions: records, revisions and the content version always agree."""

import os
import subprocess
import sys
import time
from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.team.models import columns as members
from sitekit.base.db.database import ContentVersion, read_session, transaction
from sitekit.base.permissions import Actor
from sitekit.records.activity import columns as activity
from sitekit.records.proposals import columns as proposals
from sitekit.records.revisions import columns
from tests.conftest import ROOT
from tests.support.factories import add_member

WRITE_FOREVER = """
import sys
from advisory_site.__main__ import hand_over
from sitekit.base.permissions import Actor, Role
from sitekit.base.db.database import transaction
from sitekit.ops import tables
from sitekit.records import trash
from sitekit.records.saving import write
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS

hand_over()
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

PUBLISH_FOREVER = """
import sys
from datetime import timedelta
import sqlalchemy as sa
from advisory_site.__main__ import hand_over
from sitekit.base.permissions import Actor, Role
from sitekit.base.db.database import now, transaction
from sitekit.ops import tables
from sitekit.records import drafts, schedule
from sitekit.records.proposals import columns
from advisory_site.team.service import MEMBERS

hand_over()
actor = Actor(int(sys.argv[1]), Role.EMPLOYEE)
print("ready", flush=True)
for number in range(10_000):
    record = number % 5 + 1
    with transaction() as session:
        if drafts.of_record(session, actor, MEMBERS, record) is None:
            form = MEMBERS.get_stored(session, actor, record)
            texts = {"name": f"Ann {form.version}", "designation": "Partner", "bio": "Builds", "detailed_bio": "Builds"}
            typed = {**form.inputs(), **texts, "email": "ann@firm.example", "image_url": "https://images.example/a.webp"}
            drafts.save(session, actor, MEMBERS, record, {**typed, "version": str(form.version)})
    with transaction() as session:
        due = {"state": "scheduled", "publish_at": now() - timedelta(seconds=1), "by": actor.user_id}
        session.execute(sa.update(columns.id.table).values(due))
    with transaction() as session:
        due = schedule.due(session, {"team_members": MEMBERS})
    for _, draft, _ in due:
        with transaction() as session:
            schedule.carry_out(session, actor, MEMBERS, draft)
"""


@pytest.mark.spec("DRAFT-5", "DRAFT-10")
def test_a_draft_is_published_whole_or_not_at_all_when_the_process_is_killed(
    database: ModuleType, actor: Actor
) -> None:
    with transaction() as session:
        for _ in range(5):
            add_member(session)
    content = content_version() - revisions()
    while revisions() < 200:
        kill_amid(PUBLISH_FOREVER, actor, revisions() + 50)
        agree()
        assert content_version() - revisions() == content
        with read_session() as session:
            stored = {row.id: row for row in session.execute(sa.select(*members))}
            for draft in session.execute(sa.select(*proposals)):
                assert draft.base_version == stored[draft.record_id].version
                assert draft.inputs["name"] == f"Ann {draft.base_version}"
            by_time = sa.select(sa.func.count()).where(columns.via == "schedule")
            published = sa.select(sa.func.count()).where(activity.act == "draft_published")
            assert session.execute(by_time).scalar() == session.execute(published).scalar()


@pytest.mark.spec("HIST-1")
def test_records_and_revisions_agree_after_the_process_is_killed(database: ModuleType, actor: Actor) -> None:
    with transaction() as session:
        for _ in range(5):
            add_member(session)
    content = content_version() - revisions()
    for _ in range(3):
        kill_amid(WRITE_FOREVER, actor, revisions() + 10)
        agree()
        assert content_version() - revisions() == content


def kill_amid(script: str, actor: Actor, enough: int) -> None:
    """Run a script until there are enough revisions, and kill it while it is writing."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(actor.user_id)],
        cwd=ROOT,
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    while revisions() < enough:  # as soon as possible, so that the kill comes amid writing
        time.sleep(0.01)
        assert process.poll() is None
    time.sleep(0.05 + enough % 7 / 50)
    process.kill()
    process.communicate()


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
        changes = activity.act.in_(["created", "saved", "deleted", "restored"])
        acts = session.execute(sa.select(sa.func.count()).where(changes)).scalar_one()
    last = {one.record_id: one for one in written}
    assert {one for one, row in last.items() if row.action != "deleted"} == set(stored)
    assert {one: (last[one].number, last[one].label) for one in stored} == stored
    for record, row in last.items():
        assert [one.number for one in written if one.record_id == record] == list(range(1, row.number + 1))
    assert acts == len(written)
