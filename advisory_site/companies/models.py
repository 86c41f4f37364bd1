"""The table of companies."""

from datetime import datetime
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..db.database import AUTOINCREMENT_IDS, LenientJson, created_at_field, updated_at_field, version_column

ACTIVE = "Active"

# Optimistic locking: an update fails if the row has changed since it was read.
_version = version_column()


class Company(SQLModel, table=True):
    """A portfolio company. Only rows whose status is exactly 'Active' are public."""

    __tablename__ = "companies"
    __table_args__ = (sa.CheckConstraint("length(slug) > 0", name="slug_not_empty"), AUTOINCREMENT_IDS)
    __public_content__: ClassVar[bool] = True

    id: int | None = Field(default=None, primary_key=True)
    name: str
    slug: str = Field(unique=True)
    tagline: str = ""
    description: str = ""
    detailed_description: str = ""
    industry: str = ""
    status: str = Field(default=ACTIVE, index=True, sa_column_kwargs={"server_default": ACTIVE})
    founded: str = ""
    employees: str = ""
    location: str = ""
    website_url: str = ""
    logo_url: str = ""
    email: str = ""
    phone: str = ""
    founders: Any = Field(default_factory=list, sa_type=LenientJson)
    services: Any = Field(default_factory=list, sa_type=LenientJson)
    coverage_areas: Any = Field(default_factory=list, sa_type=LenientJson)
    target_market: Any = Field(default_factory=list, sa_type=LenientJson)
    key_metrics: Any = Field(default_factory=list, sa_type=LenientJson)
    legal_entity_name: str = ""
    registration_number: str = ""
    created_at: datetime = created_at_field()
    updated_at: datetime = updated_at_field()
    updated_by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    version: int = Field(default=1, sa_column=_version)

    __mapper_args__: ClassVar[dict[str, Any]] = {"version_id_col": _version}


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["companies"].c
