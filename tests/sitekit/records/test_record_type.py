"""What all record types do with their records: read them for visitors, and open, save and delete them for staff."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Annotated, Any

import pytest
import sqlalchemy as sa
from sqlmodel import Field, Session

from advisory_site.permissions import SiteAction
from sitekit.base import permissions
from sitekit.base.db.database import now
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound, SavedSince
from sitekit.base.permissions import Actor
from sitekit.base.text import slugify_plain
from sitekit.base.times import iso_text
from sitekit.records import (
    batch,
    bulk,
    csv_import,
    drafts,
    history,
    ordering,
    publishing,
    saving,
    schedule,
    trash,
    undo,
)
from sitekit.records.comparison import compare
from sitekit.records.fields.field_type import Input
from sitekit.records.fields.line import Line
from sitekit.records.listing import ListOptions, ListQuery
from sitekit.records.pictures import held as pictures
from sitekit.records.record import Publishing, Record
from sitekit.records.record_type import AnyRecordType, RecordType, pages_in
from sitekit.records.revisions import set_author
from sitekit.records.saving import LastSave
from tests.conftest import on_postgresql
from tests.support.factories import add_actor
from tests.support.hostile_slugs import HOSTILE_SLUGS
from tests.support.record_types import SAMPLES, Sample
from tests.support.roles import added_role, let_only_read
from tests.support.staff import statements

WITH_TYPED_SLUG = [SAMPLES["companies"], SAMPLES["advisors"]]


def stored(database: ModuleType, sample: Sample, record: int) -> dict[str, Any]:
    with database.read_session() as session:
        row: Record = session.get_one(sample.record_type.table, record)
        return row.model_dump()


@pytest.mark.spec("CO-3", "TM-2", "AD-2")
def test_a_hidden_record_is_not_found(sample: Sample, session: Session) -> None:
    sample.add(session, slug="kelp", **sample.hidden)
    with pytest.raises(NotFound, match=sample.record_type.texts.missing):
        sample.record_type.get_public(session, "kelp")


@pytest.mark.spec("CO-3", "TM-2", "AD-2")
def test_a_hostile_slug_is_not_found_and_costs_no_query(sample: Sample, session: Session) -> None:
    with statements() as sent:
        for slug in HOSTILE_SLUGS:
            with pytest.raises(NotFound):
                sample.record_type.get_public(session, slug)
    assert sent == []


def test_slugs_are_listed_with_the_time_of_the_last_change(sample: Sample, session: Session) -> None:
    sample.add(session, slug="b")
    sample.add(session, slug="a")
    sample.add(session, slug="c", **sample.hidden)
    listed = sample.record_type.list_slugs_public(session)
    assert [slug for slug, _ in listed] == ["a", "b"]
    assert all(updated_at.tzinfo for _, updated_at in listed)


@pytest.mark.spec("ACO-4", "ATM-2", "AAD-2")
def test_saving_an_unchanged_form_changes_nothing(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.record_type.create(session, actor, sample.data())
        other = add_actor(session)
    before = stored(database, sample, record)
    with database.transaction() as session:
        form = sample.record_type.get_stored(session, other, record)
        assert form
        sample.record_type.update(
            session, other, record, sample.record_type.data_class.read(form.inputs()), form.version
        )
    assert stored(database, sample, record) == before


@pytest.mark.parametrize("typed", WITH_TYPED_SLUG, ids=lambda typed: typed.record_type.table.__tablename__)
@pytest.mark.spec("ACO-8", "AAD-3")
def test_a_typed_slug_in_use_is_refused_beside_its_field(typed: Sample, session: Session, actor: Actor) -> None:
    own = typed.add(session, slug="kelp")
    with pytest.raises(InvalidInput) as caught:
        typed.record_type.create(session, actor, typed.data(slug="kelp"))
    assert list(caught.value.fields) == ["slug"]
    assert not typed.record_type.is_slug_free(session, actor, "kelp")
    assert typed.record_type.is_slug_free(session, actor, "kelp", except_id=own.id)
    typed.record_type.update(session, actor, own.id, typed.data(slug="kelp"), own.version)


@on_postgresql  # SQLite's writers take turns
@pytest.mark.parametrize("typed", WITH_TYPED_SLUG, ids=lambda typed: typed.record_type.table.__tablename__)
@pytest.mark.spec("ACO-8", "AAD-3")
def test_a_slug_taken_concurrently_is_refused_beside_its_field(
    typed: Sample, database: ModuleType, actor: Actor
) -> None:
    def take_it_first(*_: Any) -> None:
        with database.transaction() as other:
            typed.add(other, slug="kelp")

    with pytest.raises(InvalidInput) as caught, database.transaction() as session:
        sa.event.listen(database.engine(), "after_cursor_execute", take_it_first, once=True)
        typed.record_type.create(session, actor, typed.data(slug="kelp"))
    assert list(caught.value.fields) == ["slug"]


def test_saving_over_a_newer_change_is_refused_and_says_who_and_when(
    sample: Sample, database: ModuleType, actor: Actor
) -> None:
    with database.transaction() as session:
        record = sample.record_type.create(session, actor, sample.data(slug="kelp"))
        other = add_actor(session, first_name="Noor", last_name="")
    with database.transaction() as session:
        sample.record_type.update(session, other, record, sample.data(slug="kelp", email="theirs@firm.example"), 1)
    when = stored(database, sample, record)["updated_at"]
    mine = sample.data(slug="kelp", email="mine@firm.example")
    with pytest.raises(SavedSince) as refused, database.transaction() as session:
        sample.record_type.update(session, actor, record, mine, 1)
    assert (refused.value.name, refused.value.at) == ("Noor", when)
    assert stored(database, sample, record)["email"] == "theirs@firm.example"
    with database.transaction() as session:
        sample.record_type.update(session, actor, record, mine, 1, overwrite=True)
    after = stored(database, sample, record)
    assert (after["email"], after["updated_by"]) == ("mine@firm.example", actor.user_id)


@on_postgresql  # SQLite's writers take turns
def test_one_of_two_concurrent_saves_is_refused(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.record_type.create(session, actor, sample.data(slug="kelp"))

    def save_first(*_: Any) -> None:
        with database.transaction() as other:
            other.get(sample.record_type.table, record).email = "theirs@firm.example"

    with pytest.raises(Conflict), database.transaction() as session:
        sa.event.listen(database.engine(), "after_cursor_execute", save_first, once=True)
        draft = sample.data(slug="kelp", email="mine@firm.example")
        sample.record_type.update(session, actor, record, draft, 1, overwrite=True)
    assert stored(database, sample, record)["email"] == "theirs@firm.example"


def test_the_last_editor_is_cleared_with_their_account(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.record_type.create(session, actor, sample.data())
    with database.transaction() as session:
        session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": actor.user_id})
    assert stored(database, sample, record)["updated_by"] is None


@pytest.mark.spec("ACO-3", "ATM-4", "AAD-5")
def test_deleting_a_record_twice_is_reported(sample: Sample, session: Session, actor: Actor) -> None:
    record = sample.add(session, slug="kelp").id
    sample.record_type.delete(session, actor, record)
    with pytest.raises(NotFound):
        sample.record_type.get_public(session, "kelp")
    with pytest.raises(NotFound, match=f"{sample.record_type.texts.delete_failed}: it has already been deleted"):
        sample.record_type.delete(session, actor, record)
    with pytest.raises(NotFound, match=sample.record_type.texts.update_failed):
        sample.record_type.update(session, actor, record, sample.data(), 1)


def test_an_invalid_id_is_not_found(sample: Sample, session: Session, actor: Actor) -> None:
    for record in (None, "", "x", -1, 0, 10**30, "1; --", {"id": 1}, [1]):
        with pytest.raises(NotFound):
            sample.record_type.update(session, actor, record, sample.data(), 1)


@pytest.mark.spec("ACO-4", "ATM-4", "AAD-2")
def test_the_form_of_an_unknown_record_is_not_found(sample: Sample, session: Session, actor: Actor) -> None:
    for wanted in (*HOSTILE_SLUGS, "unknown", "7", "../1"):
        with pytest.raises(NotFound, match=f"^{sample.record_type.texts.fetch_failed}$"):
            sample.record_type.get_for_edit(session, actor, wanted)


def guarded(sample: Sample, session: Session, actor: Any) -> dict[str, Callable[[], object]]:
    """A call of every function for staff, by name."""
    known = {
        "session": session,
        "actor": actor,
        "record_type": sample.record_type,
        "query": ListQuery(),
        "draft": sample.data(),
        "form": sample.record_type.blank_form(),
        "typed": {},
        "keys": ["x"],
        "prepared": csv_import.PreparedImport([], []),
    }
    known |= {"record_types": {sample.record_type.table_name: sample.record_type}}
    methods: list[Callable[..., object]] = [one for _, one in inspect.getmembers(sample.record_type, inspect.ismethod)]
    plain: list[Callable[..., object]] = [
        one
        for module in (batch, bulk, csv_import, drafts, history, ordering, pictures, publishing, schedule, trash)
        for _, one in inspect.getmembers(module, inspect.isfunction)
        if one.__module__ == module.__name__ and not one.__name__.startswith("_")
    ]
    # These are given what somebody has read, or look for it first.
    others = (drafts.mark, drafts.wrong_inputs, drafts.bring_back)
    candidates = [one for one in (*methods, *plain, undo.prepare) if one not in others]
    found = [one for one in candidates if "actor" in inspect.signature(one).parameters]
    return {
        f"{one.__module__.rpartition('.')[2]}.{one.__name__}": partial(
            one, **{name: known.get(name, 1) for name in inspect.signature(one).parameters}
        )
        for one in found
    }


def outcomes(calls: dict[str, Callable[[], object]]) -> dict[str, bool]:
    """Whether each call is refused for its actor's role."""
    found = {}
    for name, call in calls.items():
        try:
            call()
        except Exception as error:
            found[name] = isinstance(error, Forbidden)
        else:
            found[name] = False
    return found


# What only shows records.
READING = {
    *("list_admin", "list_choices", "page_of", "get_for_edit", "list_options", "get_stored", "last_save"),
    *("ids_of", "list_revisions", "get_revision", "of_record", "get", "of_list", "changes"),
    *("refusals", "get_snapshot", "form_of_revision", "find_description"),
}


@pytest.mark.spec("ROLE-4")
def test_people_without_a_role_cannot_manage_records(sample: Sample, session: Session) -> None:
    refused = outcomes(guarded(sample, session, None))
    assert len(refused) >= 35
    assert {name for name, is_refused in refused.items() if not is_refused} == set()


@pytest.mark.spec("ROLE-6")
def test_a_role_that_may_only_read_changes_no_record(
    sample: Sample, session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_only_read(monkeypatch, actor.role)
    refused = outcomes(guarded(sample, session, actor))
    allowed = {name.rpartition(".")[2] for name, is_refused in refused.items() if not is_refused}
    assert allowed == READING


@pytest.mark.spec("ROLE-6")
def test_a_role_that_was_added_may_nothing(
    sample: Sample, session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with added_role(monkeypatch) as role:
        refused = outcomes(guarded(sample, session, Actor(actor.user_id, role, now())))
        assert [action for action in permissions.POLICY if role in permissions.POLICY[action]] == []
    assert {name for name, is_refused in refused.items() if not is_refused} == set()


def test_every_committed_change_invalidates_rendered_pages(sample: Sample, database: ModuleType, actor: Actor) -> None:
    versions: list[int] = [database.content_version()]

    def changed() -> bool:
        versions.append(database.content_version())
        return versions[-1] > versions[-2]

    with database.transaction() as session:
        record = sample.record_type.create(session, actor, sample.data(slug="kelp"))
    assert changed()
    with database.transaction() as session:
        sample.record_type.update(session, actor, record, sample.data(slug="kelp", name="New"), 1)
    assert changed()
    with pytest.raises(RuntimeError), database.transaction() as session:
        sample.record_type.delete(session, actor, record)
        raise RuntimeError
    assert not changed()
    with database.transaction() as session:
        sample.record_type.delete(session, actor, record)
    assert changed()


@pytest.mark.spec("ACO-4")
def test_the_last_save_names_its_author_time_and_public_page(sample: Sample, session: Session, actor: Actor) -> None:
    set_author(session, actor.user_id)
    record = sample.add(session, slug="kelp", updated_by=actor.user_id)
    saved = sample.record_type.last_save(session, actor, record.id)
    assert (saved.name, saved.at, saved.page) == (
        "Wei Tan",
        iso_text(record.updated_at),
        sample.record_type.page("kelp"),
    )
    setattr(record, sample.record_type.publishing.column, sample.record_type.publishing.hidden)
    session.flush()
    saved = sample.record_type.last_save(session, actor, record.id)
    assert (saved.name, saved.page) == ("Wei Tan", "")
    assert sample.record_type.last_save(session, actor, 0) == LastSave()


@pytest.mark.spec("HIST-4")
def test_the_last_save_names_a_deleted_account_or_a_command(sample: Sample, database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        record = sample.record_type.create(session, actor, sample.data())
        other = add_actor(session)
    with database.transaction() as session:
        session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": actor.user_id})
    with database.transaction() as session:
        saved = sample.record_type.last_save(session, other, record)
        assert (saved.name, saved.is_command) == ("Wei Tan", False)
        session.get_one(sample.record_type.table, record).email = "by@command.example"
        session.flush()
        saved = sample.record_type.last_save(session, other, record)
        assert (saved.name, saved.is_command) == ("", True)


@pytest.mark.spec("LIST-1")
def test_a_copy_is_a_new_hidden_record_with_the_same_values(sample: Sample, session: Session, actor: Actor) -> None:
    original = sample.add(session, **sample.filled(name="Kelp", email="kelp@firm.example"))
    form = sample.record_type.copied_form(session, actor, sample.wanted(original))
    assert (form.id, form.version, form.texts["name"]) == (0, 0, "Kelp (copy)")
    copy = sample.record_type.create(session, actor, sample.record_type.data_class.read(form.inputs()))
    row = session.get_one(sample.record_type.table, copy)
    assert row.email == "kelp@firm.example"
    assert [card.name for card in sample.record_type.list_public(session)] == ["Kelp"]


@pytest.mark.spec("LIST-1", "ACO-8")
def test_each_copy_of_a_record_can_be_created_at_once(sample: Sample, session: Session, actor: Actor) -> None:
    original = sample.add(session, **sample.filled(name="Kelp"))
    for _ in range(2):
        form = sample.record_type.copied_form(session, actor, sample.wanted(original))
        sample.record_type.create(session, actor, sample.record_type.data_class.read(form.inputs()))
    columns = sample.record_type.columns
    slugs = session.execute(sa.select(columns.slug).order_by(columns.id)).scalars().all()
    assert slugs[1:] == ["kelp-copy", "kelp-copy-2"]


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
    plural="probes",
    table=Probe,
    card=ProbeShown,
    profile=ProbeShown,
    row=ProbeShown,
    read_action=SiteAction.READ_ADVISORS,
    change_action=SiteAction.CHANGE_ADVISORS,
    publishing=Publishing("is_active", public=True, hidden=False),
    order=("name",),
    options=ListOptions(
        searched=(Probe.metadata.tables["probes"].c.name,),
        sorts={},
        default=(),
        id=Probe.metadata.tables["probes"].c.id,
    ),
    slug_for=slugify_plain,
    page="/probes/{}".format,
    tab="probes",
    staff_pages=pages_in("/admin/probes"),
    note="pronouns",
)


@pytest.mark.spec("AAD-2")
def test_a_new_column_appears_in_forms_imports_and_history(database: ModuleType, actor: Actor) -> None:
    Probe.metadata.create_all(database.engine())
    assert PROBES.fields["pronouns"].input.label == "Pronouns"
    assert PROBES.blank_form().texts["pronouns"] == ""
    with pytest.raises(InvalidInput) as refused:
        PROBES.data_class.read({"name": "Mei", "pronouns": "x" * 201})
    assert list(refused.value.fields) == ["pronouns"]
    with database.transaction() as session:
        record = PROBES.create(session, actor, PROBES.data_class.read({"name": "Mei", "pronouns": " she/her "}))
        assert PROBES.get_public(session, "mei").pronouns == "she/her"
        assert [card.pronouns for card in PROBES.list_public(session)] == ["she/her"]
        assert [row.pronouns for row in PROBES.list_admin(session, actor, ListQuery()).rows] == ["she/her"]
        form = PROBES.get_for_edit(session, actor, record)
        assert form.texts["pronouns"] == "she/her"
        changed = PROBES.data_class.read(form.inputs() | {"pronouns": "they/them"})
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
        record = before.create(session, actor, before.data_class.read({"name": "Mei", "pronoun": "she/her"}))
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
