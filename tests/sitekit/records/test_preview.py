"""Trying a draft out: its record is what the draft makes of it, until the transaction is rolled back."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.advisors.service import ADVISORS
from advisory_site.companies.service import COMPANIES, get_shown
from advisory_site.team.service import MEMBERS
from sitekit.base.db.database import read_session, rolled_back, transaction
from sitekit.base.errors import NotFound
from sitekit.base.threads import READERS
from sitekit.ops import tables
from sitekit.records.draft_texts import UNTITLED
from sitekit.records.pictures.addresses import address_of
from sitekit.records.preview import NEW_ID, try_out
from sitekit.records.record_type import AnyRecordType
from tests.conftest import on_postgresql, on_sqlite
from tests.support.factories import IMAGE, add_advisor, add_company, add_member, add_picture, id_of
from tests.support.record_types import Sample

pytestmark = pytest.mark.spec("DRAFT-6")


def stored() -> dict[str, list[Any]]:
    """All rows of all tables."""
    with read_session() as session:
        return {
            name: list(session.execute(sa.select(table).order_by(*table.primary_key)))
            for name, table in tables.metadata.tables.items()
        }


def shown(record_type: AnyRecordType, record: int | None, **inputs: object) -> Any:
    """The public page of a record as these inputs would make it; afterwards nothing is left."""
    before = stored()
    with rolled_back() as session:
        slug = try_out(session, record_type, record, inputs)
        page = record_type.get_public(session, slug)
        assert page.name in [card.name for card in record_type.list_public(session)]
    assert stored() == before
    return page


def test_a_record_is_what_its_draft_makes_of_it_and_then_as_it_was(database: ModuleType, sample: Sample) -> None:
    with transaction() as session:
        record = id_of(sample.add(session, name="Kelp", slug="kelp", **sample.hidden))
    inputs = {**sample.filled(), "name": "Sea Grass"}
    assert shown(sample.record_type, record, **inputs).name == "Sea Grass"


def test_a_draft_without_a_record_is_a_new_one(database: ModuleType, sample: Sample) -> None:
    assert shown(sample.record_type, None, name="Sea Grass").name == "Sea Grass"
    assert shown(sample.record_type, None).name == UNTITLED
    assert shown(sample.record_type, None, name="鲸").name == "鲸"


def test_what_is_typed_wrong_stays_as_it_is_stored(database: ModuleType) -> None:
    with transaction() as session:
        company = id_of(add_company(session, founded="2019", tagline="Grows kelp", is_featured=True))
    page = shown(
        COMPANIES, company, founded="soon", tagline="Grows more", slug="Not a slug", **{"founders.0.name": "Ann"}
    )
    assert (page.founded, page.tagline) == ("2019", "Grows more")
    assert [founder.name for founder in page.founders] == ["Ann"]
    assert shown(COMPANIES, company, name="x" * 500).name.startswith("Company ")


def test_what_a_draft_does_not_have_stays_but_for_ticks(database: ModuleType) -> None:
    with transaction() as session:
        company = id_of(add_company(session, tagline="Grows kelp", is_featured=True))
    with rolled_back() as session:
        try_out(session, COMPANIES, company, {"name": "Kelp"})
        row = session.execute(sa.select(COMPANIES.columns.tagline, COMPANIES.columns.is_featured)).one()
    assert row == ("Grows kelp", False)


def test_a_slug_that_is_taken_is_numbered(database: ModuleType) -> None:
    with transaction() as session:
        add_company(session, slug="kelp")
        gull = id_of(add_company(session, slug="gull"))
    assert shown(COMPANIES, gull, slug="kelp", name="Gull").slug == "kelp-2"
    assert shown(COMPANIES, None, name="Kelp").slug == "kelp-2"


def test_what_names_a_record_follows_its_new_slug(database: ModuleType) -> None:
    with transaction() as session:
        member = id_of(add_member(session, name="Mei Lin", slug="mei-lin"))
        add_company(session, slug="kelp", partner="mei-lin")
    with rolled_back() as session:
        assert try_out(session, MEMBERS, member, {"name": "Mei Tan"}) == "mei-tan"
        assert get_shown(session, "kelp").partner.slug == "mei-tan"


def test_a_picture_has_the_description_that_was_typed(database: ModuleType) -> None:
    with transaction() as session:
        picture = add_picture(session, alt="")
        advisor = id_of(add_advisor(session))
    cover = address_of(picture.key, picture.width)
    inputs = {"cover_image_url": cover, "cover_image_url_alt": "A kelp farm", "cover_image_url_stamp": ":"}
    assert shown(ADVISORS, advisor, **inputs).cover.alt == "A kelp farm"


def test_a_draft_of_a_deleted_record_is_not_found(database: ModuleType) -> None:
    with pytest.raises(NotFound), rolled_back() as session:
        try_out(session, COMPANIES, 7, {"name": "Kelp"})


@on_postgresql
def test_no_number_of_a_sequence_is_used_up(database: ModuleType) -> None:
    shown(MEMBERS, None, name="Mei Lin", image_url=IMAGE)
    with transaction() as session:
        assert id_of(add_member(session)) < NEW_ID


def test_reads_of_the_context_see_what_is_tried_out_and_nothing_else_does(database: ModuleType) -> None:
    def names() -> list[str]:
        with read_session() as session:
            return [card.name for card in COMPANIES.list_public(session)]

    with rolled_back() as session:
        try_out(session, COMPANIES, None, {"name": "Kelp"})
        assert names() == ["Kelp"]
        assert asyncio.run(READERS.run(names)) == ["Kelp"]
        with pytest.raises(RuntimeError), transaction():
            pass
    assert names() == asyncio.run(READERS.run(names)) == []


@on_sqlite
@pytest.mark.spec("DRAFT-13")
def test_other_writers_do_not_wait_while_a_draft_is_tried_out(database: ModuleType) -> None:
    def save() -> None:
        with transaction() as session:
            add_company(session, name="Gull", slug="kelp")

    with ThreadPoolExecutor(1) as others, rolled_back() as session:
        assert try_out(session, COMPANIES, None, {"name": "Kelp"}) == "kelp"
        others.submit(save).result(timeout=60)
        assert COMPANIES.get_public(session, "kelp").name == "Kelp"
    with read_session() as session:
        assert COMPANIES.get_public(session, "kelp").name == "Gull"
