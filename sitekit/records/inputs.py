"""The form of a record, and the class that reads it; both follow from the fields of its table."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from pydantic import create_model

from .fields.field_type import FormField, inputs_of
from .fields.line import Line
from .form_fields import FormData, with_groups
from .record import Publishing, Record
from .record_form import RecordForm


def form_of(record: Any, fields: Mapping[str, FormField]) -> RecordForm:
    """The form of a record, stored or new, or of a row with its columns."""
    form = RecordForm(record.id or 0, record.version if record.id else 0)
    for name, each in fields.items():
        each.field_type.fill(form, name, getattr(record, name))
    return form


class RecordData(FormData):
    """The checked values of a record's form; `data_class_of` makes the class of a table."""

    table: ClassVar[type[Record]]
    fields: ClassVar[Mapping[str, FormField]]
    publishing: ClassVar[Publishing]

    name: Line = ""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    @classmethod
    def read_valid(cls, form_data: Mapping[str, object], form: RecordForm) -> Self:
        """Read what is valid in a form's values, however incomplete; the rest is as the `form` shows it."""
        shown, _ = cls._readings(form.inputs())
        values, _ = cls._readings(form_data)
        sent = with_groups(form_data)[0]
        typed = {
            name: values[name]
            for name, each in inputs_of(cls.fields).items()
            if name in values and (name in sent or not each.is_sent_if_empty)
        }
        return cast(Self, cls.model_construct(**{**form.inputs(), **shown, **typed}))

    @classmethod
    def _check_values(cls, values: Mapping[str, Any]) -> dict[str, str]:
        sentences = super()._check_values(values)
        is_public = values.get(cls.publishing.column) == cls.publishing.public
        for name, each in cls.fields.items():
            sentences |= each.field_type.check(name, values, is_public=is_public)
        return sentences

    def stored(self) -> dict[str, Any]:
        """The values of the record's columns."""
        return {name: self._stored(name, getattr(self, name)) for name in self.fields}

    @classmethod
    def readable(cls, inputs: Mapping[str, object]) -> dict[str, Any]:
        """The values of the columns whose inputs can be read, whether they fit together or not."""
        values, _ = cls._readings(inputs)
        return {name: cls._stored(name, values[name]) for name in cls.fields if name in values}

    def changes(self, form: RecordForm, record: Record) -> dict[str, Any]:
        """The columns of a record whose values differ from what the form showed, and those that are written anyway.

        Unchanged values are not written again, so that those in an older format, or invalid by newer rules, stay as
        they are stored.
        """
        differing, values = self.differing(form), self.stored()
        return {
            name: values[name]
            for name, each in self.fields.items()
            if name in differing or each.field_type.is_rewritten(getattr(record, name), values[name])
        }

    def differing(self, form: RecordForm) -> frozenset[str]:
        """The fields whose values differ from what a form showed."""
        inputs = form.inputs()
        values, _ = self._readings(inputs)
        return frozenset(name for name in self.fields if values.get(name, inputs.get(name)) != getattr(self, name))

    def as_form(self) -> RecordForm:
        """The form that shows these values."""
        return form_of(SimpleNamespace(id=0, **dict(self)), self.fields)

    @classmethod
    def _stored(cls, name: str, value: Any) -> Any:
        column = cls.table.__table__.c[name]  # type: ignore[attr-defined]
        return None if value == "" and column.nullable else cls.fields[name].field_type.stored(value)


def data_class_of(table: type[Record], fields: Mapping[str, FormField], publishing: Publishing) -> type[RecordData]:
    """The class that reads a table's form."""
    shapes: Any = {
        name: (field_type.annotation, field_type.read(None)) for name, field_type in inputs_of(fields).items()
    }
    data_class = create_model(f"{table.__name__}Data", __base__=RecordData, **shapes)
    data_class.table, data_class.fields, data_class.publishing = table, fields, publishing
    data_class.required = tuple(name for name, each in fields.items() if each.input.is_required)
    return data_class
