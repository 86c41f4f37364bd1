"""The table of advisors."""

from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..db.database import AUTOINCREMENT_IDS, LenientJson, created_at_field, updated_at_field, version_column

# Optimistic locking: an update fails if the row has changed since it was read.
_version = version_column()


class Advisor(SQLModel, table=True):
    """A member of the advisory network. Only active rows are public; testimonials never are."""

    __tablename__ = "advisors"
    __table_args__ = (sa.CheckConstraint("length(slug) > 0", name="slug_not_empty"), AUTOINCREMENT_IDS)
    __public_content__: ClassVar[bool] = True

    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(unique=True)
    name: str
    title: str = ""
    company: str = ""
    location: str = ""
    tagline: str = ""
    bio: str = ""
    detailed_bio: str = ""
    image_url: str = ""
    cover_image_url: str = ""
    linkedin_url: str = ""
    email: str = ""
    availability: str = ""
    display_order: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    is_active: bool = Field(default=True, index=True, sa_column_kwargs={"server_default": sa.true()})
    expertise: Any = Field(default_factory=list, sa_type=LenientJson)
    stats: Any = Field(default_factory=list, sa_type=LenientJson)
    experience: Any = Field(default_factory=list, sa_type=LenientJson)
    testimonials: Any = Field(default_factory=list, sa_type=LenientJson)
    services: Any = Field(default_factory=list, sa_type=LenientJson)
    created_at: datetime = created_at_field()
    updated_at: datetime = updated_at_field()
    updated_by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    version: int = Field(default=1, sa_column=_version)

    __mapper_args__: ClassVar[dict[str, Any]] = {"version_id_col": _version}


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["advisors"].c
