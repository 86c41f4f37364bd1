"""Reads a form into a draft: typed, checked and frozen, or `InvalidInput` with a message per field."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from ..content import messages
from ..core.errors import InvalidInput
from ..core.text import (
    clean_text,
    comma_list,
    display_order,
    image_url,
    is_blank,
    is_email,
    is_head_count,
    is_image_url,
    is_slug,
    is_web_url,
    is_year,
    one_line,
    shown_list,
    text_list,
    web_url,
)

SHORT = 200
LONG = 20_000
MOST_ROWS = 50

AnyRow = TypeVar("AnyRow")


@dataclass(frozen=True, eq=False)
class Kind:
    """How the values of a field's type are shown: the control, and a stored value as a form and as visitors get it.

    `attributes` are those of the control's input; `empty` is the value of a field that was not sent. `stored` is what
    the column stores of a value that was read.
    """

    control: str
    form_text: Callable[[Any], str]
    public: Callable[[Any], Any] = lambda value: value
    stored: Callable[[Any], Any] = lambda value: value
    attributes: Mapping[str, Any] = field(default_factory=dict)
    empty: Any = ""


def reader(clean: Callable[[object], str], limit: int, *, takes_null: bool = True) -> BeforeValidator:
    """Clean a text and limit its length; with `takes_null`, null is an empty text."""

    def read(value: object) -> str:
        if value is None and takes_null:
            return ""
        if not isinstance(value, str):
            raise ValueError(messages.FIELD_UNREADABLE)
        text = clean(value)
        if len(text) > limit:
            raise ValueError(messages.TOO_LONG.format(limit=f"{limit:,}"))
        return text

    return BeforeValidator(read)


def checked(fits: Callable[[str], bool], sentence: str) -> AfterValidator:
    """Check a text; an empty one passes, because `Draft.required` is checked in `read`."""

    def check(value: str) -> str:
        if value and not fits(value):
            raise ValueError(sentence)
        return value

    return AfterValidator(check)


def _read_commas(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        if len(value) > LONG:
            raise ValueError(messages.TOO_LONG.format(limit=f"{LONG:,}"))
        return tuple(comma_list(value))
    raise ValueError(messages.FIELD_UNREADABLE)


def _read_order(value: object) -> int | None:
    return None if value is None or not str(value).strip() else display_order(value)


def _read_flag(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in ("on", "true", "1"))


def _read_rows(value: object) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise ValueError(messages.FIELD_UNREADABLE)
    if len(value) > MOST_ROWS:
        raise ValueError(messages.TOO_MANY_ROWS.format(limit=MOST_ROWS))
    # Reflex wraps the lists and dicts of a state in proxies; pydantic needs plain dicts.
    return [dict(item) if isinstance(item, Mapping) else item for item in value]


LINE = Kind("line", one_line)
Line = Annotated[str, reader(one_line, SHORT), LINE]
LongLine = Annotated[str, reader(one_line, LONG), LINE]
Text = Annotated[str, reader(clean_text, LONG), Kind("text", clean_text)]
Slug = Annotated[
    Line,
    checked(is_slug, messages.SLUG_INVALID),
    Kind("line", one_line, attributes={"auto_complete": "off", "spell_check": False}),
]
Email = Annotated[
    Line,
    checked(is_email, messages.EMAIL_INVALID),
    Kind("line", one_line, attributes={"type_": "email", "auto_complete": "off"}),
]
Phone = Annotated[Line, Kind("line", one_line, attributes={"type_": "tel"})]
WebUrl = Annotated[
    str,
    reader(one_line, 2_000),
    checked(is_web_url, messages.URL_INVALID),
    Kind("line", one_line, public=web_url, attributes={"type_": "url"}),
]
ImageUrl = Annotated[
    str,
    reader(one_line, 2_000),
    checked(is_image_url, messages.IMAGE_INVALID),
    Kind("line", one_line, public=image_url),
]
Year = Annotated[Line, checked(is_year, messages.YEAR_INVALID)]
HeadCount = Annotated[Line, checked(is_head_count, messages.HEAD_COUNT_INVALID)]
CommaList = Annotated[
    tuple[str, ...], BeforeValidator(_read_commas), Kind("list", shown_list, public=text_list, stored=list, empty=())
]
# None if nothing was typed: a new record is then the last one.
DisplayOrder = Annotated[
    int | None,
    BeforeValidator(_read_order),
    Kind("line", str, stored=lambda number: number or 0, attributes={"input_mode": "numeric"}, empty=None),
]
# Browsers do not send a checkbox that is not ticked, so a missing flag is False.
Flag = Annotated[bool, BeforeValidator(_read_flag), Kind("check", lambda is_set: "on" if is_set else "", empty=False)]


def _drop_empty_rows(rows: tuple[AnyRow, ...]) -> tuple[AnyRow, ...]:
    return tuple(row for row in rows if not is_empty_row(row))


def is_empty_row(row: Any) -> bool:
    """Whether nothing was filled in in a row, which is a dataclass of texts."""
    texts = (getattr(row, one.name) for one in fields(row))
    return all(is_blank(text) for text in texts if isinstance(text, str))


# The rows of a repeating group, each a dataclass of texts; empty ones are left out.
Rows = Annotated[tuple[AnyRow, ...], BeforeValidator(_read_rows), AfterValidator(_drop_empty_rows)]


class Draft(BaseModel):
    """The checked values of a form. `read` makes one from the form's data; services accept nothing else.

    An input has the name of its field, or the field's alias. `refusal` is the message for a form with errors but
    without an empty required field; without it, the message is that of the first invalid field.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    required: ClassVar[tuple[str, ...]] = ()
    refusal: ClassVar[str] = messages.FIELDS_INVALID

    @classmethod
    def read(cls, form_data: object, shown: Mapping[str, object] = MappingProxyType({})) -> Self:
        """Read a form's values: texts by field name, and groups as lists of rows or as texts named
        `group.index.field`. Raises `InvalidInput` with a message per invalid input, by the same names.

        `shown` has the inputs as filled from the stored record. A text that was not changed is accepted even if it
        breaks a rule, because the rule may be newer than the record, unless it is required and empty.
        """
        typed = form_data if isinstance(form_data, Mapping) else {}
        values, sentences = cls._readings(typed)
        for name in [name for name in sentences if cls._is_untouched(name, typed, shown)]:
            values[name] = shown[name]
            del sentences[name]
        sentences |= cls._check_values(values)
        if sentences:
            order = [one.alias or name for name, one in cls.model_fields.items()]
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
    def _is_untouched(cls, name: str, typed: Mapping[Any, Any], shown: Mapping[str, object]) -> bool:
        """Whether a text field still has the value that the form showed."""
        one, before = cls.model_fields.get(name), shown.get(name)
        is_text = one is not None and one.annotation is str and isinstance(before, str)
        return is_text and clean_text(typed.get(name)).strip() == clean_text(before).strip()

    @classmethod
    def _readings(cls, form_data: Mapping[Any, Any]) -> tuple[dict[str, Any], dict[str, str]]:
        """The values of the valid fields, and a message for each invalid one."""
        given, positions = _with_groups(form_data)
        sentences: dict[str, str] = {}
        try:
            draft = cls.model_validate(given)
        except ValidationError as error:
            for problem in error.errors(include_url=False, include_input=False):
                sentences[_input_name(problem["loc"], positions)] = _sentence(problem)
            unfit = {name.split(".")[0] for name in sentences}
            draft = cls.model_validate({name: value for name, value in given.items() if name not in unfit})
            return {name: value for name, value in _by_input(draft) if name not in unfit}, sentences
        return dict(_by_input(draft)), sentences


def _by_input(draft: Draft) -> Iterator[tuple[str, Any]]:
    return ((type(draft).model_fields[name].alias or name, value) for name, value in draft)


def _with_groups(form_data: Mapping[Any, Any]) -> tuple[dict[str, Any], dict[str, list[int]]]:
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


def _input_name(place: tuple[int | str, ...], positions: Mapping[str, list[int]]) -> str:
    """The name of the input that a validation error is about."""
    group, *rest = map(str, place)
    if rest and group in positions:
        rest[0] = str(positions[group][int(rest[0])])
    return ".".join([group, *rest])


def _sentence(problem: Mapping[str, Any]) -> str:
    """The message of a failed check of ours; any other error means that the value has a wrong type."""
    error = problem.get("ctx", {}).get("error")
    return str(error) if isinstance(error, ValueError) else messages.FIELD_UNREADABLE


def complaint(read: Callable[[Any], object], name: str, form_data: Mapping[str, object]) -> str:
    """The message that a draft's `read` gives for one input of a form; empty if its value is valid."""
    try:
        read(form_data)
    except InvalidInput as refused:
        return refused.fields.get(name, "")
    return ""
