"""The details of a picture: what is shown of it, which descriptions are taken, what is logged."""

from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.admin.pictures import library as media_library
from sitekit.admin.pictures.library import PictureData
from sitekit.base import permissions
from sitekit.base.db.database import content_version
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound, SavedSince
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Action, Actor
from sitekit.records.activity import columns as activity
from sitekit.records.pictures.models import Media, columns
from tests.support import factories

pytestmark = pytest.mark.spec("IMG-3")

FILE_NAME = "This is the name of a file. Say what the picture shows, as you would on the phone."


def draft(**typed: str) -> PictureData:
    return PictureData.read({"name": "me.jpg", "alt": "Ann at her desk", **typed})


def acts(session: Session) -> list[tuple[str, str, str, int]]:
    query = sa.select(activity.act, activity.by_name, activity.subject, activity.record_id).order_by(activity.id)
    return [(row.act, row.by_name, row.subject, row.record_id) for row in session.execute(query)]


def test_only_roles_that_manage_pictures_can_read_and_save_one(
    session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = factories.id_of(factories.add_picture(session))
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden):
        media_library.get(session, actor, picture)
    with pytest.raises(Forbidden):
        media_library.save(session, actor, picture, draft(), 1)


def test_a_picture_is_shown_with_its_uploader_and_file_size(session: Session, actor: Actor) -> None:
    stored = {"name": "me.jpg", "size": 1_250_000, "alt": "", "is_decorative": True}
    picture = factories.add_picture(session, created_by=actor.user_id, **stored)
    details = media_library.get(session, actor, picture.id)
    view, texts = details.view, details.form.texts
    assert (view.name, view.by, view.size, view.pixels) == ("me.jpg", "Wei Tan", "1.2 MB", "1600 × 1200 px")
    assert texts == {"alt": "", "is_decorative": "on", "credit": ""}
    with pytest.raises(NotFound):
        media_library.get(session, actor, "no number")


def test_a_picture_is_described_and_credited(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        picture = factories.id_of(factories.add_picture(session, name="me.jpg"))
    before = content_version()
    with database.transaction() as session:
        media_library.save(session, actor, picture, draft(credit="Studio"), 1)
    with database.read_session() as session:
        stored = session.get_one(Media, picture)
        assert (stored.name, stored.alt, stored.credit) == ("me.jpg", "Ann at her desk", "Studio")
        assert not stored.is_decorative
        assert acts(session) == [(AuditEvent.PICTURE_CHANGED.name.lower(), "Wei Tan", "me.jpg", picture)]
    assert content_version() == before + 1


def test_saving_unchanged_details_changes_nothing(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        picture = factories.id_of(factories.add_picture(session, alt="Ann at her desk"))
    before = content_version()
    with database.transaction() as session:
        media_library.save(session, actor, picture, draft(), 1)
        assert acts(session) == []
    assert content_version() == before


def test_a_deleted_picture_cannot_be_saved(session: Session, actor: Actor) -> None:
    with pytest.raises(NotFound, match="it has already been deleted"):
        media_library.save(session, actor, 7, draft(), 1)


def another(session: Session) -> Actor:
    return factories.add_actor(session, first_name="Ann", last_name="Lee")


def test_a_save_over_a_newer_change_names_its_author(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        picture = factories.id_of(factories.add_picture(session))
        ann = another(session)
    before = datetime.now(UTC)
    with database.transaction() as session:
        media_library.save(session, ann, picture, draft(), 1)
    with database.transaction() as session:
        with pytest.raises(SavedSince) as refused:
            media_library.save(session, actor, picture, draft(alt="Ann, standing"), 1)
        assert refused.value.name == "Ann Lee"
        with pytest.raises(SavedSince, match="You saved this"):
            media_library.save(session, ann, picture, draft(alt="Ann, seated"), 1)
        assert before - timedelta(seconds=1) <= refused.value.at <= datetime.now(UTC)
        assert media_library.get(session, actor, picture).form.texts["alt"] == "Ann at her desk"
    with database.transaction() as session:
        media_library.save(session, actor, picture, draft(alt="Ann, standing"), 1, overwrite=True)
    with database.read_session() as session:
        form = media_library.get(session, actor, picture).form
        assert (form.texts["alt"], form.version) == ("Ann, standing", 3)


def test_one_of_two_concurrent_saves_is_refused(database: ModuleType, actor: Actor) -> None:
    with database.transaction() as session:
        picture = factories.id_of(factories.add_picture(session))
    with database.transaction() as session:
        session.get_one(Media, picture)
        # As if another transaction had committed between this one's reading and its writing.
        session.execute(sa.update(columns.id.table).values(version=2, alt="Ann, standing"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(media_library, "load", lambda session, table, *_: session.get(table, picture))
            with pytest.raises(Conflict):
                media_library.save(session, actor, picture, draft(), 1)
        session.rollback()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"alt": "IMG_2041"}, FILE_NAME),
        ({"alt": "Me"}, FILE_NAME),
        ({"alt": "IMG_2041", "is_decorative": "on"}, FILE_NAME),
        ({"alt": "x" * 201}, "Please shorten this to 200 characters or fewer."),
    ],
)
def test_a_wrong_value_is_refused_beside_its_field(typed: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        draft(**typed)
    assert refused.value.fields == {next(iter(typed)): sentence}


@pytest.mark.parametrize("tick", ["", "on"])
def test_a_picture_can_be_saved_without_a_description(tick: str) -> None:
    assert draft(alt=" ", is_decorative=tick).is_decorative == bool(tick)
