"""Who uses a picture: replacing it there, and deleting it only when nothing refers to it, also at once."""

from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.admin.pictures import library as media_library
from sitekit.admin.pictures.library import UsingRecord
from sitekit.base import paths, permissions
from sitekit.base.db.database import content_version, read_session, transaction
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound, ServiceError
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Action, Actor
from sitekit.records import history, trash
from sitekit.records.activity import columns as activity
from sitekit.records.features import record_types
from sitekit.records.inputs import RecordData
from sitekit.records.pictures.addresses import address_of, file_names
from sitekit.records.pictures.models import Media
from sitekit.records.revisions import batch_of
from sitekit.records.revisions import columns as revisions
from tests.support import factories
from tests.support.at_once import told_second
from tests.support.people import as_admin
from tests.support.record_types import SAMPLES, Sample
from tests.support.undoing import undo

pytestmark = pytest.mark.spec("IMG-4")

GONE = "This picture was deleted. Please choose another one."


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


@pytest.fixture
def picture(database: ModuleType) -> Media:
    with transaction() as session:
        return factories.add_picture(session, name="me.jpg")


def address(picture: Media) -> str:
    return address_of(picture.key, picture.width)


def create(sample: Sample, actor: Actor, picture: Media | None, name: str = "Kelp") -> int:
    """Create a record as staff do, with the picture in its first column for one."""
    with transaction() as session:
        return sample.record_type.create(session, actor, draft(sample, picture, name))


def draft(sample: Sample, picture: Media | None, name: str = "Kelp") -> RecordData:
    column = sample.record_type.picture_fields[0]
    return sample.data(name=name, **{column: address(picture) if picture else factories.IMAGE})


def update(session: Session, sample: Sample, actor: Actor, record: int, picture: Media | None) -> None:
    stored = sample.record_type.get_stored(session, actor, record)
    assert stored
    changed = sample.record_type.data_class.read(
        stored.inputs() | {sample.record_type.picture_fields[0]: address(picture) if picture else factories.IMAGE}
    )
    sample.record_type.update(session, actor, record, changed, stored.version)


def delete(actor: Actor, picture: Media) -> list[str]:
    with transaction() as session:
        return media_library.delete(session, actor, picture.id)


def is_there(picture: Media) -> bool:
    with read_session() as session:
        return session.get(Media, picture.id) is not None


def test_a_picture_lists_the_records_that_use_it(actor: Actor, picture: Media, sample: Sample) -> None:
    record = create(sample, actor, picture)
    create(sample, actor, None, "Moss")
    with read_session() as session:
        details = media_library.get(session, actor, picture.id)
        slug = sample.record_type.get_stored(session, actor, record)
    assert slug
    [use] = details.uses
    assert (use.name, use.record_type, use.is_deleted) == ("Kelp", sample.record_type.title, False)
    assert str(record) in use.href or "kelp" in use.href
    assert details.older == []


def test_records_the_user_does_not_manage_are_listed_without_a_link(
    actor: Actor, picture: Media, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(sample, actor, picture)
    monkeypatch.setitem(permissions.POLICY, sample.record_type.read_action, permissions.ADMINS)
    with read_session() as session:
        assert media_library.get(session, actor, picture.id).uses == [UsingRecord("Kelp", sample.record_type.title)]


def test_deleting_an_unused_picture_returns_the_names_of_its_files(actor: Actor, picture: Media) -> None:
    before = content_version()
    assert delete(actor, picture) == file_names(picture.key, picture.width)
    assert not is_there(picture)
    assert content_version() == before + 1
    with read_session() as session:
        query = sa.select(activity.subject, activity.by_name).where(
            activity.act == AuditEvent.PICTURE_DELETED.name.lower()
        )
        assert session.execute(query).all() == [("me.jpg", "Wei Tan")]
    with pytest.raises(NotFound, match="it has already been deleted"):
        delete(actor, picture)


def test_only_roles_that_manage_pictures_can_delete_one(
    actor: Actor, picture: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden):
        delete(actor, picture)
    assert is_there(picture)


def test_deleting_a_used_picture_is_refused_and_names_its_records(actor: Actor, picture: Media) -> None:
    for name in ("Ash", "Birch", "Cedar", "Dill", "Elm"):
        create(SAMPLES["team"], actor, picture, name)
    with pytest.raises(Conflict) as refused:
        delete(actor, picture)
    names = "Ash, Birch, Cedar and 2 more"
    assert refused.value.message == f"This picture cannot be deleted while records use it: {names}."
    assert is_there(picture)


def test_a_picture_in_a_revision_is_kept_until_the_revision_is_deleted(
    actor: Actor, picture: Media, sample: Sample
) -> None:
    record = create(sample, actor, picture)
    with transaction() as session:
        update(session, sample, actor, record, None)
    with read_session() as session:
        details = media_library.get(session, actor, picture.id)
    history_page = paths.history_page(sample.record_type.table_name, record)
    assert (details.uses, details.older) == ([], [UsingRecord("Kelp", sample.record_type.title, history_page)])
    with pytest.raises(Conflict, match="older or deleted versions of records, show it: Kelp"):
        delete(actor, picture)
    with transaction() as session:
        history.erase_older(session, as_admin(actor), sample.record_type, record)
    delete(actor, picture)
    assert not is_there(picture)


def test_a_picture_of_a_record_in_the_trash_is_kept_until_it_is_erased(
    actor: Actor, picture: Media, sample: Sample
) -> None:
    record = create(sample, actor, picture)
    with transaction() as session:
        sample.record_type.delete(session, actor, record)
    with read_session() as session:
        [older] = media_library.get(session, actor, picture.id).older
    assert older.is_deleted
    with pytest.raises(Conflict):
        delete(actor, picture)
    with transaction() as session:
        trash.erase(session, as_admin(actor), sample.record_type, record)
    delete(actor, picture)
    assert not is_there(picture)


def test_an_unknown_picture_is_refused_beside_its_field(actor: Actor, picture: Media, sample: Sample) -> None:
    delete(actor, picture)
    column = sample.record_type.picture_fields[0]
    with pytest.raises(InvalidInput) as refused:
        create(sample, actor, picture)
    assert refused.value.fields == {column: GONE}
    record = create(sample, actor, None)
    with pytest.raises(InvalidInput), transaction() as session:
        update(session, sample, actor, record, picture)


def others(database: ModuleType, count: int) -> list[Media]:
    with transaction() as session:
        return [factories.add_picture(session, name=f"other-{number}.jpg") for number in range(count)]


def pictures_of(sample: Sample, record: int) -> list[str]:
    with read_session() as session:
        stored = session.get_one(sample.record_type.table, record)
        return [getattr(stored, name) for name in sample.record_type.picture_fields]


def test_replacing_a_picture_in_all_records_is_one_undoable_change(
    database: ModuleType, actor: Actor, picture: Media
) -> None:
    [other] = others(database, 1)
    records = {name: create(sample, actor, picture, f"Kelp {name}") for name, sample in SAMPLES.items()}
    bystander = create(SAMPLES["team"], actor, None, "Moss")
    with transaction() as session:
        session.get_one(SAMPLES["advisors"].record_type.table, records["advisors"]).cover_image_url = address(picture)
    with transaction() as session:
        assert media_library.replace(session, actor, picture.id, other.id) == 3
        batch = batch_of(session)
    assert pictures_of(SAMPLES["advisors"], records["advisors"]) == [address(other)] * 2
    assert all(pictures_of(SAMPLES[name], record)[0] == address(other) for name, record in records.items())
    assert pictures_of(SAMPLES["team"], bystander) == [factories.IMAGE]
    with read_session() as session:
        details = media_library.get(session, actor, other.id)
        assert [use.name for use in details.uses] == ["Kelp advisors", "Kelp companies", "Kelp team"]
        written = session.execute(sa.select(revisions.by_name).where(revisions.batch == batch)).scalars().all()
        assert written == ["Wei Tan"] * 3
    with transaction() as session:
        undo(session, actor, record_types(), batch)
    assert all(pictures_of(SAMPLES[name], record)[0] == address(picture) for name, record in records.items())


@pytest.mark.spec("ROLE-4")
def test_only_roles_that_manage_all_its_records_can_replace_a_picture(
    database: ModuleType, actor: Actor, picture: Media, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    [other] = others(database, 1)
    records = {name: create(one, actor, picture) for name, one in SAMPLES.items()}
    monkeypatch.setitem(permissions.POLICY, sample.record_type.change_action, permissions.ADMINS)
    with pytest.raises(Forbidden), transaction() as session:
        media_library.replace(session, actor, picture.id, other.id)
    monkeypatch.undo()
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden), transaction() as session:
        media_library.replace(session, actor, picture.id, other.id)
    with pytest.raises(Forbidden), read_session() as session:
        media_library.list_others(session, actor, 0, "")
    assert all(pictures_of(SAMPLES[name], record)[0] == address(picture) for name, record in records.items())


def test_impossible_replacements_are_reported(database: ModuleType, actor: Actor, picture: Media) -> None:
    [other] = others(database, 1)
    create(SAMPLES["team"], actor, picture)
    for old, new, sentence in (
        (other.id, picture.id, "No record uses this picture any more."),
        (picture.id, picture.id, "This is the same picture. Please choose another one."),
        (picture.id, 999, "Failed to replace the picture: it has already been deleted"),
        (999, picture.id, "Failed to replace the picture: it has already been deleted"),
    ):
        with pytest.raises(ServiceError) as refused, transaction() as session:
            media_library.replace(session, actor, old, new)
        assert refused.value.message == sentence


def test_replacements_are_offered_newest_first_and_can_be_searched(
    database: ModuleType, actor: Actor, picture: Media
) -> None:
    others(database, 10)
    with read_session() as session:
        assert picture.id

        def found(text: str) -> list[str]:
            return [row.name for row in media_library.list_others(session, actor, picture.id or 0, text)]

        assert found("") == [f"other-{number}.jpg" for number in range(9, 1, -1)]
        assert found("OTHER-1") == ["other-1.jpg"]
        assert found("me.jpg") == []


@pytest.mark.parametrize("is_new", [True, False])
def test_a_picture_is_not_deleted_while_a_record_with_it_is_being_saved(
    actor: Actor, picture: Media, sample: Sample, is_new: bool
) -> None:
    record = 0 if is_new else create(sample, actor, None)

    def save(session: Session) -> None:
        if is_new:
            sample.record_type.create(session, actor, draft(sample, picture))
        else:
            update(session, sample, actor, record, picture)

    def remove(session: Session) -> object:
        return media_library.delete(session, actor, picture.id)

    [refused] = told_second(save, remove)
    assert refused.message == "This picture cannot be deleted while records use it: Kelp."
    assert is_there(picture)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_record_cannot_be_saved_with_a_picture_being_deleted(
    actor: Actor, picture: Media, sample: Sample, is_new: bool
) -> None:
    record = 0 if is_new else create(sample, actor, None)

    def save(session: Session) -> None:
        if is_new:
            sample.record_type.create(session, actor, draft(sample, picture))
        else:
            update(session, sample, actor, record, picture)

    [refused] = told_second(lambda session: media_library.delete(session, actor, picture.id), save)
    assert refused.message == GONE
    assert not is_there(picture)


def test_a_picture_being_deleted_cannot_replace_another(database: ModuleType, actor: Actor, picture: Media) -> None:
    [other] = others(database, 1)
    create(SAMPLES["team"], actor, picture)

    def remove(session: Session) -> object:
        return media_library.delete(session, actor, other.id)

    def put(session: Session) -> object:
        return media_library.replace(session, actor, picture.id, other.id)

    [refused] = told_second(remove, put)
    assert refused.message == "Failed to replace the picture: it has already been deleted"


def test_concurrent_deletions_of_a_picture_succeed_once(actor: Actor, picture: Media) -> None:
    def remove(session: Session) -> object:
        return media_library.delete(session, actor, picture.id)

    [refused] = told_second(remove, remove)
    assert isinstance(refused, NotFound)
