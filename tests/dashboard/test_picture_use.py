"""Who uses a picture, and deleting it only when nobody does: now, in older versions, in the trash, and at once."""

import threading
from collections.abc import Callable
from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.core import permissions, routes
from advisory_site.core.errors import Conflict, Forbidden, InvalidInput, NotFound, ServiceError
from advisory_site.core.permissions import Action, Actor
from advisory_site.core.pictures import address_of, file_names
from advisory_site.dashboard import media_library
from advisory_site.dashboard.media_library import RecordLink
from advisory_site.db.database import content_version, read_session, transaction
from advisory_site.media.models import Media
from advisory_site.observability.audit_log import Act
from advisory_site.records import history, trash
from advisory_site.records.activity import columns as activity
from tests.support import factories
from tests.support.record_types import SAMPLES, Sample

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
        return sample.kind.create(session, actor, draft(sample, picture, name))


def draft(sample: Sample, picture: Media | None, name: str = "Kelp") -> object:
    column = sample.kind.picture_fields[0]
    return sample.draft(name=name, **{column: address(picture) if picture else factories.IMAGE})


def update(session: Session, sample: Sample, actor: Actor, record: int, picture: Media | None) -> None:
    stored = sample.kind.get_stored(session, actor, record)
    assert stored
    changed = sample.kind.draft.read(
        stored.inputs() | {sample.kind.picture_fields[0]: address(picture) if picture else factories.IMAGE}
    )
    sample.kind.update(session, actor, record, changed, stored.version)


def delete(actor: Actor, picture: Media) -> list[str]:
    with transaction() as session:
        return media_library.delete(session, actor, picture.id)


def is_there(picture: Media) -> bool:
    with read_session() as session:
        return session.get(Media, picture.id) is not None


def test_a_picture_names_the_records_that_use_it(actor: Actor, picture: Media, sample: Sample) -> None:
    record = create(sample, actor, picture)
    create(sample, actor, None, "Moss")
    with read_session() as session:
        details = media_library.get(session, actor, picture.id)
        slug = sample.kind.get_stored(session, actor, record)
    assert slug
    [use] = details.uses
    assert (use.name, use.kind, use.is_deleted) == ("Kelp", sample.kind.title, False)
    assert str(record) in use.href or "kelp" in use.href
    assert details.older == []


def test_a_record_of_a_type_that_the_user_does_not_manage_is_no_link(
    actor: Actor, picture: Media, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(sample, actor, picture)
    monkeypatch.setitem(permissions.POLICY, sample.kind.action, permissions.ADMINS)
    with read_session() as session:
        assert media_library.get(session, actor, picture.id).uses == [RecordLink("Kelp", sample.kind.title)]


def test_an_unused_picture_is_deleted_with_the_names_of_its_files(actor: Actor, picture: Media) -> None:
    before = content_version()
    assert delete(actor, picture) == file_names(picture.key, picture.width)
    assert not is_there(picture)
    assert content_version() == before + 1
    with read_session() as session:
        query = sa.select(activity.subject, activity.by_name).where(activity.act == Act.PICTURE_DELETED.name.lower())
        assert session.execute(query).all() == [("me.jpg", "Wei Tan")]
    with pytest.raises(NotFound, match="it has already been deleted"):
        delete(actor, picture)


def test_only_who_manages_pictures_deletes_one(actor: Actor, picture: Media, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(permissions.POLICY, Action.MANAGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden):
        delete(actor, picture)
    assert is_there(picture)


def test_a_picture_that_records_use_is_not_deleted_and_the_reply_names_them(actor: Actor, picture: Media) -> None:
    for name in ("Ash", "Birch", "Cedar", "Dill", "Elm"):
        create(SAMPLES["team"], actor, picture, name)
    with pytest.raises(Conflict) as refused:
        delete(actor, picture)
    names = "Ash, Birch, Cedar and 2 more"
    assert refused.value.message == f"This picture cannot be deleted while records use it: {names}."
    assert is_there(picture)


def test_a_picture_in_an_older_version_is_kept_until_that_version_is_deleted(
    actor: Actor, picture: Media, sample: Sample
) -> None:
    record = create(sample, actor, picture)
    with transaction() as session:
        update(session, sample, actor, record, None)
    with read_session() as session:
        details = media_library.get(session, actor, picture.id)
    history_page = routes.history_page(sample.kind.table_name, record)
    assert (details.uses, details.older) == ([], [RecordLink("Kelp", sample.kind.title, history_page)])
    with pytest.raises(Conflict, match="older or deleted versions of records show it: Kelp"):
        delete(actor, picture)
    with transaction() as session:
        history.erase_older(session, actor, sample.kind, record)
    delete(actor, picture)
    assert not is_there(picture)


def test_a_picture_of_a_record_in_the_trash_is_kept_until_that_is_erased(
    actor: Actor, picture: Media, sample: Sample
) -> None:
    record = create(sample, actor, picture)
    with transaction() as session:
        sample.kind.delete(session, actor, record)
    with read_session() as session:
        [older] = media_library.get(session, actor, picture.id).older
    assert older.is_deleted
    with pytest.raises(Conflict):
        delete(actor, picture)
    with transaction() as session:
        trash.erase(session, actor, sample.kind, record)
    delete(actor, picture)
    assert not is_there(picture)


def test_a_picture_that_is_not_there_is_refused_beside_its_field(actor: Actor, picture: Media, sample: Sample) -> None:
    delete(actor, picture)
    column = sample.kind.picture_fields[0]
    with pytest.raises(InvalidInput) as refused:
        create(sample, actor, picture)
    assert refused.value.fields == {column: GONE}
    record = create(sample, actor, None)
    with pytest.raises(InvalidInput), transaction() as session:
        update(session, sample, actor, record, picture)


Step = Callable[[Session], object]


def told_second(first: Step, second: Step) -> list[ServiceError]:
    """Do the second while the first is not committed yet; returns what the second was told."""
    told: list[ServiceError] = []

    def come_second() -> None:
        try:
            with transaction() as session:
                second(session)
        except ServiceError as error:
            told.append(error)

    other = threading.Thread(target=come_second)
    with transaction() as session:
        first(session)
        session.flush()
        other.start()
        other.join(timeout=0.3)  # until it waits for what the first has locked
    other.join(timeout=30)
    assert not other.is_alive()
    return told


@pytest.mark.parametrize("is_new", [True, False])
def test_a_picture_is_not_deleted_while_a_record_with_it_is_being_saved(
    actor: Actor, picture: Media, sample: Sample, is_new: bool
) -> None:
    record = 0 if is_new else create(sample, actor, None)

    def save(session: Session) -> object:
        if is_new:
            return sample.kind.create(session, actor, draft(sample, picture))
        return update(session, sample, actor, record, picture)

    def remove(session: Session) -> object:
        return media_library.delete(session, actor, picture.id)

    [refused] = told_second(save, remove)
    assert refused.message == "This picture cannot be deleted while records use it: Kelp."
    assert is_there(picture)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_record_is_not_saved_with_a_picture_that_is_being_deleted(
    actor: Actor, picture: Media, sample: Sample, is_new: bool
) -> None:
    record = 0 if is_new else create(sample, actor, None)

    def save(session: Session) -> object:
        if is_new:
            return sample.kind.create(session, actor, draft(sample, picture))
        return update(session, sample, actor, record, picture)

    [refused] = told_second(lambda session: media_library.delete(session, actor, picture.id), save)
    assert refused.message == GONE
    assert not is_there(picture)


def test_a_picture_that_is_deleted_twice_at_once_is_deleted_once(actor: Actor, picture: Media) -> None:
    def remove(session: Session) -> object:
        return media_library.delete(session, actor, picture.id)

    [refused] = told_second(remove, remove)
    assert isinstance(refused, NotFound)
