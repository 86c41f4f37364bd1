"""The library of pictures: what is listed and found, who uses a picture, how it is changed, replaced and deleted."""

from typing import Any

import pytest
from sqlmodel import Session

from sitekit.admin.pictures import library as media_library
from sitekit.base import permissions
from sitekit.base.errors import Forbidden
from sitekit.base.permissions import Action, Actor
from sitekit.records.fields.field_type import fields_of
from sitekit.records.fields.picture import PictureField
from sitekit.records.listing import ListQuery
from sitekit.records.pictures.addresses import address_of
from sitekit.records.pictures.models import Media
from sitekit.records.pictures.uses import captions
from tests.support import factories
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import statements

pytestmark = pytest.mark.spec("IMG-4")


def address(picture: Media) -> str:
    return address_of(picture.key, picture.width)


def names(session: Session, actor: Actor, **parameters: Any) -> list[str]:
    return [row.name for row in media_library.list_pictures(session, actor, ListQuery.read(parameters)).rows]


def test_a_row_has_name_thumbnail_size_description_and_use_count(session: Session, actor: Actor) -> None:
    picture = factories.add_picture(session, name="me.jpg", alt="Ann at her desk")
    factories.add_company(session, logo_url=address(picture))
    factories.add_advisor(session, image_url=address(picture), cover_image_url=address(picture))
    [row] = media_library.list_pictures(session, actor, ListQuery()).rows
    assert row == media_library.PictureRow(
        id=factories.id_of(picture),
        name="me.jpg",
        address=f"/media/{picture.key}-960.jpg",
        thumbnail=f"/media/{picture.key}-320.webp",
        pixels="1600 × 1200 px",
        alt="Ann at her desk",
        used="Used by 2 records",
    )


@pytest.mark.spec("IMG-3")
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_picture_without_a_description_is_known_by_its_record(session: Session, actor: Actor, sample: Sample) -> None:
    words = {"portrait": "Portrait", "logo": "Logo", "mark": "Square mark"}
    for column, field in fields_of(sample.record_type.fields, PictureField).items():
        picture = factories.add_picture(session, name="IMG_2041.jpg", alt="")
        sample.add(session, name="Siti Rahman", **{column: address(picture) + "#30,0"})
        shown = media_library.list_pictures(session, actor, ListQuery(search="IMG_2041")).rows[0].alt
        assert shown == ("" if field.is_described else f"{words[field.shape]} of Siti Rahman"), column
        assert media_library.get(session, actor, picture.id).view.alt == shown


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_picture_in_any_picture_column_counts_as_used(session: Session, actor: Actor, sample: Sample) -> None:
    for column in sample.record_type.picture_fields:
        picture = factories.add_picture(session)
        sample.add(session, **{column: address(picture) + "#30,0"})
        [row] = media_library.list_pictures(session, actor, ListQuery(search=picture.name)).rows
        assert (column, row.used) == (column, "Used by 1 record")


def test_pictures_are_found_by_name_description_and_credit(session: Session, actor: Actor) -> None:
    factories.add_picture(session, name="harbour.jpg")
    factories.add_picture(session, name="b.jpg", alt="The harbour at night")
    factories.add_picture(session, name="c.jpg", credit="Harbour Photos 100%")
    factories.add_picture(session, name="d.jpg")
    assert names(session, actor, search="HARBOUR") == ["c.jpg", "b.jpg", "harbour.jpg"]
    assert names(session, actor, search="100% photos") == ["c.jpg"]


def test_pictures_are_listed_newest_first_or_sorted_by_name(session: Session, actor: Actor) -> None:
    for name in ("b.jpg", "C.jpg", "a.jpg"):
        factories.add_picture(session, name=name)
    assert names(session, actor) == ["a.jpg", "C.jpg", "b.jpg"]
    assert names(session, actor, sort="name") == ["a.jpg", "b.jpg", "C.jpg"]


def test_a_filter_finds_unused_pictures(session: Session, actor: Actor) -> None:
    used = factories.add_picture(session, name="used.jpg")
    factories.add_company(session, logo_url=address(used))
    factories.add_company(session, logo_url=None)
    factories.add_picture(session, name="plain.jpg")
    assert names(session, actor, filter="unused") == ["plain.jpg"]
    assert len(names(session, actor, filter="anything")) == 2


def test_a_page_of_pictures_takes_three_statements(session: Session, actor: Actor) -> None:
    for _ in range(30):
        factories.add_company(session, logo_url=address(factories.add_picture(session)))
    session.flush()
    with statements() as seen:
        page = media_library.list_pictures(session, actor, ListQuery(page=2))
    assert (len(page.rows), page.total, len(seen)) == (5, 30, 3)


def test_only_roles_that_manage_pictures_see_them(
    session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden):
        media_library.list_pictures(session, actor, ListQuery())


@pytest.mark.spec("IMG-3")
def test_pictures_have_no_captions_where_no_record_type_describes_any(session: Session) -> None:
    assert captions(session, {}, ["0" * 32]) == {}
