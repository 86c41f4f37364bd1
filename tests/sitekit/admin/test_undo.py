"""The Undo of notices: who may, what it replies, and that the page that is shown is loaded again."""

from contextlib import AbstractContextManager

import pytest
import sqlalchemy as sa

from advisory_site.companies.admin import CompanyTabState
from advisory_site.companies.models import Company, columns
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.admin.undo_state import UndoState
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.permissions import Actor, Role
from sitekit.records import bulk, ordering, saving
from sitekit.records.revisions import TABLE, batch_of
from sitekit.records.undo import UNDOABLE_FOR
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.staff import batches, sign_in, texts

TAB = "/admin?tab=companies"
GONE = ["This can't be undone any more."]


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
def test_staff_of_every_role_can_undo_a_deletion_and_see_the_list_again(tab: EventClient, role: Role) -> None:
    batch = deleted(tab, "Kelp", role=role)
    assert tab.send(CompanyTabState.load, path=TAB).var("company_tab_state.total") == 0
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert texts(reply) == ["Undone: Kelp"]
    assert [row.name for row in reply.var("company_tab_state.rows")] == names() == ["Kelp"]


@pytest.mark.spec("LIST-5")
def test_a_change_of_several_records_can_be_undone_and_redone(tab: EventClient) -> None:
    batch = deleted(tab, "Ann", "Bo", "Cy")
    undone = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert (texts(undone), names()) == (["Undone: Ann, Bo, Cy"], ["Ann", "Bo", "Cy"])
    (again,) = batches(undone)
    assert again not in ("", batch)
    reply = tab.send(UndoState.undo, path=TAB, batch=again)
    assert (texts(reply), names()) == (["Undone: Ann, Bo, Cy"], [])


@pytest.mark.spec("TRASH-1")
def test_undo_says_which_page_address_a_record_has_if_another_took_the_old_one(tab: EventClient) -> None:
    batch = deleted(tab, "Ann", "Bo")
    with read_session() as session:
        (slug,) = (
            row["slug"] for row in session.execute(sa.select(TABLE.c.snapshot).order_by(TABLE.c.id).limit(1)).scalars()
        )
    with transaction() as session:
        factories.add_company(session, name="Cy", slug=slug)
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    moved = f"The address of Ann is /companies/{slug}-2 now: another company has the old one."
    assert texts(reply) == [f"Undone: Ann, Bo. {moved}"]


@pytest.mark.spec("TRASH-1")
def test_undoing_a_rename_says_if_the_record_keeps_its_page_address(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = COMPANIES.create(
            session, actor, COMPANIES.data_class.read(factories.company_form(name="Ann", slug="ann"))
        )
    with transaction() as session:
        typed = factories.company_form(name="Ann Lim", slug="ann-lim")
        COMPANIES.update(session, actor, company, COMPANIES.data_class.read(typed), 1)
        batch = batch_of(session)
    with transaction() as session:
        factories.add_company(session, name="Cy", slug="ann")
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    moved = "The address of Ann is /companies/ann-lim now: another company has the old one."
    assert texts(reply) == [f"Undone: Ann Lim. {moved}"]


@pytest.mark.spec("TRASH-1")
def test_pressing_undo_twice_is_reported_and_offers_nothing(tab: EventClient) -> None:
    batch = deleted(tab, "Kelp")
    tab.send(UndoState.undo, path=TAB, batch=batch)
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert texts(reply) == ["You have changed Kelp since then. Nothing was undone: its history shows what changed."]
    assert (batches(reply), names()) == ([], ["Kelp"])


@pytest.mark.spec("SAY-2")
def test_a_later_change_of_a_colleague_is_said_with_their_name(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = factories.id_of(factories.add_company(session, name="Kelp"))
        colleague = factories.add_actor(session, first_name="Bo", last_name="Tan")
    with transaction() as session:
        bulk.set_public(session, actor, COMPANIES, [company], False)
        batch = batch_of(session)
    with transaction() as session:
        bulk.set_public(session, colleague, COMPANIES, [company], True)
    assert texts(tab.send(UndoState.undo, path=TAB, batch=batch))[0].startswith("Bo Tan has changed Kelp since then")


@pytest.mark.spec("SAY-2")
def test_undo_says_by_name_whether_records_are_public_again_or_hidden(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        ids = [factories.id_of(factories.add_company(session, name=name)) for name in ("Musim", "Kelp", "Saga", "Tarn")]
    said = []
    for some in (ids[:1], ids):
        with transaction() as session:
            bulk.set_public(session, actor, COMPANIES, some, False)
            batch = batch_of(session)
        undone = tab.send(UndoState.undo, path=TAB, batch=batch)
        again = tab.send(UndoState.undo, path=TAB, batch=batches(undone)[0])
        said += [*texts(undone)[-1:], *texts(again)[-1:]]
        with transaction() as session:
            bulk.set_public(session, actor, COMPANIES, some, True)
    assert said == [
        "Undone: Musim is public again",
        "Undone: Musim is hidden again",
        "Undone: Musim, Kelp, Saga and 1 more are public again",
        "Undone: Musim, Kelp, Saga and 1 more are hidden again",
    ]


@pytest.mark.spec("SAY-2")
def test_undoing_a_move_speaks_of_the_order_and_not_of_all_that_made_room(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        ids = [factories.id_of(factories.add_member(session, name=name)) for name in ("Ann", "Bo", "Cy")]
    with transaction() as session:
        ordering.place(session, actor, MEMBERS, ids[0], ids[2], True, "")
        batch = batch_of(session)
    assert texts(tab.send(UndoState.undo, path=TAB, batch=batch)) == ["Undone: the order is as it was before"]


@pytest.mark.spec("TRASH-1")
@pytest.mark.parametrize("batch", ["", "nonsense", "7", "\x00", "x" * 10_000])
def test_an_invalid_batch_cannot_be_undone(tab: EventClient, batch: object) -> None:
    deleted(tab, "Kelp")
    reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert (texts(reply), names()) == (GONE, [])


@pytest.mark.spec("TRASH-1")
@pytest.mark.parametrize("spelling", ["{} ", " {}", "{}\n", "{}\x00", "\u200b{}"])
def test_undo_refuses_other_spellings_of_a_batch_id_and_spares_a_newer_save(tab: EventClient, spelling: str) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = factories.id_of(factories.add_company(session, name="Kelp"))
    with transaction() as session:
        bulk.set_public(session, actor, COMPANIES, [company], False)
        batch = batch_of(session)
    with transaction() as session:
        saving.write(session, session.get_one(Company, company), {"name": "Kelp & Co"}, actor)
    assert texts(tab.send(UndoState.undo, path=TAB, batch=spelling.format(batch))) == GONE
    assert names() == ["Kelp & Co"]


@pytest.mark.spec("TRASH-1")
def test_nobody_can_undo_the_change_of_another_user(tab: EventClient) -> None:
    batch = deleted(tab, "Kelp")
    sign_in(tab, Role.ADMIN)
    assert texts(tab.send(UndoState.undo, path=TAB, batch=batch)) == GONE
    assert names() == []


@pytest.mark.spec("TRASH-1")
def test_a_change_can_be_undone_for_a_day(tab: EventClient) -> None:
    batch = deleted(tab, "Kelp")
    late = sa.update(TABLE).where(TABLE.c.batch == batch).values(at=now() - UNDOABLE_FOR)
    with transaction() as session:
        session.execute(late)
    assert texts(tab.send(UndoState.undo, path=TAB, batch=batch)) == GONE
    assert names() == []


@on_sqlite
def test_undo_reports_an_unavailable_database(tab: EventClient, database_away: AbstractContextManager[None]) -> None:
    batch = deleted(tab, "Kelp")
    with database_away:
        reply = tab.send(UndoState.undo, path=TAB, batch=batch)
    assert (texts(reply), reply.errors) == (["Failed to undo it. Nothing has been changed."], [])


@pytest.mark.spec("TRASH-1")
def test_an_action_that_changed_nothing_has_no_batch(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = factories.id_of(factories.add_company(session))
    with transaction() as session:
        bulk.set_public(session, actor, COMPANIES, [company], True)
        assert batch_of(session) == ""
        bulk.set_public(session, actor, COMPANIES, [company], False)
        assert batch_of(session)
