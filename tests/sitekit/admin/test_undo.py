"""The Undo of notices: who may, what it replies, and that the page that is shown is loaded again."""

from contextlib import AbstractContextManager

import pytest
import sqlalchemy as sa

from advisory_site.companies.admin import CompanyTabState
from advisory_site.companies.models import Company, columns
from advisory_site.companies.service import COMPANIES
from sitekit.admin.undo_state import UndoState
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.permissions import Actor, Role
from sitekit.records import bulk, saving
from sitekit.records.revisions import TABLE, batch_of
from sitekit.records.undo import UNDOABLE_FOR
from sitekit.ui.feedback import NoticeState
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.staff import batches, redirects, sign_in, texts

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
    assert (texts(undone), names()) == (["Undone: 3 records"], ["Ann", "Bo", "Cy"])
    (again,) = batches(undone)
    assert again not in ("", batch)
    reply = tab.send(UndoState.undo, path=TAB, batch=again)
    assert (texts(reply), names()) == (["Undone: 3 records"], [])


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
    assert texts(reply) == [f"Undone: 2 records. {moved}"]


@pytest.mark.spec("TRASH-1")
def test_undoing_a_rename_says_if_the_record_keeps_its_page_address(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = COMPANIES.create(session, actor, COMPANIES.draft.read(factories.company_form(name="Ann", slug="ann")))
    with transaction() as session:
        typed = factories.company_form(name="Ann Lim", slug="ann-lim")
        COMPANIES.update(session, actor, company, COMPANIES.draft.read(typed), 1)
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
    assert texts(reply) == [
        "Ann Lim has changed Kelp since then, so it can't be undone. Its history shows what changed."
    ]
    assert (batches(reply), names()) == ([], ["Kelp"])


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


def hidden(tab: EventClient, actor: Actor, *ids: int) -> str:
    """Hide companies and offer to undo that; returns the batch."""
    with transaction() as session:
        bulk.set_public(session, actor, COMPANIES, ids, False)
        batch = batch_of(session)
    tab.send(NoticeState.offer_undo, text=f"Hidden: {ids}", subject=batch, batch=batch)
    return batch


def offered(tab: EventClient) -> list[str]:
    return [one["undo"] for one in tab.vars(NoticeState)["notices"] if one["text"] and one["undo"]]


@on_each_database
@pytest.mark.spec("SAY-2")
def test_a_later_change_withdraws_only_the_undo_of_the_same_records(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        ann, bo = (factories.id_of(factories.add_company(session, name=name)) for name in ("Ann", "Bo"))
    first, other = hidden(tab, actor, ann), hidden(tab, actor, bo)
    assert offered(tab) == [first, other]
    with transaction() as session:
        bulk.delete(session, actor, COMPANIES, [ann])
        deleted = batch_of(session)
    tab.send(NoticeState.offer_undo, text="Deleted", subject="row", batch=deleted)
    assert offered(tab) == [other, deleted]


@pytest.mark.spec("SAY-2")
def test_a_later_save_that_offers_no_undo_withdraws_it_too(tab: EventClient) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = factories.id_of(factories.add_company(session, name="Ann"))
    hidden(tab, actor, company)
    with transaction() as session:
        saving.write(session, session.get_one(Company, company), {"tagline": "New"}, actor)
    reply = tab.send(NoticeState.show, level="success", text="Saved")
    assert offered(tab) == [] and redirects(reply) == []


@pytest.mark.spec("SAY-2")
def test_an_undo_offer_stays_while_the_database_is_unavailable(
    tab: EventClient, database_away: AbstractContextManager[None]
) -> None:
    actor = Actor(sign_in(tab, Role.EMPLOYEE), Role.EMPLOYEE)
    with transaction() as session:
        company = factories.id_of(factories.add_company(session, name="Ann"))
    batch = hidden(tab, actor, company)
    with database_away:
        reply = tab.send(NoticeState.show, level="success", text="Saved")
    assert (offered(tab), reply.errors) == ([batch], [])
