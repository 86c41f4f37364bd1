"""What a form sends becomes a draft, or sentences beside its fields."""

from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, ClassVar

import pytest

from sitekit.base import messages
from sitekit.base.errors import InvalidInput
from sitekit.records.fields.flag import Flag
from sitekit.records.fields.group import GroupField
from sitekit.records.fields.line import Email, Line, Slug, WebUrl
from sitekit.records.fields.list import ListField
from sitekit.records.fields.order import OrderField
from sitekit.records.fields.text import Text
from sitekit.records.form_fields import LONG, FormData, complaint
from tests.support.each import check_each


@dataclass(frozen=True)
class Pet:
    name: Line = ""
    story: Text = ""


Pets = GroupField(of=Pet, rows_of=lambda stored: (), one="Pet", add="Add pet").annotation


class Person(FormData):
    required: ClassVar[tuple[str, ...]] = ("name",)

    name: Line = ""
    slug: Slug = ""
    about: Text = ""
    email: Email = ""
    site: WebUrl = ""
    order: Annotated[int | None, OrderField()] = 0
    is_active: Flag = False
    tags: Annotated[tuple[str, ...], ListField()] = ()
    pets: Pets = ()  # type: ignore[valid-type]


def refused(**form: object) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        Person.read(form)
    return caught.value


def test_malformed_form_data_is_refused_for_its_required_fields() -> None:
    def check(form: object) -> None:
        with pytest.raises(InvalidInput) as caught:
            Person.read(form)
        assert caught.value.message == "Please fill in all required fields"
        assert caught.value.fields == {"name": messages.FIELD_REQUIRED}

    check_each([None, "", "name=Mei", [], 7, {}, {1: 2}, {None: "x"}], check)


@pytest.mark.parametrize("blank", ["", "   ", "\n\t", "\u200b", "\x00", None])
def test_a_required_field_refuses_invisible_text(blank: object) -> None:
    assert refused(name=blank).fields == {"name": messages.FIELD_REQUIRED}


def test_values_that_are_no_text_are_refused_beside_their_field() -> None:
    def check(case: tuple[object, str]) -> None:
        wrong, field = case
        assert refused(**{"name": "Mei", field: wrong}).fields == {field: messages.FIELD_UNREADABLE}

    check_each(
        product(
            [{"a": 1}, ["a"], 7, 1.5, True, b"bytes", object()], ["name", "slug", "about", "email", "site", "tags"]
        ),
        check,
    )


@pytest.mark.parametrize("field", ["name", "slug", "about", "email", "site", "tags"])
def test_a_text_of_one_megabyte_is_refused_beside_its_field(field: str) -> None:
    assert list(refused(**{"name": "Mei", field: "x" * 1_000_000}).fields) == [field]


def test_a_long_text_may_be_as_long_as_the_limit() -> None:
    assert Person.read({"name": "Mei", "about": "é" * LONG}).about == "é" * LONG
    assert refused(name="Mei", about="é" * (LONG + 1)).fields == {"about": messages.TOO_LONG.format(limit="20,000")}


def test_all_invalid_fields_are_reported_together_in_form_order() -> None:
    error = refused(site="javascript:alert(1)", email="mei", slug="Mei Lin")
    assert list(error.fields) == ["name", "slug", "email", "site"]
    assert error.message == messages.REQUIRED_FIELDS_MISSING


def test_the_message_refers_to_marked_fields_if_no_required_one_is_missing() -> None:
    assert refused(name="Mei", email="mei").message == messages.FIELDS_INVALID


def test_unknown_keys_are_ignored() -> None:
    assert "is_admin" not in Person.read({"name": "Mei", "is_admin": True, "id": 7}).model_dump()


def test_long_texts_keep_their_whitespace_and_line_breaks() -> None:
    text = "\n  first\n\n\tsecond, “third” 🦊  \n"
    assert Person.read({"name": "Mei", "about": text.replace("\n", "\r\n")}).about == text


def test_flags_are_true_only_for_known_values() -> None:
    def check(case: tuple[object, int]) -> None:
        sent, read = case
        assert Person.read({"name": "Mei", "is_active": sent}).is_active is bool(read)

    cases: list[tuple[object, int]] = [
        (True, True),
        ("on", True),
        ("true", True),
        (False, False),
        ("", False),
        ("off", False),
        ({}, 0),
    ]
    check_each(cases, check)


def test_a_missing_checkbox_is_unticked() -> None:
    assert Person.read({"name": "Mei"}).is_active is False


def test_rows_are_read_from_lists_without_empty_ones() -> None:
    rows = [{"name": "Rex", "story": "a, b"}, {"name": " ", "story": "\n"}, {}, {"story": "Nameless"}]
    person: Any = Person.read({"name": "Mei", "pets": rows})
    assert [pet.name for pet in person.pets] == ["Rex", ""]


def test_rows_are_read_from_indexed_inputs_in_the_order_shown() -> None:
    form = {"name": "Mei", "pets.10.name": "Kit", "pets.2.name": "Rex", "pets.2.story": "Big", "pets.x.name": "no"}
    assert Person.read(form).pets == (Pet(name="Kit"), Pet(name="Rex", story="Big"))


def test_malformed_groups_of_rows_are_refused() -> None:
    def check(rows: object) -> None:
        assert all(name.startswith("pets") for name in refused(name="Mei", pets=rows).fields)

    check_each(["Rex", {"name": "Rex"}, 7, [7], ["Rex"], [["Rex"]], [None], [{}] * 51], check)


def test_errors_of_a_row_have_the_name_of_its_input() -> None:
    assert list(refused(name="Mei", pets=[{}, {"name": {"a": 1}}]).fields) == ["pets.1.name"]
    form = {"name": "Mei", "pets.3.name": "Rex", "pets.7.name": "x" * 201}
    assert list(refused(**form).fields) == ["pets.7.name"]


# A person as a form shows them, from before the rules.
STORED = {"name": "Mei", "slug": "Mei_Lin", "about": "x" * (LONG + 1), "email": "ask at the desk", "tags": "one, two"}


def test_unchanged_invalid_values_are_accepted() -> None:
    draft = Person.read({**STORED, "site": "https://mei.example", "email": " ask at the desk "}, STORED)
    assert (draft.site, draft.email, draft.slug) == ("https://mei.example", "ask at the desk", "Mei_Lin")


def test_changed_values_are_checked_in_old_records_as_well() -> None:
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


def test_one_field_is_checked_without_the_others() -> None:
    def check(case: tuple[str, dict[str, str], str]) -> None:
        name, form, sentence = case
        assert complaint(Person.read, name, form) == sentence

    cases: list[tuple[str, dict[str, str], str]] = [
        ("name", {"name": ""}, messages.FIELD_REQUIRED),
        ("name", {}, messages.FIELD_REQUIRED),
        ("email", {"email": "mei"}, messages.EMAIL_INVALID),
        ("email", {"email": "mei@firm.example"}, ""),
        ("pets.3.name", {"pets.3.name": "x" * 201}, messages.TOO_LONG.format(limit="200")),
        ("no_such_field", {"no_such_field": "x"}, ""),
        ("", {}, ""),
    ]
    check_each(cases, check)
