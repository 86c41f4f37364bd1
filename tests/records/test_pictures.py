"""The pictures that public cards and pages show."""

from dataclasses import fields
from typing import Any

import pytest
from sqlmodel import Session

from advisory_site.core.pictures import Picture, address_of
from advisory_site.media.models import Media
from tests.support.record_types import SAMPLES, Sample

KEY = "0123456789abcdef" * 2


def pictures_of(shown: Any) -> list[Picture]:
    values = (getattr(shown, one.name) for one in fields(shown))
    return [value for value in values if isinstance(value, Picture)]


def both(session: Session, sample: Sample, slug: str) -> list[list[Picture]]:
    [card] = sample.kind.list_public(session)
    return [pictures_of(card), pictures_of(sample.kind.get_public(session, slug))]


@pytest.mark.spec("IMG-2", "IMG-3")
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_an_uploaded_picture_is_shown_with_its_size_focal_point_and_description(
    session: Session, sample: Sample
) -> None:
    address = address_of(KEY, 1600)
    columns = [name for name, one in sample.kind.fields.items() if one.input.picture]
    record = sample.add(session, **dict.fromkeys(columns, address))
    unknown = Picture(address)
    for shown in both(session, sample, record.slug):
        assert shown and set(shown) == {unknown}
    media = Media(key=KEY, name="me", width=1600, height=2000, size=1)
    session.add(media)
    session.flush()
    for shown in both(session, sample, record.slug):
        assert set(shown) == {Picture(address, 1600, 2000)}
    media.focal_x, media.focal_y, media.alt = 30, 0, "Mei at her desk"
    session.flush()
    for shown in both(session, sample, record.slug):
        assert set(shown) == {Picture(address, 1600, 2000, "30% 0%", "Mei at her desk")}
    media.is_decorative = True
    session.flush()
    for shown in both(session, sample, record.slug):
        assert set(shown) == {Picture(address, 1600, 2000, "30% 0%", is_decorative=True)}


@pytest.mark.spec("IMG-6")
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("stored", ["/images/person.svg", "https://cdn.example/o'neil.jpg", "javascript:alert(1)", ""])
def test_any_other_address_is_shown_as_it_is(session: Session, sample: Sample, stored: str) -> None:
    columns = [name for name, one in sample.kind.fields.items() if one.input.picture]
    record = sample.add(session, **dict.fromkeys(columns, stored))
    for shown in both(session, sample, record.slug):
        for picture in shown:
            assert (picture.width, picture.position) == (0, "")
            assert picture.image_url == stored or not stored or stored.startswith("javascript")
