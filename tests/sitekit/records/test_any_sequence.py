"""Any sequence of saves, deletions, restores and undos leaves what a plain model says."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.errors import Conflict, NotFound
from sitekit.base.permissions import Actor
from sitekit.records import bulk, history, trash
from sitekit.records.revisions import change_context, columns
from tests.support.record_types import SAMPLES, Sample
from tests.support.undoing import undo

pytestmark = [pytest.mark.spec("HIST-1", "TRASH-1", "LIST-5")]

RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}
STEPS = 40
NAMES = ("Ann", "Bo", "Cy", "陈美玲", "நளினி")
State = tuple[str, bool] | None  # name and whether it is public; None once deleted


@dataclass
class Model:
    """What the records should be: their states, each record's past ones, and what each batch changed."""

    now: dict[int, State] = field(default_factory=dict)
    past: dict[int, list[tuple[str, State]]] = field(default_factory=dict)

    def put(self, batch: str, record: int, state: State) -> None:
        """A record has this state now."""
        if self.now.get(record) != state or record not in self.now:
            self.now[record] = state
            self.past.setdefault(record, []).append((batch, state))

    def touched(self, batch: str) -> set[int]:
        """The records that a batch changed."""
        return {record for record, states in self.past.items() if any(one == batch for one, _ in states)}

    def before(self, batch: str, record: int) -> State:
        """The state of a record before a batch."""
        states = self.past[record]
        first = next(at for at, (one, _) in enumerate(states) if one == batch)
        return states[first - 1][1] if first else None

    def has_newer(self, batch: str) -> bool:
        """Whether another batch has changed one of a batch's records since."""
        return any(self.past[record][-1][0] != batch for record in self.touched(batch))


class Play:
    """Random acts, each in a transaction of its own, on the records and on the model."""

    def __init__(self, sample: Sample, database: ModuleType, actor: Actor, seed: int) -> None:
        self.sample, self.record_type, self.database, self.actor = sample, sample.record_type, database, actor
        self.random, self.model, self.batches = random.Random(seed), Model(), list[str]()

    def run(self) -> None:
        acts: list[Callable[[Session, str], None]] = [
            self.create,
            self.save,
            self.save,
            self.publish,
            self.delete,
            self.delete_several,
            self.restore,
            self.restore_revision,
            self.undo,
            self.undo,
        ]
        for _ in range(STEPS):
            with self.database.transaction() as session:
                batch = change_context(session).batch
                self.random.choice(acts)(session, batch)
            self.batches.append(batch)
            self.compare()

    def create(self, session: Session, batch: str) -> None:
        name = self.random.choice(NAMES)
        slug = {"slug": f"s{len(self.model.now)}"} if self.record_type is SAMPLES["companies"].record_type else {}
        record = self.record_type.create(session, self.actor, self.sample.data(name=name, **slug))
        self.model.put(batch, record, (name, True))

    def save(self, session: Session, batch: str) -> None:
        for record in self.some(1):
            form = self.record_type.get_stored(session, self.actor, record)
            assert form is not None
            name, inputs = self.random.choice(NAMES), form.inputs()
            data = self.record_type.data_class.read(inputs | {"name": name}, inputs)
            self.record_type.update(session, self.actor, record, data, form.version)
            state = self.model.now[record]
            assert state is not None
            self.model.put(batch, record, (name, state[1]))

    def publish(self, session: Session, batch: str) -> None:
        is_public, records = self.random.random() < 0.5, self.some(3)
        bulk.set_public(session, self.actor, self.record_type, records, is_public)
        for record in records:
            state = self.model.now[record]
            assert state is not None
            self.model.put(batch, record, (state[0], is_public))

    def delete(self, session: Session, batch: str) -> None:
        for record in self.some(1):
            self.record_type.delete(session, self.actor, record)
            self.model.put(batch, record, None)

    def delete_several(self, session: Session, batch: str) -> None:
        records = self.some(3)
        bulk.delete(session, self.actor, self.record_type, records)
        for record in records:
            self.model.put(batch, record, None)

    def restore(self, session: Session, batch: str) -> None:
        for record in self.some(1, deleted=True):
            trash.restore(session, self.actor, self.record_type, record)
            self.model.put(batch, record, next(state for _, state in reversed(self.model.past[record]) if state))

    def restore_revision(self, session: Session, batch: str) -> None:
        for record in self.some(1):
            lines = history.list_revisions(session, self.actor, self.record_type, record)
            chosen = self.random.choice(lines)
            snapshot = history.get_snapshot(session, self.actor, self.record_type, record, chosen.number)
            history.restore_revision(session, self.actor, self.record_type, record, chosen.number)
            publishing = self.record_type.publishing
            self.model.put(batch, record, (snapshot["name"], snapshot[publishing.column] == publishing.public))

    def undo(self, session: Session, batch: str) -> None:
        if not self.batches:
            return
        wanted = self.random.choice(self.batches[-4:])
        touched = self.model.touched(wanted)
        try:
            undo(session, self.actor, RECORD_TYPES, wanted)
        except NotFound:
            assert not touched
        except Conflict:
            assert self.model.has_newer(wanted)
        else:
            assert touched
            assert not self.model.has_newer(wanted)
            for record in touched:
                self.model.put(batch, record, self.model.before(wanted, record))

    def some(self, most: int, *, deleted: bool = False) -> list[int]:
        found = [record for record, state in self.model.now.items() if (state is None) == deleted]
        return self.random.sample(found, min(most, len(found)))

    def compare(self) -> None:
        """The records are as the model has them, and so are the version and the last revision of each."""
        publishing, table = self.record_type.publishing, self.record_type.columns
        with self.database.read_session() as session:
            stored = {row.id: row for row in session.execute(sa.select(*table))}
            newest = sa.select(*columns).where(columns.of_table == self.record_type.table_name).order_by(columns.number)
            last: dict[int, Any] = {row.record_id: row for row in session.execute(newest)}
        for record, state in self.model.now.items():
            row = stored.get(record)
            has = (row.name, row._mapping[publishing.column] == publishing.public) if row else None
            assert has == state
            assert (last[record].action == "deleted") == (state is None)
            if row:
                assert (last[record].number, last[record].label) == (row.version, row.name)
        assert set(stored) == {record for record, state in self.model.now.items() if state}


@pytest.mark.parametrize("seed", range(2))
def test_any_sequence_of_operations_matches_a_simple_model(
    sample: Sample, database: ModuleType, actor: Actor, seed: int
) -> None:
    Play(sample, database, actor, seed).run()
