"""What a form sends becomes a draft, or sentences beside its fields."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from advisory_site.content import messages
from advisory_site.core.errors import InvalidInput
from advisory_site.records.form_fields import (
    LONG,
    CommaList,
    DisplayOrder,
    Draft,
    Email,
    Flag,
    Line,
    Rows,
    Slug,
    Text,
    WebUrl,
    complaint,
)


@dataclass(frozen=True)
class Pet:
    name: Line = ""
    story: Text = ""


class Person(Draft):
    required: ClassVar[tuple[str, ...]] = ("name",)

    name: Line = ""
    slug: Slug = ""
    about: Text = ""
    email: Email = ""
    site: WebUrl = ""
    order: DisplayOrder = 0
    is_active: Flag = False
    tags: CommaList = ()
    pets: Rows[Pet] = ()


def refused(**form: object) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        Person.read(form)
    return caught.value


@pytest.mark.parametrize("form", [None, "", "name=Mei", [], 7, {}, {1: 2}, {None: "x"}])
def test_what_is_no_form_misses_its_required_fields(form: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        Person.read(form)
    assert caught.value.message == "Please fill in all required fields"
    assert caught.value.fields == {"name": messages.FIELD_REQUIRED}


@pytest.mark.parametrize("blank", ["", "   ", "\n\t", "\u200b", "\x00", None])
def test_a_required_field_must_show_something(blank: object) -> None:
    assert refused(name=blank).fields == {"name": messages.FIELD_REQUIRED}


@pytest.mark.parametrize("wrong", [{"a": 1}, ["a"], 7, 1.5, True, b"bytes", object()])
@pytest.mark.parametrize("field", ["name", "slug", "about", "email", "site", "tags"])
def test_what_is_no_text_is_refused_beside_its_field(field: str, wrong: object) -> None:
    assert refused(**{"name": "Mei", field: wrong}).fields == {field: messages.FIELD_UNREADABLE}


@pytest.mark.parametrize("field", ["name", "slug", "about", "email", "site", "tags"])
def test_a_megabyte_is_refused_beside_its_field(field: str) -> None:
    assert list(refused(**{"name": "Mei", field: "x" * 1_000_000}).fields) == [field]


def test_a_long_text_may_be_as_long_as_the_limit() -> None:
    assert Person.read({"name": "Mei", "about": "é" * LONG}).about == "é" * LONG
    assert refused(name="Mei", about="é" * (LONG + 1)).fields == {"about": messages.TOO_LONG.format(limit="20,000")}


def test_fields_that_do_not_fit_are_named_together_in_the_form_s_order() -> None:
    error = refused(site="javascript:alert(1)", email="mei", slug="Mei Lin")
    assert list(error.fields) == ["name", "slug", "email", "site"]
    assert error.message == messages.REQUIRED_FIELDS_MISSING


def test_with_every_required_field_filled_the_toast_points_to_the_marked_ones() -> None:
    assert refused(name="Mei", email="mei").message == messages.FIELDS_INVALID


def test_unknown_keys_fall_away() -> None:
    assert "is_admin" not in Person.read({"name": "Mei", "is_admin": True, "id": 7}).model_dump()


def test_long_texts_keep_their_space_and_breaks() -> None:
    text = "\n  first\n\n\tsecond, “third” 🦊  \n"
    assert Person.read({"name": "Mei", "about": text.replace("\n", "\r\n")}).about == text


@pytest.mark.parametrize(
    ("sent", "read"), [(True, True), ("on", True), ("true", True), (False, False), ("", False), ("off", False), ({}, 0)]
)
def test_a_flag_is_on_only_when_it_says_so(sent: object, read: bool) -> None:
    assert Person.read({"name": "Mei", "is_active": sent}).is_active is bool(read)


def test_a_checkbox_that_was_not_sent_is_not_ticked() -> None:
    assert Person.read({"name": "Mei"}).is_active is False


def test_rows_come_as_lists_and_empty_ones_are_dropped() -> None:
    rows = [{"name": "Rex", "story": "a, b"}, {"name": " ", "story": "\n"}, {}, {"story": "Nameless"}]
    assert [pet.name for pet in Person.read({"name": "Mei", "pets": rows}).pets] == ["Rex", ""]


def test_rows_come_as_texts_named_by_group_index_and_field_in_the_order_shown() -> None:
    form = {"name": "Mei", "pets.10.name": "Kit", "pets.2.name": "Rex", "pets.2.story": "Big", "pets.x.name": "no"}
    assert Person.read(form).pets == (Pet(name="Kit"), Pet(name="Rex", story="Big"))


@pytest.mark.parametrize("rows", ["Rex", {"name": "Rex"}, 7, [7], ["Rex"], [["Rex"]], [None], [{}] * 51])
def test_what_is_no_group_of_rows_is_refused(rows: object) -> None:
    assert all(name.startswith("pets") for name in refused(name="Mei", pets=rows).fields)


def test_a_row_s_sentence_has_the_name_of_its_input() -> None:
    assert list(refused(name="Mei", pets=[{}, {"name": {"a": 1}}]).fields) == ["pets.1.name"]
    form = {"name": "Mei", "pets.3.name": "Rex", "pets.7.name": "x" * 201}
    assert list(refused(**form).fields) == ["pets.7.name"]


# A person as a form shows them, from before the rules.
STORED = {"name": "Mei", "slug": "Mei_Lin", "about": "x" * (LONG + 1), "email": "ask at the desk", "tags": "one, two"}


def test_what_was_not_touched_is_not_refused() -> None:
    draft = Person.read({**STORED, "site": "https://mei.example", "email": " ask at the desk "}, STORED)
    assert (draft.site, draft.email, draft.slug) == ("https://mei.example", "ask at the desk", "Mei_Lin")


def test_what_was_touched_must_fit_also_in_an_old_record() -> None:
    with pytest.raises(InvalidInput) as caught:
        Person.read({**STORED, "email": "ask Mei", "slug": "Mei-Lin", "name": ""}, STORED)
    assert caught.value.fields == {
        "name": messages.FIELD_REQUIRED,
        "slug": messages.SLUG_INVALID,
        "email": messages.EMAIL_INVALID,
    }


def test_a_required_field_that_was_empty_before_is_still_required() -> None:
    with pytest.raises(InvalidInput) as caught:
        Person.read({"name": " "}, STORED | {"name": ""})
    assert caught.value.fields == {"name": messages.FIELD_REQUIRED}


@pytest.mark.parametrize(
    ("name", "form", "sentence"),
    [
        ("name", {"name": ""}, messages.FIELD_REQUIRED),
        ("name", {}, messages.FIELD_REQUIRED),
        ("email", {"email": "mei"}, messages.EMAIL_INVALID),
        ("email", {"email": "mei@firm.example"}, ""),
        ("pets.3.name", {"pets.3.name": "x" * 201}, messages.TOO_LONG.format(limit="200")),
        ("no_such_field", {"no_such_field": "x"}, ""),
        ("", {}, ""),
    ],
)
def test_one_field_is_judged_without_the_others(name: str, form: dict[str, str], sentence: str) -> None:
    assert complaint(Person.read, name, form) == sentence
