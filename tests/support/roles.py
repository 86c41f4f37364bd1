"""Roles that the site does not have: one that no line of the policy names, and one that may only read."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from advisory_site.permissions import SiteAction
from sitekit.base import permissions
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Action, AnyAction, Role
from sitekit.records.features import record_types
from tests.support.people import person, signed_in


def changes() -> set[AnyAction]:
    """The actions that change records, pictures or enquiries."""
    of_records = {record_type.change_action for record_type in record_types().values()}
    return {*of_records, Action.CHANGE_MEDIA, SiteAction.CHANGE_ENQUIRIES}


def let_only_read(monkeypatch: pytest.MonkeyPatch, role: Role) -> None:
    """Take a role out of the lines of all changes."""
    for action in changes():
        monkeypatch.setitem(permissions.POLICY, action, permissions.POLICY[action] - {role})


@contextmanager
def added_role(monkeypatch: pytest.MonkeyPatch) -> Iterator[Role]:
    """A role that was added to `Role`, and to nothing else."""
    role = str.__new__(Role, "intern")
    role._name_, role._value_ = "INTERN", "intern"
    with monkeypatch.context() as patch:
        patch.setattr(Role, "_member_names_", [*Role._member_names_, "INTERN"])
        patch.setitem(Role._member_map_, "INTERN", role)
        patch.setitem(Role._value2member_map_, "intern", role)
        assert role in tuple(Role)
        yield role


def session_of(role: Role) -> str:
    """The stored session of a new user of a role that the schema need not know (on SQLite)."""
    user_id = person(f"{role}@northstrait.example")
    with transaction() as session:
        session.execute(sa.text("PRAGMA ignore_check_constraints = ON"))
        session.execute(
            sa.text("UPDATE user_roles SET role = :role WHERE user_id = :id"), {"role": role, "id": user_id}
        )
        session.execute(sa.text("PRAGMA ignore_check_constraints = OFF"))
    return signed_in(user_id).to_json()
