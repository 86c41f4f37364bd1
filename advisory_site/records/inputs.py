"""Describes how the columns of a table are edited. Forms and drafts follow from the description."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_type_hints

from pydantic import AfterValidator, create_model

from ..content.backoffice import ON_THE_SITE
from ..core.pictures import key_of
from .form_fields import Draft, Flag, Kind, Line, LongLine, Rows
from .pictures import Description, shown_keys
from .record import Publishing, Record
from .references import Reference

# The inputs of the description of a picture: the name of the picture's field with one of these endings.
ALT, DECORATIVE, STAMP = "_alt", "_is_decorative", "_stamp"


@dataclass(frozen=True)
class Section:
    """A part of a form: its heading, and a text below it."""

    title: str
    text: str = ""


# The section beside the others on wide screens.
RAIL = Section(ON_THE_SITE)


@dataclass(frozen=True)
class Picture:
    """How the picture at a typed address is shown: its shape, and what visitors see if there is none."""

    shape: Literal["portrait", "mark", "cover"]
    placeholder: str = ""


@dataclass(frozen=True, eq=False)
class Input:
    """How a column is edited; given in the annotation of its field, whose type validates the input.

    `reads` is the type that reads it instead, for a column of JSON or of another type. `section` begins a section of
    the form, to which the inputs after it belong too. `rows` is the height of a long text, `attributes` are added to
    the control's. An empty text means `if_blank`. The `picture` at an address is shown with it. With `choices` one of
    them is chosen, or another text is typed. With `refers_to` a record of another type is chosen; its slug is
    stored.
    """

    label: str
    hint: str = ""
    _: KW_ONLY
    section: Section | None = None
    is_required: bool = False
    reads: Any = None
    rows: int = 3
    attributes: Mapping[str, Any] = field(default_factory=dict)
    if_blank: str = ""
    picture: Picture | None = None
    choices: tuple[str, ...] = ()
    refers_to: Reference | None = None


@dataclass(frozen=True, eq=False)
class Group(Input):
    """A repeating group, which is a section. `of` is the dataclass of a row, whose fields have an `Input` each.

    `read` gives the rows of a stored value of any age, `store` the stored value of a row. `one` and `add` are the
    labels of a row and of the button that adds one. If `is_rewritten`, every save writes all rows in the newest format,
    changed or not; `note` is shown above the rows if `is_noted` is true for the stored value.
    """

    _: KW_ONLY
    of: type[Any]
    read: Callable[[object], tuple[Any, ...]]
    store: Callable[[Any], dict[str, Any]] = asdict
    one: str
    add: str
    at_least: int = 0
    is_rewritten: bool = False
    note: str = ""
    is_noted: Callable[[object], bool] = lambda stored: False

    @cached_property
    def fields(self) -> Mapping[str, "FormField"]:
        """The fields of a row."""
        return form_fields(self.of)


@dataclass(frozen=True, eq=False)
class FormField:
    """A described field of a table or of a group's row: its `Input`, the type that reads it, and how it is shown."""

    name: str
    input: Input
    reads: Any
    kind: Kind
    section: Section

    def public(self, stored: Any) -> Any:
        """A stored value as visitors get it."""
        return self.input.read(stored) if isinstance(self.input, Group) else self.kind.public(stored)


_GROUP = Kind("group", str, empty=())
_rows_of: Any = Rows  # to a type checker, its parameter is no value


def form_fields(table: type[Any]) -> Mapping[str, FormField]:
    """The fields of a table, or of a group's row, that have an `Input`; by name, in order."""
    fields: dict[str, FormField] = {}
    section = Section("")
    for name, hint in get_type_hints(table, include_extras=True).items():
        found = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Input)]
        if not found:
            continue
        note, reads, kind = found[-1], hint, _GROUP
        if isinstance(note, Group):
            section, reads = Section(note.label, note.hint), _rows_of[note.of]
        else:
            section, reads = note.section or section, note.reads or hint
            kind = [one for one in reads.__metadata__ if isinstance(one, Kind)][-1]
        if default := note.if_blank:
            reads = Annotated[reads, AfterValidator(lambda text, default=default: text or default)]
        fields[name] = FormField(name, note, reads, kind, section)
    return fields


@dataclass(frozen=True)
class RecordForm:
    """A record as its form shows it: every field as a text, and the rows of its groups.

    A flag is 'on' or empty. Line breaks are removed for one-line inputs, because browsers would remove them. `noted`
    has the groups whose note is shown. `id` and `version` are 0 for a new record.
    """

    id: int = 0
    version: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    noted: dict[str, bool] = field(default_factory=dict)

    def inputs(self) -> dict[str, object]:
        """What the form sends if nothing is changed."""
        return {**self.texts, **self.rows}


def form_of(record: Any, fields: Mapping[str, FormField]) -> RecordForm:
    """The form of a record, stored or new, or of a row with its columns."""
    texts, rows, noted = {}, {}, {}
    for name, one in fields.items():
        stored = getattr(record, name)
        if isinstance(one.input, Group):
            rows[name] = _row_texts(one.input, one.input.read(stored))
            noted[name] = one.input.is_noted(stored)
        else:
            texts[name] = one.kind.form_text(stored)
    return RecordForm(record.id or 0, record.version if record.id else 0, texts, rows, noted)


def _row_texts(group: Group, rows: Iterable[Any]) -> list[dict[str, str]]:
    cells = group.fields.items()
    return [{name: one.kind.form_text(getattr(row, name)) for name, one in cells} for row in rows]


def description_texts(name: str, description: Description | None) -> dict[str, str]:
    """The texts of the inputs that describe the picture in a field; empty without an uploaded picture."""
    known = description or Description()
    texts = {ALT: known.alt, DECORATIVE: "on" if known.is_decorative else "", STAMP: known.stamp if description else ""}
    return {f"{name}{ending}": text for ending, text in texts.items()}


class RecordDraft(Draft):
    """The checked values of a record's form; `draft_of` makes the class of a table.

    A form also sends what describes its pictures. A picture that visitors would see needs a description there.
    """

    table: ClassVar[type[Record]]
    fields: ClassVar[Mapping[str, FormField]]
    publishing: ClassVar[Publishing]
    picture_fields: ClassVar[tuple[str, ...]]

    name: Line = ""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        sentences = super()._check_values(values)
        shown = shown_keys(cls.publishing, cls.picture_fields, values)
        for name in cls.picture_fields:
            given = _description_in(values, name)
            is_uploaded = bool(key_of(values.get(name) or ""))
            if given and is_uploaded and (name in shown or not given.is_missing) and (problem := given.problem()):
                sentences[name + ALT] = problem
        return sentences

    def descriptions(self) -> dict[str, Description]:
        """The descriptions of uploaded pictures that were typed, by field; only those that the user has changed."""
        values = dict(self)
        given = {name: _description_in(values, name) for name in self.picture_fields if key_of(values[name])}
        return {
            name: one for name, one in given.items() if one and not one.is_missing and one.stamp != values[name + STAMP]
        }

    def stored(self) -> dict[str, Any]:
        """The values of the record's columns."""
        return {name: self._stored(one, getattr(self, name)) for name, one in self.fields.items()}

    def changes(self, form: RecordForm, record: Record) -> dict[str, Any]:
        """The columns of a record whose values differ from what the form showed, and the groups that are rewritten.

        Unchanged values are not written again, so that those in an older format, or invalid by newer rules, stay as
        they are stored. A stored group that is not a list is read as empty, and stays until there are rows to store.
        """
        differing, stored = self.differing(form), self.stored()
        return {
            name: stored[name]
            for name, one in self.fields.items()
            if name in differing
            or (isinstance(one.input, Group) and one.input.is_rewritten and self._is_list(record, name, stored))
        }

    def differing(self, form: RecordForm) -> frozenset[str]:
        """The fields whose values differ from what a form showed."""
        inputs = form.inputs()
        shown, _ = self._readings(inputs)
        return frozenset(name for name in self.fields if shown.get(name, inputs.get(name)) != getattr(self, name))

    def as_form(self) -> RecordForm:
        """The form that shows these values."""
        texts, rows = {}, {}
        for name, one in self.fields.items():
            value = getattr(self, name)
            if isinstance(one.input, Group):
                rows[name] = _row_texts(one.input, value)
            else:
                texts[name] = one.kind.form_text(list(value) if isinstance(value, tuple) else value)
        return RecordForm(texts=texts, rows=rows)

    def _is_list(self, record: Record, name: str, stored: Mapping[str, Any]) -> bool:
        return bool(stored[name]) or isinstance(getattr(record, name), list)

    def _stored(self, one: FormField, value: Any) -> Any:
        if isinstance(one.input, Group):
            return [one.input.store(row) for row in value]
        is_nullable = self.table.__table__.c[one.name].nullable  # type: ignore[attr-defined]
        return None if value == "" and is_nullable else one.kind.stored(value)


def _description_in(values: Mapping[str, Any], name: str) -> Description | None:
    """The description of a field's picture in a form; None if nothing was typed over an empty one."""
    given = Description(values.get(name + ALT, ""), values.get(name + DECORATIVE, False))
    return None if given.is_missing and not values.get(name + STAMP) else given


def draft_of(table: type[Record], fields: Mapping[str, FormField], publishing: Publishing) -> type[RecordDraft]:
    """The class that reads a table's form."""
    shapes: Any = {}
    for name, one in fields.items():
        shapes[name] = (one.reads, one.input.if_blank or one.kind.empty)
        if one.input.picture:
            shapes |= {name + ALT: (Line, ""), name + DECORATIVE: (Flag, False), name + STAMP: (LongLine, "")}
    draft = create_model(f"{table.__name__}Draft", __base__=RecordDraft, **shapes)
    draft.table, draft.fields, draft.publishing = table, fields, publishing
    draft.picture_fields = tuple(name for name, one in fields.items() if one.input.picture)
    draft.required = tuple(name for name, one in fields.items() if one.input.is_required)
    return draft
