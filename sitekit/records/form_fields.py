"""Reads a form: its values typed, checked and frozen, or `InvalidInput` with a message per field."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from ..base import messages
from ..base.errors import InvalidInput
from ..base.text import clean_text, is_blank

SHORT = 200
LONG = 20_000
MOST_ROWS = 50


def read_text(clean: Callable[[str], str], limit: int, value: object, *, takes_null: bool = True) -> str:
    """A cleaned text of limited length; with `takes_null`, null is an empty text. Raises `ValueError`."""
    if value is None and takes_null:
        return ""
    if not isinstance(value, str):
        raise ValueError(messages.FIELD_UNREADABLE)
    text = clean(value)
    if len(text) > limit:
        raise ValueError(messages.TOO_LONG.format(limit=f"{limit:,}"))
    return text


def reader(clean: Callable[[object], str], limit: int, *, takes_null: bool = True) -> BeforeValidator:
    """Clean a text and limit its length, as `read_text` does."""
    return BeforeValidator(lambda value: read_text(clean, limit, value, takes_null=takes_null))


def checked(fits: Callable[[str], bool], sentence: str) -> AfterValidator:
    """Check a text; an empty one passes, because `FormData.required` is checked in `read`."""

    def check(value: str) -> str:
        if value and not fits(value):
            raise ValueError(sentence)
        return value

    return AfterValidator(check)


class FormData(BaseModel):
    """The checked values of a form. `read` makes one from the form's data; services accept nothing else.

    An input has the name of its field, or the field's alias. `refusal` is the message for a form with errors but
    without an empty required field; without it, the message is that of the first invalid field.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    required: ClassVar[tuple[str, ...]] = ()
    refusal: ClassVar[str] = messages.FIELDS_INVALID

    @classmethod
    def read(cls, form_data: object, original: Mapping[str, object] = MappingProxyType({})) -> Self:
        """Read a form's values: texts by field name, and groups as lists of rows or as texts named
        `group.index.field`. Raises `InvalidInput` with a message per invalid input, by the same names.

        `original` has the inputs as filled from the stored record. A text that was not changed is accepted even if it
        breaks a rule, because the rule may be newer than the record, unless it is required and empty.
        """
        typed = form_data if isinstance(form_data, Mapping) else {}
        values, sentences = cls._readings(typed)
        for name in [name for name in sentences if cls._is_untouched(name, typed, original)]:
            values[name] = original[name]
            del sentences[name]
        sentences |= cls._check_values(values)
        if sentences:
            order = [model_field.alias or name for name, model_field in cls.model_fields.items()]
            names = sorted(sentences, key=lambda name: order.index(name.split(".")[0]))
            is_empty = messages.FIELD_REQUIRED in sentences.values()
            message = messages.REQUIRED_FIELDS_MISSING if is_empty else cls.refusal or sentences[names[0]]
            raise InvalidInput(message, {name: sentences[name] for name in names})
        return cast(Self, cls.model_construct(**values))

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        """Messages about values that are valid by themselves; by default about required ones that are empty."""
        empty = [name for name in cls.required if name in values and is_blank(values[name])]
        return dict.fromkeys(empty, messages.FIELD_REQUIRED)

    @classmethod
    def _is_untouched(cls, name: str, typed: Mapping[Any, Any], original: Mapping[str, object]) -> bool:
        """Whether a text field still has the value that the form showed."""
        model_field, before = cls.model_fields.get(name), original.get(name)
        is_text = model_field is not None and model_field.annotation is str and isinstance(before, str)
        return is_text and clean_text(typed.get(name)).strip() == clean_text(before).strip()

    @classmethod
    def _readings(cls, form_data: Mapping[Any, Any]) -> tuple[dict[str, Any], dict[str, str]]:
        """The values of the valid fields, and a message for each invalid one."""
        given, positions = with_groups(form_data)
        sentences: dict[str, str] = {}
        try:
            data = cls.model_validate(given)
        except ValidationError as error:
            for problem in error.errors(include_url=False, include_input=False):
                sentences[_input_name(problem["loc"], positions)] = _sentence(problem)
            unfit = {name.split(".")[0] for name in sentences}
            data = cls.model_validate({name: value for name, value in given.items() if name not in unfit})
            return {name: value for name, value in _by_input(data) if name not in unfit}, sentences
        return dict(_by_input(data)), sentences


def _by_input(data: FormData) -> Iterator[tuple[str, Any]]:
    return ((type(data).model_fields[name].alias or name, value) for name, value in data)


def with_groups(form_data: Mapping[Any, Any]) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The form's values with `group.index.field` texts collected into lists, and the indices of each list.

    The rows are in the order in which the form sends them, which is the one that it shows.
    """
    given = {name: value for name, value in form_data.items() if isinstance(name, str)}
    groups: dict[str, dict[int, dict[str, Any]]] = {}
    for name, value in given.items():
        group, _, rest = name.partition(".")
        index, _, field = rest.partition(".")
        if field and index.isascii() and index.isdigit() and len(index) < 5:
            groups.setdefault(group, {}).setdefault(int(index), {})[field] = value
    given |= {group: list(rows.values()) for group, rows in groups.items()}
    return given, {group: list(rows) for group, rows in groups.items()}


def _input_name(location: tuple[int | str, ...], positions: Mapping[str, list[int]]) -> str:
    """The name of the input that a validation error is about."""
    group, *rest = map(str, location)
    if rest and group in positions:
        rest[0] = str(positions[group][int(rest[0])])
    return ".".join([group, *rest])


def _sentence(problem: Mapping[str, Any]) -> str:
    """The message of a failed check of ours; any other error means that the value has a wrong type."""
    error = problem.get("ctx", {}).get("error")
    return str(error) if isinstance(error, ValueError) else messages.FIELD_UNREADABLE


def complaint(read: Callable[[Any], object], name: str, form_data: Mapping[str, object]) -> str:
    """The message that `FormData.read` gives for one input of a form; empty if its value is valid."""
    try:
        read(form_data)
    except InvalidInput as refused:
        return refused.fields.get(name, "")
    return ""
