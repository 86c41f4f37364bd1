"""The export of the list of users."""

from typing import Any

import sqlalchemy as sa
from sqlmodel import SQLModel

from ...base.permissions import Action
from ...base.times import iso_text
from ...records.csv_export import CsvList
from ...records.csv_texts import USERS, USERS_HEAD
from ..models import UserRole
from . import service

# For queries: to a type checker, an attribute of the class has the type of its value.
_profiles, _roles = (SQLModel.metadata.tables[name].c for name in ("profiles", "user_roles"))


def _cells(row: sa.Row[Any]) -> tuple[str, ...]:
    return row.first_name, row.last_name, row.email, row.role, iso_text(row.created_at)


USERS_CSV = CsvList(
    name="users",
    texts=USERS,
    action=Action.LIST_USERS,
    head=USERS_HEAD,
    ids=service.select_user_ids,
    rows=sa.select(*_profiles, _roles.role).join(UserRole, _roles.user_id == _profiles.id),
    id=_profiles.id,
    cells=_cells,
)
