"""The fields of every record type: what a form asks for, refuses and shows, and what a row of any age reads as."""

from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.core.errors import InvalidInput
from advisory_site.core.permissions import Actor
from advisory_site.records.inputs import Group, form_of
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
        ("website_url", "firm.example"),
        ("logo_url", "data:image/png;base64,x"),
        ("founders.0.bio", "x" * 20_001),
        ("name", "x" * 201),
        *(("slug", slug) for slug in ("Kelp", "kelp & co", "kelp/co", "-kelp", "kélp", "../kelp", "k" * 201)),
    ],
    "teams": [
        ("email", "mei@firm"),
        ("image_url", "portrait.png"),
        ("image_url", "javascript:alert(1)"),
        ("linkedin_url", "linkedin.com/in/mei"),
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
KEPT = {"id", "version", "created_at", "updated_at", "updated_by"}
NOT_EDITED = {"companies": KEPT, "teams": KEPT | {"slug"}, "advisors": KEPT | {"testimonials"}}


def lists(sample: Sample) -> list[str]:
    """The fields that are stored as JSON."""
    fields = sample.kind.fields.items()
    return [name for name, one in fields if one.kind.control == "list" or isinstance(one.input, Group)]


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_each_required_field_is_asked_for(sample: Sample) -> None:
    for field in REQUIRED[sample.kind.tab]:
        with pytest.raises(InvalidInput) as caught:
            sample.draft(**{field: "  "})
        assert (caught.value.message, list(caught.value.fields)) == ("Please fill in all required fields", [field])
    optional = set(sample.kind.fields) - set(sample.kind.groups) - REQUIRED[sample.kind.tab]
    sample.draft(**dict.fromkeys(optional, ""))


@pytest.mark.spec("ACO-5", "ACO-8", "ATM-2", "AAD-3")
def test_a_value_of_a_wrong_format_is_refused_beside_its_field(sample: Sample) -> None:
    for field, value in WRONG[sample.kind.tab]:
        with pytest.raises(InvalidInput) as caught:
            sample.draft(**{field: value})
        assert list(caught.value.fields) == [field]


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_lists_and_numbers_are_read_from_text(sample: Sample) -> None:
    names = [name for name, one in sample.kind.fields.items() if one.kind.control == "list"]
    draft = sample.draft(**dict.fromkeys(names, "a, b,, c "), display_order="1.5")
    assert [getattr(draft, name) for name in names] == [("a", "b", "c")] * len(names)
    assert not sample.kind.is_ordered or draft.display_order == 0


@pytest.mark.spec("ACO-4", "ATM-2", "AAD-2", "AAD-4")
def test_the_form_has_every_field_of_the_record(sample: Sample) -> None:
    kind = sample.kind
    assert set(kind.draft.model_fields) & set(kind.fields) == set(kind.table.model_fields) - NOT_EDITED[kind.tab]
    assert set(kind.blank_form().inputs()) == set(kind.draft.model_fields)


@pytest.mark.spec("DATA-2")
@pytest.mark.parametrize("junk", [None, 7, True, "", "a, b", [], {}, [None], [[]], [{}], [1, "x"], {"a": ["b"]}])
def test_the_form_shows_a_record_of_any_shape(sample: Sample, junk: Any) -> None:
    record = sample.kind.table(id=1, name="Old", slug="old", **dict.fromkeys(lists(sample), junk))
    form = form_of(record, sample.kind.fields)
    assert all(isinstance(text, str) for text in form.texts.values())
    assert all(isinstance(text, str) for rows in form.rows.values() for row in rows for text in row.values())


@pytest.mark.spec("AD-4", "DATA-2")
def test_an_old_row_reads_whatever_its_lists_hold(sample: Sample, session: Session) -> None:
    record = sample.add(session, slug="old")
    sets = ", ".join(f"{name} = :raw" for name in lists(sample))
    update = sa.text(f"UPDATE {sample.kind.table_name} SET {sets} WHERE id = :id")
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
        assert sample.kind.get_public(session, "old").slug == "old"
        assert sample.kind.list_public(session)[0].slug == "old"


@pytest.mark.parametrize("people", PEOPLE, ids=lambda people: people.kind.tab)
@pytest.mark.spec("TM-1", "AD-1", "ROLE-3")
def test_active_people_are_listed_by_display_order_then_name(people: Sample, session: Session) -> None:
    for name, order in (("Cy", 1), ("bo", 1), ("Ann", 2), ("Eve", -1)):
        people.add(session, name=name, display_order=order)
    people.add(session, name="Dee", display_order=0, is_active=False)
    assert [card.name for card in people.kind.list_public(session)] == ["Eve", "bo", "Cy", "Ann"]


@pytest.mark.parametrize("people", PEOPLE, ids=lambda people: people.kind.tab)
@pytest.mark.spec("ATM-3", "AAD-3")
def test_a_slug_is_made_from_the_name_and_numbered(people: Sample, session: Session, actor: Actor) -> None:
    made = [people.kind.create(session, actor, people.draft(name="Mei Lin")) for _ in range(3)]
    rows = [session.get_one(people.kind.table, record) for record in made]
    assert [row.slug for row in rows] == ["mei-lin", "mei-lin-2", "mei-lin-3"]
