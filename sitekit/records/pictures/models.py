"""The table of uploaded pictures."""

from datetime import datetime
from typing import Any

from sqlalchemy.orm import declared_attr
from sqlmodel import Field, SQLModel

from ...base.db.database import AUTOINCREMENT_IDS, created_at_field, updated_at_field


class Media(SQLModel, table=True):
    """An uploaded picture. Its files are named after `key`, the start of the SHA-256 of the uploaded file in hex.

    `width` and `height` are those of the largest file, in pixels; `size` is that of all files together, in bytes.
    `alt` is what a cover needs; see `records.pictures`. Each save counts `version` up by one.
    """

    __tablename__ = "media"
    __table_args__ = (AUTOINCREMENT_IDS,)
    __public_content__ = True

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    name: str
    width: int
    height: int
    size: int
    alt: str = ""
    is_decorative: bool = False
    credit: str = ""
    # Read by the release before alone; the one after this drops them.
    focal_x: int = 50
    focal_y: int = 50
    created_at: datetime = created_at_field()
    created_by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    updated_at: datetime = updated_at_field()
    updated_by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    version: int = Field(default=1, sa_column_kwargs={"server_default": "1"})

    @declared_attr.directive
    def __mapper_args__(cls) -> dict[str, Any]:  # noqa: N805
        # Optimistic locking: an update fails if the row has changed since it was read.
        return {"version_id_col": cls.version}


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["media"].c
