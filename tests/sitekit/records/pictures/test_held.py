"""The pictures that public cards and pages show."""

from dataclasses import fields
from typing import Any

import pytest
from sqlmodel import Session

from sitekit.records.pictures.addresses import Picture, address_of
from sitekit.records.pictures.models import Media
from tests.support.record_types import SAMPLES, Sample

KEY = "0123456789abcdef" * 2


def pictures_of(shown: Any) -> list[Picture]:
    values = (getattr(shown, one.name) for one in fields(shown))
    return [value for value in values if isinstance(value, Picture)]


def both(session: Session, sample: Sample, slug: str) -> list[list[Picture]]:
    [card] = sample.record_type.list_public(session)
    return [pictures_of(card), pictures_of(sample.record_type.get_public(session, slug))]


@pytest.mark.spec("IMG-2", "IMG-3")
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("crop", ["", "#30,0", "#30,0,1.5"])
def test_an_uploaded_picture_has_the_size_of_its_crop_and_its_description(
    session: Session, sample: Sample, crop: str
) -> None:
    address = address_of(KEY, 1600) + crop
    columns = sample.record_type.picture_fields
    record = sample.add(session, **dict.fromkeys(columns, address))
    unknown = Picture(address)
    for shown in both(session, sample, record.slug):
        assert shown and set(shown) == {unknown}
    media = Media(key=KEY, name="me", width=1600, height=2000, size=1)
    session.add(media)
    session.flush()
    for shown in both(session, sample, record.slug):
        assert set(shown) == {Picture(address, 1600, 2000)}
    media.alt = "Mei at her desk"
    session.flush()
    for shown in both(session, sample, record.slug):
        assert set(shown) == {Picture(address, 1600, 2000, "Mei at her desk")}
    media.is_decorative = True
    session.flush()
    for shown in both(session, sample, record.slug):
        assert set(shown) == {Picture(address, 1600, 2000)}


@pytest.mark.spec("IMG-6")
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("stored", ["/images/person.svg", "https://cdn.example/o'neil.jpg", "javascript:alert(1)", ""])
def test_other_picture_addresses_are_shown_unchanged_without_a_size(
    session: Session, sample: Sample, stored: str
) -> None:
    columns = sample.record_type.picture_fields
    record = sample.add(session, **dict.fromkeys(columns, stored))
    for shown in both(session, sample, record.slug):
        for picture in shown:
            assert picture.width == 0
            assert picture.image_url == stored or not stored or stored.startswith("javascript")
