"""What all record types do with their records: read them for visitors, and open, save and delete them for staff."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Annotated, Any

import pytest
import sqlalchemy as sa
from sqlmodel import Field, Session

from advisory_site.core.errors import Conflict, Forbidden, InvalidInput, NotFound, SavedSince
from advisory_site.core.permissions import Action, Actor
from advisory_site.core.text import iso_text, slugify_plain
from advisory_site.records import bulk, history, ordering, pictures, saving, trash, undo
from advisory_site.records.comparison import compare
from advisory_site.records.form_fields import Line
from advisory_site.records.inputs import Input
from advisory_site.records.listing import ListOptions, ListQuery
from advisory_site.records.record import Publishing, Record
from advisory_site.records.record_type import AnyRecordType, RecordType
from advisory_site.records.revisions import attribute
from advisory_site.records.saving import LastSave
from tests.conftest import on_postgresql
from tests.support.factories import add_actor
from tests.support.hostile_slugs import HOSTILE_SLUGS
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import statements

WITH_TYPED_SLUG = [SAMPLES["companies"], SAMPLES["advisors"]]


def stored(database: ModuleType, sample: Sample, record: int) -> dict[str, Any]:
    with database.read_session() as session:
        row: Record = session.get_one(sample.kind.table, record)
        return row.model_dump()


@pytest.mark.spec("CO-3", "TM-2", "AD-2")
def test_a_hidden_record_is_not_found(sample: Sample, session: Session) -> None:
    sample.add(session, slug="kelp", **sample.hidden)
    with pytest.raises(NotFound, match=sample.kind.texts.missing):
        sample.kind.get_public(session, "kelp")


@pytest.mark.spec("CO-3", "TM-2", "AD-2")
def test_a_hostile_slug_is_not_found_and_costs_no_query(sample: Sample, session: Session) -> None:
    with statements() as sent:
        for slug in HOSTILE_SLUGS:
            with pytest.raises(NotFound):
                sample.kind.get_public(session, slug)
    assert sent == []


def test_slugs_are_listed_with_the_time_of_the_last_change(sample: Sample, session: Session) -> None:
    sample.add(session, slug="b")
    sample.add(session, slug="a")
    sample.add(session, slug="c", **sample.hidden)
    listed = sample.kind.list_slugs_public(session)
    assert [slug for slug, _ in listed] == ["a", "b"]
    assert all(updated_at.tzinfo for _, updated_at in listed)


@pytest.mark.spec("ACO-4", "ATM-2", "AAD-2")
def test_a_form_saved_untouched_by_another_changes_nothing(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.kind.create(session, actor, sample.draft())
        other = add_actor(session)
    before = stored(database, sample, record)
    with database.transaction() as session:
        form = sample.kind.get_stored(session, other, record)
        assert form
        sample.kind.update(session, other, record, sample.kind.draft.read(form.inputs()), form.version)
    assert stored(database, sample, record) == before


@pytest.mark.parametrize("typed", WITH_TYPED_SLUG, ids=lambda typed: typed.kind.table.__tablename__)
@pytest.mark.spec("ACO-8", "AAD-3")
def test_a_typed_slug_in_use_is_refused_beside_its_field(typed: Sample, session: Session, actor: Actor) -> None:
    own = typed.add(session, slug="kelp")
    with pytest.raises(InvalidInput) as caught:
        typed.kind.create(session, actor, typed.draft(slug="kelp"))
    assert list(caught.value.fields) == ["slug"]
    assert not typed.kind.is_slug_free(session, actor, "kelp")
    assert typed.kind.is_slug_free(session, actor, "kelp", except_id=own.id)
    typed.kind.update(session, actor, own.id, typed.draft(slug="kelp"), own.version)


@on_postgresql  # SQLite's writers take turns
@pytest.mark.parametrize("typed", WITH_TYPED_SLUG, ids=lambda typed: typed.kind.table.__tablename__)
@pytest.mark.spec("ACO-8", "AAD-3")
def test_of_two_who_take_a_slug_at_the_same_moment_one_is_told_so(
    typed: Sample, database: ModuleType, actor: Actor
) -> None:
    def take_it_first(*_: Any) -> None:
        with database.transaction() as other:
            typed.add(other, slug="kelp")

    with pytest.raises(InvalidInput) as caught, database.transaction() as session:
        sa.event.listen(database.engine(), "after_cursor_execute", take_it_first, once=True)
        typed.kind.create(session, actor, typed.draft(slug="kelp"))
    assert list(caught.value.fields) == ["slug"]


def test_saving_over_a_newer_change_is_refused_with_who_and_when(
    sample: Sample, database: ModuleType, actor: Actor
) -> None:
    with database.transaction() as session:
        record = sample.kind.create(session, actor, sample.draft(slug="kelp"))
        other = add_actor(session, first_name="Noor", last_name="")
    with database.transaction() as session:
        sample.kind.update(session, other, record, sample.draft(slug="kelp", email="theirs@firm.example"), 1)
    when = stored(database, sample, record)["updated_at"]
    mine = sample.draft(slug="kelp", email="mine@firm.example")
    with pytest.raises(SavedSince) as refused, database.transaction() as session:
        sample.kind.update(session, actor, record, mine, 1)
    assert (refused.value.name, refused.value.at) == ("Noor", when)
    assert stored(database, sample, record)["email"] == "theirs@firm.example"
    with database.transaction() as session:
        sample.kind.update(session, actor, record, mine, 1, overwrite=True)
    after = stored(database, sample, record)
    assert (after["email"], after["updated_by"]) == ("mine@firm.example", actor.user_id)


@on_postgresql  # SQLite's writers take turns
def test_of_two_who_save_at_the_same_moment_one_is_refused(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.kind.create(session, actor, sample.draft(slug="kelp"))

    def save_first(*_: Any) -> None:
        with database.transaction() as other:
            other.get(sample.kind.table, record).email = "theirs@firm.example"

    with pytest.raises(Conflict), database.transaction() as session:
        sa.event.listen(database.engine(), "after_cursor_execute", save_first, once=True)
        draft = sample.draft(slug="kelp", email="mine@firm.example")
        sample.kind.update(session, actor, record, draft, 1, overwrite=True)
    assert stored(database, sample, record)["email"] == "theirs@firm.example"


def test_who_saved_last_is_forgotten_with_their_account(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.kind.create(session, actor, sample.draft())
    with database.transaction() as session:
        session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": actor.user_id})
    assert stored(database, sample, record)["updated_by"] is None


@pytest.mark.spec("ACO-3", "ATM-4", "AAD-5")
def test_a_deleted_record_is_gone_and_deleting_it_again_says_so(sample: Sample, session: Session, actor: Actor) -> None:
    record = sample.add(session, slug="kelp").id
    sample.kind.delete(session, actor, record)
    with pytest.raises(NotFound):
        sample.kind.get_public(session, "kelp")
    with pytest.raises(NotFound, match=f"{sample.kind.texts.delete_failed}: it has already been deleted"):
        sample.kind.delete(session, actor, record)
    with pytest.raises(NotFound, match=sample.kind.texts.update_failed):
        sample.kind.update(session, actor, record, sample.draft(), 1)


def test_an_id_that_cannot_be_one_is_gone(sample: Sample, session: Session, actor: Actor) -> None:
    for record in (None, "", "x", -1, 0, 10**30, "1; --", {"id": 1}, [1]):
        with pytest.raises(NotFound):
            sample.kind.update(session, actor, record, sample.draft(), 1)


@pytest.mark.spec("ACO-4", "ATM-4", "AAD-2")
def test_a_form_of_no_record_cannot_be_fetched(sample: Sample, session: Session, actor: Actor) -> None:
    for wanted in (*HOSTILE_SLUGS, "unknown", "7", "../1"):
        with pytest.raises(NotFound, match=f"^{sample.kind.texts.fetch_failed}$"):
            sample.kind.get_for_edit(session, actor, wanted)


def guarded(sample: Sample, session: Session, nobody: Any) -> list[Callable[[], object]]:
    """A call of every function for staff, by nobody."""
    known = {"session": session, "actor": nobody, "kind": sample.kind, "query": ListQuery(), "draft": sample.draft()}
    known |= {"kinds": {sample.kind.table_name: sample.kind}}
    methods: list[Callable[..., object]] = [one for _, one in inspect.getmembers(sample.kind, inspect.ismethod)]
    plain: list[Callable[..., object]] = [
        one
        for module in (bulk, history, ordering, pictures, trash, undo)
        for _, one in inspect.getmembers(module, inspect.isfunction)
        if one.__module__ == module.__name__ and not one.__name__.startswith("_")
    ]
    found = [one for one in [*methods, *plain] if "actor" in inspect.signature(one).parameters]
    return [
        lambda one=one: one(**{name: known.get(name, 1) for name in inspect.signature(one).parameters})  # type: ignore[misc]
        for one in found
    ]


@pytest.mark.spec("ROLE-4")
def test_nobody_manages_records_without_a_role(sample: Sample, session: Session) -> None:
    attempts = guarded(sample, session, None)
    assert len(attempts) >= 25
    for attempt in attempts:
        with pytest.raises(Forbidden):
            attempt()


def test_every_change_makes_rendered_pages_stale_unless_rolled_back(
    sample: Sample, database: ModuleType, actor: Actor
) -> None:
    versions: list[int] = [database.content_version()]

    def changed() -> bool:
        versions.append(database.content_version())
        return versions[-1] > versions[-2]

    with database.transaction() as session:
        record = sample.kind.create(session, actor, sample.draft(slug="kelp"))
    assert changed()
    with database.transaction() as session:
        sample.kind.update(session, actor, record, sample.draft(slug="kelp", name="New"), 1)
    assert changed()
    with pytest.raises(RuntimeError), database.transaction() as session:
        sample.kind.delete(session, actor, record)
        raise RuntimeError
    assert not changed()
    with database.transaction() as session:
        sample.kind.delete(session, actor, record)
    assert changed()


@pytest.mark.spec("ACO-4")
def test_the_last_save_names_who_and_when_and_the_page_while_it_is_public(
    sample: Sample, session: Session, actor: Actor
) -> None:
    attribute(session, actor.user_id)
    record = sample.add(session, slug="kelp", updated_by=actor.user_id)
    saved = sample.kind.last_save(session, actor, record.id)
    assert (saved.name, saved.at, saved.page) == ("Wei Tan", iso_text(record.updated_at), sample.kind.page("kelp"))
    setattr(record, sample.kind.publishing.column, sample.kind.publishing.hidden)
    session.flush()
    saved = sample.kind.last_save(session, actor, record.id)
    assert (saved.name, saved.page) == ("Wei Tan", "")
    assert sample.kind.last_save(session, actor, 0) == LastSave()


@pytest.mark.spec("HIST-4")
def test_the_last_save_keeps_the_name_of_a_deleted_account_and_tells_of_a_command(
    sample: Sample, database: ModuleType, actor: Actor
) -> None:
    with database.transaction() as session:
        record = sample.kind.create(session, actor, sample.draft())
        other = add_actor(session)
    with database.transaction() as session:
        session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": actor.user_id})
    with database.transaction() as session:
        saved = sample.kind.last_save(session, other, record)
        assert (saved.name, saved.is_command) == ("Wei Tan", False)
        session.get_one(sample.kind.table, record).email = "by@command.example"
        session.flush()
        saved = sample.kind.last_save(session, other, record)
        assert (saved.name, saved.is_command) == ("", True)


@pytest.mark.spec("LIST-1")
def test_a_copy_is_a_new_hidden_record_with_the_same_values(sample: Sample, session: Session, actor: Actor) -> None:
    original = sample.add(session, **sample.filled(name="Kelp", email="kelp@firm.example"))
    form = sample.kind.copied_form(session, actor, sample.wanted(original))
    assert (form.id, form.version, form.texts["name"]) == (0, 0, "Kelp (copy)")
    copy = sample.kind.create(session, actor, sample.kind.draft.read(form.inputs() | {"slug": "copy"}))
    row = session.get_one(sample.kind.table, copy)
    assert row.email == "kelp@firm.example"
    assert [card.name for card in sample.kind.list_public(session)] == ["Kelp"]


# A field that is added to a record type: one line.


class Probe(Record, table=True):
    """A table that only this test creates; `pronouns` is the field that was added."""

    __tablename__ = "probes"
    metadata = sa.MetaData()

    name: Annotated[Line, Input("Name", is_required=True)]
    slug: str = Field(unique=True)
    is_active: bool = True
    pronouns: Annotated[Line, Input("Pronouns", "Such as: she/her.")] = ""
    updated_by: int | None = None


PROBE = Probe.metadata.tables["probes"].c


@dataclass(frozen=True)
class ProbeShown:
    """What is shown of a probe."""

    id: int = 0
    name: str = ""
    pronouns: str = ""


PROBES = RecordType(
    noun="probe",
    table=Probe,
    card=ProbeShown,
    profile=ProbeShown,
    row=ProbeShown,
    action=Action.MANAGE_ADVISORS,
    publishing=Publishing("is_active", public=True, hidden=False),
    order=("name",),
    options=ListOptions(
        searched=(Probe.metadata.tables["probes"].c.name,),
        sorts={},
        default=(),
        id=Probe.metadata.tables["probes"].c.id,
    ),
    texts=SAMPLES["advisors"].kind.texts,
    slug_for=slugify_plain,
    page="/probes/{}".format,
    tab="probes",
    edit_page="/admin/probes/{}".format,
)


@pytest.mark.spec("AAD-2")
def test_a_field_that_is_added_to_a_table_is_wherever_it_belongs(database: ModuleType, actor: Actor) -> None:
    Probe.metadata.create_all(database.engine())
    assert PROBES.fields["pronouns"].input.label == "Pronouns"
    assert PROBES.blank_form().texts["pronouns"] == ""
    with pytest.raises(InvalidInput) as refused:
        PROBES.draft.read({"name": "Mei", "pronouns": "x" * 201})
    assert list(refused.value.fields) == ["pronouns"]
    with database.transaction() as session:
        record = PROBES.create(session, actor, PROBES.draft.read({"name": "Mei", "pronouns": " she/her "}))
        assert PROBES.get_public(session, "mei").pronouns == "she/her"
        assert [card.pronouns for card in PROBES.list_public(session)] == ["she/her"]
        assert [row.pronouns for row in PROBES.list_admin(session, actor, ListQuery()).rows] == ["she/her"]
        form = PROBES.get_for_edit(session, actor, record)
        assert form.texts["pronouns"] == "she/her"
        changed = PROBES.draft.read(form.inputs() | {"pronouns": "they/them"})
        assert changed.changes(form, session.get_one(Probe, record)) == {"pronouns": "they/them"}
        PROBES.update(session, actor, record, changed, form.version)
        session.flush()
        (change,) = compare(
            PROBES.fields, *(history.get_snapshot(session, actor, PROBES, record, number) for number in (1, 2))
        )
        assert (change.label, change.old, change.new) == ("Pronouns", "she/her", "they/them")
        form, _ = history.form_of_revision(session, actor, PROBES, record, 1)
        assert form.texts["pronouns"] == "she/her"
    Probe.metadata.drop_all(database.engine())


class ProbeBefore(Record, table=True):
    """The table before a migration renamed its column `pronoun`."""

    __tablename__ = "probes"
    metadata = sa.MetaData()

    name: Annotated[Line, Input("Name", is_required=True)]
    slug: str = Field(unique=True)
    is_active: bool = True
    pronoun: Annotated[Line, Input("Pronoun")] = ""
    updated_by: int | None = None


@pytest.mark.spec("HIST-1", "HIST-3")
def test_a_revision_from_before_a_column_was_renamed_is_restored(
    database: ModuleType, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes: AnyRecordType = PROBES
    before = replace(probes, table=ProbeBefore)
    ProbeBefore.metadata.create_all(database.engine())
    with database.transaction() as session:
        record = before.create(session, actor, before.draft.read({"name": "Mei", "pronoun": "she/her"}))
    with database.transaction() as session:
        session.execute(sa.text("ALTER TABLE probes RENAME COLUMN pronoun TO pronouns"))
    with database.transaction() as session:
        saving.write(session, session.get_one(Probe, record), {"pronouns": "they/them"}, actor)
    with database.transaction() as session:
        history.restore_revision(session, actor, PROBES, record, 1)
        assert PROBES.get_public(session, "mei").pronouns == ""
    monkeypatch.setattr(Probe, "__renamed__", {"pronoun": "pronouns"})
    with database.transaction() as session:
        history.restore_revision(session, actor, PROBES, record, 1)
        assert PROBES.get_public(session, "mei").pronouns == "she/her"
    Probe.metadata.drop_all(database.engine())
