"""The Undo of notices: who may, what it replies, and that the page that is shown is loaded again."""

from contextlib import AbstractContextManager

import pytest
import sqlalchemy as sa

from advisory_site.companies.admin_tab import CompanyTabState
from advisory_site.companies.models import columns
from advisory_site.companies.service import COMPANIES
from advisory_site.core.permissions import Actor, Role
from advisory_site.dashboard.undo import UndoState
from advisory_site.db.database import read_session, transaction
from advisory_site.records import bulk
from advisory_site.records.revisions import batch_of
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.staff import batches, redirects, sign_in, texts

TAB = "/admin?tab=companies"


def names() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.name).order_by(columns.id)).scalars())


def deleted(tab: EventClient, *wanted: str, role: Role = Role.EMPLOYEE) -> str:
    """Sign in, add companies of these names and delete them; returns the batch."""
    actor = Actor(sign_in(tab, role), role)
    with transaction() as session:
        ids = [factories.id_of(factories.add_company(session, name=name)) for name in wanted]
    with transaction() as session:
        bulk.delete(session, actor, COMPANIES, ids)
        return batch_of(session)


@pytest.mark.spec("TRASH-1", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_undo_a_deletion_and_see_the_list_again(tab: EventClient, role: Role) -> None:
    batch = deleted(tab, "Kelp", role=role)
    assert tab.send(CompanyTabState.load, path=TAB).var("company_tab_state.total") == 0
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert texts(reply) == ["Undone: Kelp"]
    assert [row.name for row in reply.var("company_tab_state.rows")] == names() == ["Kelp"]


@pytest.mark.spec("LIST-5")
def test_several_records_are_undone_at_once_and_that_can_be_undone_too(tab: EventClient) -> None:
    batch = deleted(tab, "Ann", "Bo", "Cy")
    undone = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert (texts(undone), names()) == (["Undone: 3 records"], ["Ann", "Bo", "Cy"])
    (again,) = batches(undone)
    assert again not in ("", batch)
    reply = tab.send(UndoState.undo, path=TAB, batch=again)
    assert (texts(reply), names()) == (["Undone: 3 records"], [])


@pytest.mark.spec("TRASH-1")
def test_undo_pressed_twice_says_so_and_offers_nothing(tab: EventClient) -> None:
    batch = deleted(tab, "Kelp")
    tab.send(UndoState.undo, path=TAB, batch=batch)
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert texts(reply) == [
        "Ann Lim has changed Kelp since then, so it can't be undone. Its history shows what changed."
    ]
    assert (batches(reply), names()) == ([], ["Kelp"])


@pytest.mark.spec("TRASH-1")
@pytest.mark.parametrize("batch", ["", "nonsense", "7", "\x00", "x" * 10_000])
def test_what_is_no_batch_cannot_be_undone(tab: EventClient, batch: object) -> None:
    deleted(tab, "Kelp")
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert (texts(reply), names()) == (["This can't be undone any more."], [])


@pytest.mark.spec("ROLE-4")
def test_a_stranger_is_sent_to_sign_in_and_undoes_nothing(tab: EventClient) -> None:
    batch = deleted(tab, "Kelp")
    sign_in(tab, None)
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert redirects(reply)[0].startswith("/auth")
    assert names() == []


@on_sqlite
def test_without_its_database_undo_says_that_it_failed(
    tab: EventClient, database_away: AbstractContextManager[None]
) -> None:
    batch = deleted(tab, "Kelp")
    with database_away:
        reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert (texts(reply), reply.errors) == (["Failed to undo it. Nothing has been changed."], [])


@pytest.mark.spec("TRASH-1")
def test_what_changed_nothing_has_no_batch(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = factories.id_of(factories.add_company(session))
    with transaction() as session:
        bulk.set_public(session, actor, COMPANIES, [company], True)
        assert batch_of(session) == ""
        bulk.set_public(session, actor, COMPANIES, [company], False)
        assert batch_of(session)
