"""The base of the tables of records: what every record has beside its own columns, and what makes it public."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlalchemy.orm import declared_attr
from sqlmodel import Field, SQLModel

from ..base.db.database import AUTOINCREMENT_IDS, LenientJson, created_at_field, updated_at_field


@dataclass(frozen=True)
class Publishing:
    """What makes a record public: the column, its value for a public record, and the one to hide a record."""

    column: str
    public: Any
    hidden: Any


PUBLISHING = Publishing("is_active", public=True, hidden=False)
# The column by which staff order records, of the types that have one.
ORDER = "display_order"


class Record(SQLModel):
    """A record with a name and a slug, which a table declares itself. Each save counts `version` up by one.

    A column that staff edit has a `fields.FieldType` and an `Input` in its annotation. `__renamed__` maps the former
    name of a column to its present one, for revisions from before a migration renamed it.
    """

    __public_content__: ClassVar[bool] = True
    __renamed__: ClassVar[Mapping[str, str]] = MappingProxyType({})

    id: int | None = Field(default=None, primary_key=True)
    created_at: datetime = created_at_field()
    updated_at: datetime = updated_at_field()
    updated_by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    version: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    # Addresses of pictures that did not answer in the browser that saved them. Visitors do not get them.
    unanswered: Any = Field(default_factory=list, sa_type=LenientJson, sa_column_kwargs={"server_default": "[]"})

    @declared_attr.directive
    def __table_args__(cls) -> Any:  # noqa: N805
        return (sa.CheckConstraint("length(slug) > 0", name="slug_not_empty"), AUTOINCREMENT_IDS)

    @declared_attr.directive
    def __mapper_args__(cls) -> dict[str, Any]:  # noqa: N805
        # Optimistic locking: an update fails if the row has changed since it was read. `revisions` counts the versions,
        # because they go on where they ended when a deleted record is restored.
        return {"version_id_col": cls.version, "version_id_generator": False}


def active_field() -> Any:
    """The column of `PUBLISHING`; a record is public by default."""
    return Field(default=True, index=True, sa_column_kwargs={"server_default": sa.true()})


def json_list() -> Any:
    """A column of JSON, an empty list by default; a row may hold anything that an older version stored."""
    return Field(default_factory=list, sa_type=LenientJson)
