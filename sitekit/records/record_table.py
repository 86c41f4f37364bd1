"""A table of records as its columns describe it: its fields, and the form of a record."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ..base.permissions import AnyAction
from .fields.field_type import FormField, fields_of, form_fields
from .fields.group import GroupField
from .fields.picture import PictureField
from .fields.reference import ReferenceField
from .inputs import RecordData, data_class_of, form_of
from .pictures.held import ALT, DECORATIVE, VERSION, shown_keys
from .record import ORDER, Publishing, Record
from .record_form import RecordForm

Kept = TypeVar("Kept", bound=Record)


@dataclass(frozen=True, eq=False)
class RecordTable(Generic[Kept]):
    """A table of records.

    `read_action` and `change_action` are what a user must be allowed to do to read and to change them, `publishing`
    which of them visitors see.
    """

    table: type[Kept]
    read_action: AnyAction
    change_action: AnyAction
    publishing: Publishing

    @property
    def table_name(self) -> str:
        """The name of the table."""
        return str(self.table.__tablename__)

    @property
    def columns(self) -> Any:
        """The columns of the table, for queries."""
        return self.table.__table__.c  # type: ignore[attr-defined]

    @property
    def is_public(self) -> sa.ColumnElement[bool]:
        """Whether visitors see a record."""
        return self.columns[self.publishing.column] == self.publishing.public  # type: ignore[no-any-return]

    @property
    def is_ordered(self) -> bool:
        """Whether staff put the records in order."""
        return ORDER in self.fields

    @cached_property
    def fields(self) -> Mapping[str, FormField]:
        """The fields of the form, by the name of their column, in order."""
        return form_fields(self.table)

    @cached_property
    def groups(self) -> Mapping[str, GroupField]:
        """The repeating groups of the form."""
        return fields_of(self.fields, GroupField)

    @cached_property
    def picture_fields(self) -> tuple[str, ...]:
        """The columns that hold the address of a picture."""
        return tuple(fields_of(self.fields, PictureField))

    @cached_property
    def described_fields(self) -> tuple[str, ...]:
        """Those whose picture needs a description before visitors see it."""
        return tuple(name for name, each in fields_of(self.fields, PictureField).items() if each.is_described)

    @cached_property
    def references(self) -> Mapping[str, ReferenceField]:
        """The columns that name records of another type."""
        return fields_of(self.fields, ReferenceField)

    @cached_property
    def faceted(self) -> Mapping[str, str]:
        """The fields that decide a filter of the list, each with the filter's name."""
        return {name: field.input.facet for name, field in self.fields.items() if field.input.facet}

    @cached_property
    def compared_inputs(self) -> tuple[str, ...]:
        """The inputs that are checked together, such as those that decide whether a picture needs a description."""
        pictures = [name + ending for name in self.described_fields for ending in ("", ALT, DECORATIVE, VERSION)]
        others = [name for each in self.fields.values() for name in each.field_type.checked_with]
        return (self.publishing.column, *pictures, *others)

    @cached_property
    def data_class(self) -> type[RecordData]:
        """The class that reads the form of a record."""
        return data_class_of(self.table, self.fields, self.publishing)

    def blank_form(self) -> RecordForm:
        """The form of a new record. Its place is empty: it comes last."""
        form = self.described_form(None, self.table())
        return replace(form, texts=form.texts | ({ORDER: ""} if self.is_ordered else {}))

    def described_form(self, session: Session | None, record: Any) -> RecordForm:
        """The form of a record, stored or of a version, with what describes its pictures; a new one has no session."""
        form = form_of(record, self.fields)
        for name, each in self.fields.items():
            each.field_type.complete(session, form, name, record)
        return form

    def pictures_to_describe(self, record: Any, **changes: Any) -> dict[str, str]:
        """The keys of uploaded pictures that visitors see after these changes and that need a description, by field."""
        names = (self.publishing.column, *self.described_fields)
        values = {name: getattr(record, name) for name in names} if record else {}
        return shown_keys(self.publishing, self.described_fields, values | changes)
