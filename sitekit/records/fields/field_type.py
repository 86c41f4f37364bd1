"""What every kind of field can do, and a field of a form: its kind, and how it is labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any, ClassVar, TypeVar, get_type_hints

from pydantic import BeforeValidator, GetCoreSchemaHandler
from sqlmodel import Session

from ...base.permissions import Actor
from ...base.text import clean_text, one_line, text_of
from ..edits import Edit
from ..form_texts import ON_THE_SITE, Section
from ..record import Publishing
from ..record_form import RecordForm
from .changes import VALUE, Cell, Change

# More characters, which no form stores, are not compared.
MOST_CHARACTERS = 50_000


class FieldType:
    """A kind of field. It stands in the annotation of a column or of a draft's field, and reads what is sent for it.

    `value` is the type of what was read. `is_section`: it is a section of the form by itself. `is_sent_if_empty` is
    false if a form sends nothing for an empty one. `checked_with` are the other fields that `check` looks at.
    """

    value: ClassVar[Any] = str
    is_section: ClassVar[bool] = False
    is_sent_if_empty: ClassVar[bool] = True
    checked_with: ClassVar[tuple[str, ...]] = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return BeforeValidator(self.read).__get_pydantic_core_schema__(source, handler)

    @property
    def annotation(self) -> Any:
        """The annotation of the field of a draft."""
        return Annotated[self.value, self]

    @property
    def more_inputs(self) -> Mapping[str, "FieldType"]:
        """The inputs that a form has beside the one of the field, by what follows its name in theirs."""
        return {}

    def read(self, value: object) -> Any:
        """The value of what a form sends, or of None for nothing. Raises `ValueError` with the field's message."""
        raise NotImplementedError

    def form_text(self, value: Any) -> str:
        """A value, stored or just read, as its input shows it."""
        return one_line(value)

    def fill(self, form: RecordForm, name: str, value: Any) -> None:
        """Show a value, stored or just read, in the form of its record."""
        form.texts[name] = self.form_text(value)

    def complete(self, session: Session | None, form: RecordForm, name: str, record: Any) -> None:
        """Fill in `more_inputs` for a record; without a session for a new one."""

    def public(self, value: Any) -> Any:
        """A stored value as visitors get it."""
        return value

    def stored(self, value: Any) -> Any:
        """What the column stores of a value that was read."""
        return value

    def is_rewritten(self, before: object, value: object) -> bool:
        """Whether an unchanged value is written, too, over the one that is stored `before`."""
        return False

    def check(self, name: str, values: Mapping[str, Any], *, is_public: bool) -> dict[str, str]:
        """Messages about the values of `more_inputs`, by the names of these; all values are those of a form."""
        return {}

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Check what typed values refer to, before they are written. Raises `InvalidInput` with the row."""

    def check_shown(self, session: Session, publishing: Publishing, name: str, edits: Sequence[Edit]) -> None:
        """Check what visitors will see that they did not see before. Raises `InvalidInput` with the row."""

    def cell(self, typed: Any) -> str:
        """The cell of a CSV file for what a form sends."""
        return str(typed)

    def from_cell(self, cell: str) -> Any:
        """What a form sends for a cell. Raises `ValueError` with a message for a cell that no form could send."""
        return clean_text(cell)

    def compared(self, value: object) -> str:
        """The text by which a stored value of any age is compared with another one."""
        return one_line(text_of(value[:MOST_CHARACTERS] if isinstance(value, str) else value))

    def compare(self, name: str, label: str, old: object, new: object) -> Change | None:
        """The change between two stored values of any age; None if there is none."""
        before, after = self.compared(old), self.compared(new)
        return Change(**vars(self.difference(name, label, before, after))) if before != after else None

    def difference(self, name: str, label: str, before: str, after: str) -> Cell:
        """How the history shows two texts that differ."""
        return Cell(name, label, VALUE, before, after)


# The section beside the others on wide screens.
RAIL = Section(ON_THE_SITE)


@dataclass(frozen=True, eq=False)
class Input:
    """How a column is edited; given in the annotation of its field, beside its `FieldType`.

    `section` begins a section of the form, to which the inputs after it belong too; an annotation may also have the
    `Section` beside its `Input`. `rows` is the height of a long text, `attributes` are added to the control's. The
    `facet` is the list's filter that the value decides: the values of other records are suggested, and one that would
    be new to the filter is noted.
    """

    label: str
    hint: str = ""
    _: KW_ONLY
    section: Section | None = None
    is_required: bool = False
    rows: int = 3
    attributes: Mapping[str, Any] = field(default_factory=dict)
    facet: str = ""


@dataclass(frozen=True, eq=False)
class FormField:
    """A described field of a table or of a group's row."""

    name: str
    input: Input
    field_type: FieldType
    section: Section


def form_fields(table: type[Any]) -> Mapping[str, FormField]:
    """The fields of a table, or of a group's row, that have an `Input`; by name, in order."""
    fields: dict[str, FormField] = {}
    section = Section("")
    for name, hint in get_type_hints(table, include_extras=True).items():
        notes = getattr(hint, "__metadata__", ())
        if inputs := [note for note in notes if isinstance(note, Input)]:
            about, field_type = inputs[-1], [note for note in notes if isinstance(note, FieldType)][-1]
            begun = [note for note in notes if isinstance(note, Section)]
            own = Section(about.label, about.hint) if field_type.is_section else about.section
            section = (begun or [own or section])[-1]
            fields[name] = FormField(name, about, field_type, section)
    return fields


AnyType = TypeVar("AnyType", bound=FieldType)


def fields_of(fields: Mapping[str, FormField], field_type: type[AnyType]) -> dict[str, AnyType]:
    """The types of the fields of one kind, by the names of these."""
    return {name: each.field_type for name, each in fields.items() if isinstance(each.field_type, field_type)}


def inputs_of(fields: Mapping[str, FormField]) -> dict[str, FieldType]:
    """The types of all inputs of a form, by their names."""
    inputs: dict[str, FieldType] = {}
    for name, each in fields.items():
        more = each.field_type.more_inputs.items()
        inputs |= {name: each.field_type} | {name + ending: field_type for ending, field_type in more}
    return inputs
