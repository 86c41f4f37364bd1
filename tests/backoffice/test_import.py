"""Import pages through the real event processor: who may, what is shown, what is saved, what is forgotten."""

import base64
import gzip
import os
import pickle
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.advisors.admin_import import AdvisorImportState
from advisory_site.backoffice import import_state
from advisory_site.backoffice.import_state import MOST_PIECES, PIECE_BYTES, PIECE_LENGTH, excerpts
from advisory_site.companies.admin_import import CompanyImportState
from advisory_site.companies.models import Company, columns
from advisory_site.content import csv_texts as words
from advisory_site.core import permissions
from advisory_site.core.permissions import Role
from advisory_site.dashboard.undo import UndoState
from advisory_site.db.database import read_session, transaction
from advisory_site.http.socket_limits import MAX_EVENT_BYTES
from advisory_site.team.admin_import import MemberImportState
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.csv_files import csv_bytes
from tests.support.event_client import EventClient, Reply
from tests.support.staff import batches, redirects, sign_in, texts

pytestmark = pytest.mark.spec("LIST-7")

HEAD = ("Name", "Slug", "Industry", "Founded", "Employees", "Location", "Description", "Colour")
KELP = ("Kelp", "kelp", "Aquaculture", "2019", "11-50", "Singapore", "Farms kelp.", "green")
REEF = ("Reef", "reef", "Aquaculture", "soon", "11-50", "Singapore", "Grows reefs.", "")
STATES = (CompanyImportState, MemberImportState, AdvisorImportState)
PATH = "/admin/companies/import"

EVERY_HANDLER: list[tuple[Callable[..., object], dict[str, Any]]] = [
    (call, payload)
    for state in STATES
    for call, payload in (
        (state.open, {}),
        (state.close, {}),
        (state.begin, {"name": "a.csv", "pieces": 1}),
        (state.add_piece, {"number": 0, "piece": "TmFtZQo="}),
        (state.set_column, {"index": 0, "target": "name"}),
        (state.show_rows, {"kind": "new", "page": 1}),
        (state.import_records, {}),
    )
]


def upload(tab: EventClient, content: bytes, state: Any = CompanyImportState, size: int = PIECE_BYTES) -> Reply:
    """Send a file as the browser does; the reply to its last piece."""
    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    reply = tab.send(state.begin, path=PATH, name="firms.csv", pieces=len(pieces))
    for number, piece in enumerate(pieces):
        reply = tab.send(state.add_piece, path=PATH, number=number, piece=base64.b64encode(piece).decode())
    return reply


def slugs() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.slug).order_by(columns.id)).scalars())


def held(tab: EventClient) -> dict[str, Any]:
    return tab.vars(CompanyImportState)


@pytest.mark.spec("ROLE-4", "ADM-2")
@pytest.mark.parametrize(("handler", "payload"), EVERY_HANDLER)
def test_a_stranger_is_sent_to_sign_in_and_nothing_is_taken(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any]
) -> None:
    sign_in(tab, None)
    reply = tab.send(handler, path=PATH, **payload)
    assert redirects(reply)[0].startswith("/auth")
    assert not [name for name in reply.delta if "import_state" in name]


@pytest.mark.spec("ROLE-3")
@pytest.mark.parametrize("role", list(Role))
@on_each_database
def test_staff_of_every_role_import_what_they_have_seen(tab: EventClient, role: Role) -> None:
    with transaction() as session:
        factories.add_company(
            session, name="Moss", slug="moss", **dict(zip(("industry", "founded"), "ab", strict=True))
        )
    sign_in(tab, role)
    tab.send(CompanyImportState.open, path=f"{PATH}?search=k&page=2")
    moss = ("Moss", "moss", "Forests", "2001", "3", "Oslo", "Moss.", "")
    reply = upload(tab, gzip.compress(csv_bytes(HEAD, KELP, REEF, moss)))
    counts = reply.var("company_import_state.counts")
    assert (counts.all, counts.new, counts.changed, counts.same, counts.wrong, counts.imported) == (3, 1, 1, 0, 1, 2)
    assert reply.var("company_import_state.ignored") == "Colour"
    assert slugs() == ["moss"]
    (wrong,) = tab.send(CompanyImportState.show_rows, kind="wrong", page=1).var("company_import_state.rows")
    assert (wrong.number, wrong.kind, wrong.name, wrong.details[0].label) == (3, "wrong", "Reef", "Founded")
    saved = tab.send(CompanyImportState.import_records, path=PATH)
    assert texts(saved) == ["Imported: 1 new, 1 changed"]
    assert redirects(saved) == ["/admin?tab=companies&search=k&page=2"]
    assert slugs() == ["moss", "kelp"]
    assert held(tab)["_plan"] is None and held(tab)["_sheet"] is None and held(tab)["rows"] == []
    assert texts(tab.send(CompanyImportState.import_records, path=PATH)) == []
    assert slugs() == ["moss", "kelp"]
    assert texts(tab.send(UndoState.undo, batch=batches(saved)[0]))[-1] == "Undone: 2 records"
    assert slugs() == ["moss"]
    with read_session() as session:
        assert session.execute(sa.select(columns.industry)).scalar_one() == "a"


@pytest.mark.spec("ROLE-4")
def test_a_role_that_may_not_manage_companies_sends_no_file(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(permissions.POLICY, CompanyImportState.kind.action, permissions.ADMINS)
    sign_in(tab, Role.MANAGER)
    reply = upload(tab, csv_bytes(HEAD, KELP))
    assert held(tab)["_content"] == [] and held(tab)["_plan"] is None
    assert reply.errors


def test_a_record_that_was_saved_since_stops_the_import_and_the_table_is_new(tab: EventClient) -> None:
    required = {"industry": "i", "founded": "2019", "employees": "40", "location": "l", "description": "d"}
    with transaction() as session:
        moss = factories.id_of(factories.add_company(session, name="Moss", slug="moss", **required))
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(("Slug", "Tagline", "Name"), ("moss", "Grows", "Moss")))
    with transaction() as session:
        session.get_one(Company, moss).tagline = "A colleague's"
    reply = tab.send(CompanyImportState.import_records, path=PATH)
    assert "saved or deleted since: Moss" in texts(reply)[0]
    assert reply.var("company_import_state.rows")[0].details[0].old == "A colleague's"
    assert texts(tab.send(CompanyImportState.import_records, path=PATH))[-1] == "Imported: 0 new, 1 changed"


def test_a_column_is_imported_as_another_field_or_not_at_all(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    reply = tab.send(CompanyImportState.set_column, index=7, target="tagline")
    assert ("Tagline", "green") in [(one.label, one.new) for one in reply.var("company_import_state.rows")[0].details]
    reply = tab.send(CompanyImportState.set_column, index=7, target="name")
    assert reply.var("company_import_state.error") == "Two columns are imported as Name. Please choose one of them."
    assert reply.var("company_import_state.counts").all == 0
    reply = tab.send(CompanyImportState.set_column, index=7, target="")
    assert (reply.var("company_import_state.error"), reply.var("company_import_state.counts").new) == ("", 1)
    for index, target in ((7, "version"), (8, "name"), (-1, "name")):
        assert not tab.send(CompanyImportState.set_column, index=index, target=target).delta.get(
            "company_import_state.columns"
        )


def test_a_file_that_is_none_says_so_and_can_be_chosen_again(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    assert upload(tab, b"PK\x03\x04").var("company_import_state.error") == words.FILE_WORKBOOK
    assert held(tab)["_plan"] is None and held(tab)["columns"] == []
    assert upload(tab, csv_bytes(HEAD, KELP)).var("company_import_state.counts").new == 1


def test_a_file_is_limited_while_it_comes(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for pieces, sentence in ((MOST_PIECES + 1, words.FILE_TOO_LARGE), (0, words.FILE_EMPTY)):
        reply = tab.send(CompanyImportState.begin, name="a.csv", pieces=pieces)
        assert (reply.var("company_import_state.error"), held(tab)["pieces"]) == (sentence, 0)
    tab.send(CompanyImportState.begin, name="a.csv", pieces=2)
    tab.send(CompanyImportState.add_piece, number=1, piece="TmFtZQo=")
    assert held(tab)["_content"] == []
    for piece in ("A" * (PIECE_LENGTH + 4), "no base64!", "A"):
        tab.send(CompanyImportState.begin, name="a.csv", pieces=2)
        reply = tab.send(CompanyImportState.add_piece, number=0, piece=piece)
        assert (reply.var("company_import_state.error"), held(tab)["_content"]) == (words.FILE_UNREAD, [])
    bomb = gzip.compress(b"a" * 50_000_000)
    assert upload(tab, bomb).var("company_import_state.error") == words.FILE_TOO_LARGE
    assert upload(tab, gzip.compress(os.urandom(99))[:50]).var("company_import_state.error") == words.FILE_UNREAD


def test_a_piece_fits_an_event() -> None:
    assert PIECE_LENGTH + 12_000 < MAX_EVENT_BYTES


def test_leaving_the_page_forgets_the_file(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for leave in (CompanyImportState.close, CompanyImportState.open):
        upload(tab, csv_bytes(HEAD, KELP))
        tab.send(leave, path=PATH)
        left = held(tab)
        assert not left["_plan"] and not left["_sheet"] and not left["rows"] and left["counts"].all == 0


def test_a_page_of_rows_is_shown(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_state, "PAGE_SIZE", 2)
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, *((*KELP[:1], f"kelp-{n}", *KELP[2:]) for n in range(5))))
    for page, numbers in ((3, [6]), (9, [6]), (-1, [2, 3])):
        reply = tab.send(CompanyImportState.show_rows, kind="", page=page)
        assert [row.number for row in reply.var("company_import_state.rows")] == numbers
    reply = tab.send(CompanyImportState.show_rows, kind="changed", page=1)
    assert reply.var("company_import_state.rows") == []


def test_what_the_state_keeps_can_be_stored_between_processes(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    kept = held(tab)
    plan = pickle.loads(pickle.dumps(kept["_plan"]))
    assert plan.value == kept["_plan"].value


@on_sqlite
@pytest.mark.parametrize(("handler", "payload"), EVERY_HANDLER[:7])
def test_without_its_database_a_page_says_so(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    payload: dict[str, Any],
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with database_away:
        reply = tab.send(handler, path=PATH, **payload)
    assert (texts(reply), reply.errors) == ([words.IMPORT_FAILED], [])


def test_long_texts_are_shown_from_where_they_differ() -> None:
    old, new = "same " * 100 + "old", "same " * 100 + "new"
    assert [text[:1] + text[-3:] for text in excerpts(old, new)] == ["…old", "…new"]
    assert excerpts("short", "") == ("short", "")
    assert excerpts("", "x" * 200) == ("", "x" * 160 + "…")
