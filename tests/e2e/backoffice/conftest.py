"""Staff at work in a real browser: a site whose records may be changed, and people of each role who are signed in."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page
from sqlmodel import Session

from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.conftest import use
from tests.e2e.conftest import LAPTOP, Site, Watch, start_afresh
from tests.e2e.contexts import Contexts
from tests.support import factories
from tests.support.people import person, signed_in

_numbers = count(1)

Transaction = Callable[[], AbstractContextManager[Session]]
TableChange = Callable[[str], AbstractContextManager[None]]


@pytest.fixture(scope="module")
def site(changing_site: Site, seeded: Path) -> Site:
    """The demo firm for one module of tests, which may change its records."""
    start_afresh(changing_site, seeded)
    return changing_site


@pytest.fixture
def database(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Transaction]:
    """The site's own database, from outside: what a colleague, or a mishap, does to it."""
    use(monkeypatch, site.data_dir)
    yield transaction
    from sitekit.base import settings
    from sitekit.base.db import database as floor

    floor.engine().dispose()
    settings.get_settings.cache_clear()


@dataclass
class Colleague:
    """Somebody who is signed in on a browser of their own."""

    user_id: int
    email: str
    context: BrowserContext
    site: Site

    def open(self, path: str) -> Page:
        """This path in a new tab."""
        page = self.context.new_page()
        page.goto(self.site.url + path)
        return page


Staff = Callable[..., Colleague]


@pytest.fixture
def staff(contexts: Contexts, site: Site, database: object, watch: Watch) -> Iterator[Staff]:
    """Signs somebody of a role in: `staff(Role.ADMIN)`; further arguments go to the browser context."""
    with ExitStack() as used:

        def sign_in(
            role: Role = Role.EMPLOYEE, *, who: Colleague | None = None, is_signed_in: bool = True, **options: Any
        ) -> Colleague:
            email = who.email if who else f"{role}{next(_numbers)}@northstrait.example"
            user_id = who.user_id if who else person(email, role)
            stored = {"advisory_session": signed_in(user_id).to_json()} if is_signed_in else {}
            context = used.enter_context(contexts.lent(site.url, stored, **LAPTOP | options))
            used.enter_context(watch.over(context))
            return Colleague(user_id, email, context, site)

        yield sign_in


@pytest.fixture
def again(staff: Staff) -> Callable[[Colleague], Colleague]:
    """The same person on another device."""
    return lambda colleague: staff(who=colleague)


@pytest.fixture
def company(database: object) -> Callable[..., str]:
    """Stores a company; returns its slug."""

    def add(**fields: object) -> str:
        number = next(_numbers)
        filled = factories.company_form(name=f"Kelp {number}", slug=f"kelp-{number}-co") | fields
        with transaction() as session:
            return str(factories.add_company(session, **filled).slug)

    return add


@pytest.fixture
def taken_away(site: Site) -> TableChange:
    """`with taken_away("companies"):` the table is not there."""

    @contextmanager
    def during(table: str) -> Iterator[None]:
        _run(site, f"ALTER TABLE {table} RENAME TO {table}_elsewhere")
        try:
            yield
        finally:
            _run(site, f"ALTER TABLE {table}_elsewhere RENAME TO {table}")

    return during


@pytest.fixture
def emptied(site: Site) -> TableChange:
    """`with emptied("advisors"):` the table has no row, as on the first day."""

    @contextmanager
    def during(table: str) -> Iterator[None]:
        _run(site, f"CREATE TABLE kept AS SELECT * FROM {table}")
        _run(site, f"DELETE FROM {table}")
        try:
            yield
        finally:
            _run(site, f"INSERT INTO {table} SELECT * FROM kept")
            _run(site, "DROP TABLE kept")

    return during


def _run(site: Site, statement: str) -> None:
    with closing(sqlite3.connect(site.data_dir / "advisory.db", timeout=60)) as connection:
        connection.execute("PRAGMA legacy_alter_table=ON")
        connection.execute(statement)
        connection.commit()
