"""The fields of every record type: what a form asks for, refuses and shows, and what a row of any age reads as."""

from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.errors import InvalidInput
from sitekit.base.permissions import Actor
from sitekit.records.fields.field_type import fields_of
from sitekit.records.fields.list import ListField
from sitekit.records.inputs import form_of
from tests.support.each import check_each
from tests.support.record_types import SAMPLES, Sample

PEOPLE = [SAMPLES["team"], SAMPLES["advisors"]]
REQUIRED = {
    "companies": {"name", "slug", "description", "industry", "founded", "employees", "location"},
    "teams": {"name", "designation", "email", "image_url", "bio", "detailed_bio"},
    "advisors": {"name", "title", "bio", "image_url"},
}
WRONG = {
    "companies": [
        ("email", "hello"),
        ("website_url", "javascript:alert(1)"),
        ("website_url", "mailto:ann@firm.example"),
        ("website_url", "ann@firm.example"),
        ("website_url", "firm"),
        ("website_url", "3.5"),
        ("website_url", "firm.example/a page"),
        ("website_url", "javascript:alert.x"),
        ("logo_url", "data:image/png;base64,x"),
        ("founders.0.bio", "x" * 20_001),
        ("name", "x" * 201),
        *(("slug", slug) for slug in ("Kelp", "kelp & co", "kelp/co", "-kelp", "kélp", "../kelp", "k" * 201)),
    ],
    "teams": [
        ("email", "mei@firm"),
        ("image_url", "portrait.png"),
        ("image_url", "javascript:alert(1)"),
        ("linkedin_url", "javascript:alert(1)"),
    ],
    "advisors": [
        ("email", "omar"),
        ("slug", "Omar Aziz"),
        ("image_url", "omar.png"),
        ("cover_image_url", "javascript:x"),
        ("linkedin_url", "linkedin"),
        ("experience.0.position", "x" * 20_001),
    ],
}
# Columns that nobody edits.
KEPT = {"id", "version", "created_at", "updated_at", "updated_by", "unanswered"}
NOT_EDITED = {"companies": KEPT, "teams": KEPT | {"slug"}, "advisors": KEPT | {"testimonials"}}


def lists(sample: Sample) -> list[str]:
    """The fields that are stored as JSON."""
    return [*fields_of(sample.record_type.fields, ListField), *sample.record_type.groups]


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_each_required_field_must_be_filled(sample: Sample) -> None:
    for field in REQUIRED[sample.record_type.tab]:
        with pytest.raises(InvalidInput) as caught:
            sample.data(**{field: "  "})
        assert (caught.value.message, list(caught.value.fields)) == ("Please fill in all required fields", [field])
    optional = set(sample.record_type.fields) - set(sample.record_type.groups) - REQUIRED[sample.record_type.tab]
    sample.data(**dict.fromkeys(optional, ""))


@pytest.mark.spec("ACO-5", "ACO-8", "ATM-2", "AAD-3")
def test_a_malformed_value_is_refused_beside_its_field(sample: Sample) -> None:
    for field, value in WRONG[sample.record_type.tab]:
        with pytest.raises(InvalidInput) as caught:
            sample.data(**{field: value})
        assert list(caught.value.fields) == [field]


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_an_address_is_completed_with_its_scheme() -> None:
    def check(case: tuple[str, str]) -> None:
        typed, address = case
        assert SAMPLES["companies"].data(website_url=typed).website_url == address
        assert SAMPLES["team"].data(linkedin_url=typed).linkedin_url == address

    cases = [
        ("firm.example", "https://firm.example"),
        (" www.Firm.example/a?b=c.d#e ", "https://www.Firm.example/a?b=c.d#e"),
        ("//firm.example", "https://firm.example"),
        ("linkedin.com/in/mei-lin", "https://linkedin.com/in/mei-lin"),
        ("firm.example:8080", "https://firm.example:8080"),
        ("büro.example", "https://büro.example"),
        ("firm.example?from=https://other.example", "https://firm.example?from=https://other.example"),
        ("http://firm.example", "http://firm.example"),
        ("HTTPS://firm.example", "HTTPS://firm.example"),
    ]
    check_each(cases, check)


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_lists_and_numbers_are_read_from_text_and_stored(sample: Sample, session: Session, actor: Actor) -> None:
    names = list(fields_of(sample.record_type.fields, ListField))
    draft = sample.data(**dict.fromkeys(names, "a, b,, c "), display_order="1.5")
    row = session.get_one(sample.record_type.table, sample.record_type.create(session, actor, draft))
    assert [getattr(row, name) for name in names] == [["a", "b", "c"]] * len(names)
    assert not sample.record_type.is_ordered or row.display_order == 0


@pytest.mark.spec("ACO-4", "ATM-2", "AAD-2", "AAD-4")
def test_the_form_has_every_field_of_the_record(sample: Sample) -> None:
    record_type = sample.record_type
    assert (
        set(record_type.data_class.model_fields) & set(record_type.fields)
        == set(record_type.table.model_fields) - NOT_EDITED[record_type.tab]
    )
    assert set(record_type.blank_form().inputs()) == set(record_type.data_class.model_fields)


@pytest.mark.spec("DATA-2")
def test_the_form_shows_records_with_malformed_lists(sample: Sample) -> None:
    def check(junk: Any) -> None:
        record = sample.record_type.table(id=1, name="Old", slug="old", **dict.fromkeys(lists(sample), junk))
        form = form_of(record, sample.record_type.fields)
        assert all(isinstance(text, str) for text in form.texts.values())
        assert all(isinstance(text, str) for rows in form.rows.values() for row in rows for text in row.values())

    check_each([None, 7, True, "", "a, b", [], {}, [None], [[]], [{}], [1, "x"], {"a": ["b"]}], check)


@pytest.mark.spec("AD-4", "DATA-2")
def test_stored_rows_with_malformed_lists_can_be_read(sample: Sample, session: Session) -> None:
    record = sample.add(session, slug="old")
    sets = ", ".join(f"{name} = :raw" for name in lists(sample))
    update = sa.text(f"UPDATE {sample.record_type.table_name} SET {sets} WHERE id = :id")
    for raw in (
        "Ann, Bo",
        "[",
        "null",
        "7",
        '"Ann"',
        "[[[]]]",
        '{"role": [1]}',
        '[7, null, "x", []]',
        "",
        "[" * 100_000,
    ):
        session.execute(update, {"raw": raw, "id": record.id})
        session.expire_all()
        assert sample.record_type.get_public(session, "old").slug == "old"
        assert sample.record_type.list_public(session)[0].slug == "old"


@pytest.mark.parametrize("people", PEOPLE, ids=lambda people: people.record_type.tab)
@pytest.mark.spec("TM-1", "AD-1", "ROLE-3")
def test_active_people_are_listed_by_display_order_then_name(people: Sample, session: Session) -> None:
    for name, order in (("Cy", 1), ("bo", 1), ("Ann", 2), ("Eve", -1)):
        people.add(session, name=name, display_order=order)
    people.add(session, name="Dee", display_order=0, is_active=False)
    assert [card.name for card in people.record_type.list_public(session)] == ["Eve", "bo", "Cy", "Ann"]


@pytest.mark.parametrize("people", PEOPLE, ids=lambda people: people.record_type.tab)
@pytest.mark.spec("ATM-3", "AAD-3")
def test_a_slug_is_made_from_the_name_and_numbered(people: Sample, session: Session, actor: Actor) -> None:
    made = [people.record_type.create(session, actor, people.data(name="Mei Lin")) for _ in range(3)]
    rows = [session.get_one(people.record_type.table, record) for record in made]
    assert [row.slug for row in rows] == ["mei-lin", "mei-lin-2", "mei-lin-3"]
