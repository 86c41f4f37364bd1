"""The rule that whatever changes something is logged: what it finds, and what it lets pass."""

from importlib.util import find_spec
from pkgutil import resolve_name
from types import ModuleType

import pytest

from advisory_site.enquiries.desk import service as desk
from sitekit.accounts.people import service
from sitekit.base.permissions import Role
from sitekit.ops import tables
from sitekit.records import activity
from tests.support import factories
from tests.support.each import check_each
from tests.support.logged_changes import EXEMPT, unlogged
from tests.support.people import person

pytestmark = pytest.mark.spec("LOG-1")
CALLED = ["accounts.people.service.change_names", "admin.db_calls._write", "base.db.database.transaction"]


def test_a_service_that_logs_nothing_is_reported(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch, unlogged_changes: list[str]
) -> None:
    ann = person()
    with database.transaction() as session:
        actor, enquiry = factories.add_actor(session), factories.add_enquiry(session)
    monkeypatch.setattr(activity, "log", lambda *_, **__: None)
    with database.transaction() as session:
        service.set_role(session, ann, Role.MANAGER)
        desk.delete(session, actor, enquiry.id)
    with pytest.raises(RuntimeError), database.transaction() as session:
        service.set_role(session, ann, Role.EMPLOYEE)
        raise RuntimeError
    assert unlogged_changes == [
        "UPDATE user_roles by accounts.people.service.set_role",
        "DELETE enquiries by records.saving.flush < records.saving.delete < enquiries.desk.service.delete",
    ]
    unlogged_changes.clear()


def test_a_service_that_logs_is_not_reported(database: ModuleType, unlogged_changes: list[str]) -> None:
    ann = person()
    with database.transaction() as session:
        service.set_role(session, ann, Role.MANAGER)
    assert unlogged_changes == []


def test_only_unexempted_statements_of_the_site_count_as_changes() -> None:
    def check(case: tuple[str, list[str], str]) -> None:
        statement, functions, found = case
        assert "".join(unlogged(statement, functions)) == found

    cases: list[tuple[str, list[str], str]] = [
        ("UPDATE profiles SET x=1", CALLED, f"UPDATE profiles by {CALLED[0]} < {CALLED[1]}"),
        ('DELETE FROM "profiles"', CALLED[:1], f"DELETE profiles by {CALLED[0]}"),
        ("insert into sign_ups (a)", CALLED[:1], f"INSERT sign_ups by {CALLED[0]}"),
        ("INSERT INTO sign_ups (a)", ["accounts.people.sign_up._store"], ""),
        ("UPDATE profiles SET x=1", ["base.db.database.transaction", "ops.backup.restore"], ""),
        ("UPDATE profiles SET x=1", [], ""),
        ("SELECT 1", CALLED, ""),
    ]
    check_each(cases, check)


def test_every_exemption_names_a_table_and_a_function_that_exist() -> None:
    assert {table for _, table, _ in EXEMPT} <= set(tables.metadata.tables)
    missing = []
    for name in {function for _, _, function in EXEMPT if function}:
        package = next(one for one in ("sitekit", "advisory_site") if find_spec(f"{one}.{name.partition('.')[0]}"))
        try:
            resolve_name(f"{package}.{name}")
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == []
