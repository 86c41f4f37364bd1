"""Import pages through the real event processor: who may, what is shown, what is saved, what is forgotten."""

import asyncio
import base64
import gzip
import os
import pickle
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.articles.models import Article
from advisory_site.articles.service import ARTICLES
from advisory_site.companies.admin import CompanyImportState
from advisory_site.companies.models import Company, columns
from advisory_site.team.admin import MemberImportState
from sitekit.admin.csv import chosen_files, import_state
from sitekit.admin.csv.chosen_files import ChosenFile
from sitekit.admin.csv.import_state import MOST_PIECES, PIECE_BYTES, PIECE_LENGTH, excerpts
from sitekit.admin.undo_state import UndoState
from sitekit.base import permissions
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.records import csv_texts, history
from sitekit.server.http.socket_limits import MAX_EVENT_BYTES
from tests.conftest import on_each_database
from tests.support import factories
from tests.support.csv_files import csv_bytes
from tests.support.event_client import EventClient, Reply
from tests.support.staff import batches, redirects, sign_in, texts

pytestmark = pytest.mark.spec("LIST-7")

HEAD = ("Name", "Slug", "Industry", "Founded", "Employees", "Location", "Description", "Colour")
KELP = ("Kelp", "kelp", "Aquaculture", "2019", "11-50", "Singapore", "Farms kelp.", "green")
REEF = ("Reef", "reef", "Aquaculture", "soon", "11-50", "Singapore", "Grows reefs.", "")
PATH = "/admin/companies/import"


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of another test."""
    monkeypatch.setattr(chosen_files.chosen_files, "_kept", {})


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


def file_of(tab: EventClient) -> ChosenFile | None:
    return chosen_files.chosen_files.find(tab.token, held(tab)["_file_id"])


@pytest.mark.spec("ROLE-3")
@pytest.mark.parametrize("role", list(Role))
@on_each_database
def test_staff_of_every_role_import_the_rows_they_reviewed(tab: EventClient, role: Role) -> None:
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
    assert [row.name for row in reply.var("company_import_state.rows")] == ["Moss"]
    assert slugs() == ["moss"]
    (wrong,) = tab.send(CompanyImportState.show_rows, category="wrong", page=1).var("company_import_state.rows")
    assert (wrong.number, wrong.category, wrong.name, wrong.details[0].label) == (3, "wrong", "Reef", "Founded")
    saved = tab.send(CompanyImportState.import_records, path=PATH)
    assert texts(saved) == ["Imported: 1 new, 1 changed"]
    assert redirects(saved) == ["/admin?tab=companies&search=k&page=2"]
    assert slugs() == ["moss", "kelp"]
    assert not chosen_files.chosen_files._kept and held(tab)["rows"] == []
    assert texts(tab.send(CompanyImportState.import_records, path=PATH)) == []
    assert slugs() == ["moss", "kelp"]
    assert texts(tab.send(UndoState.undo, batch=batches(saved)[0]))[-1] == "Undone: Moss, Kelp"
    assert slugs() == ["moss"]
    with read_session() as session:
        assert session.execute(sa.select(columns.industry)).scalar_one() == "a"


@pytest.mark.spec("ROLE-4")
def test_a_role_that_may_not_manage_companies_cannot_send_a_file(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(permissions.POLICY, CompanyImportState.record_type.change_action, permissions.ADMINS)
    sign_in(tab, Role.MANAGER)
    reply = upload(tab, csv_bytes(HEAD, KELP))
    assert not chosen_files.chosen_files._kept
    assert texts(reply) == ["You may not do this."]


def test_a_record_saved_meanwhile_stops_the_import_and_refreshes_the_table(tab: EventClient) -> None:
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


def test_a_row_that_saving_alone_refuses_is_named_until_the_next_press(tab: EventClient) -> None:
    with transaction() as session:
        article = factories.add_article(session, case_of="kelp")
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    tab.send(CompanyImportState.import_records, path=PATH)
    assert held(tab)["error"] == (
        "Nothing was imported. Row 2 (Kelp): This address is already in use. Please choose another."
    )
    assert (held(tab)["counts"].new, slugs()) == (1, [])
    tab.send(CompanyImportState.show_rows, category="", page=1)
    assert held(tab)["error"] != ""
    with transaction() as session:
        session.get_one(Article, article.id).case_of = ""
    with transaction() as session:
        history.erase_older(session, factories.add_actor(session, Role.ADMIN), ARTICLES, article.id)
    tab.send(CompanyImportState.import_records, path=PATH)
    assert (held(tab)["error"], slugs()) == ("", ["kelp"])


def test_a_column_can_be_mapped_to_another_field_or_ignored(tab: EventClient) -> None:
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


def test_an_invalid_file_is_reported_and_another_can_be_chosen(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    assert upload(tab, b"PK\x03\x04").var("company_import_state.error") == csv_texts.FILE_WORKBOOK
    assert held(tab)["columns"] == []
    assert upload(tab, csv_bytes(HEAD, KELP)).var("company_import_state.counts").new == 1


def test_the_size_of_a_file_is_limited_during_the_upload(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for pieces, sentence in ((MOST_PIECES + 1, csv_texts.FILE_TOO_LARGE), (0, csv_texts.FILE_EMPTY)):
        reply = tab.send(CompanyImportState.begin, name="a.csv", pieces=pieces)
        assert (reply.var("company_import_state.error"), held(tab)["pieces"]) == (sentence, 0)
    tab.send(CompanyImportState.begin, name="a.csv", pieces=2)
    tab.send(CompanyImportState.add_piece, number=1, piece="TmFtZQo=")
    assert file_of(tab) == ChosenFile(held(tab)["_file_id"])
    for piece in ("A" * (PIECE_LENGTH + 4), "no base64!", "A"):
        tab.send(CompanyImportState.begin, name="a.csv", pieces=2)
        reply = tab.send(CompanyImportState.add_piece, number=0, piece=piece)
        assert (reply.var("company_import_state.error"), chosen_files.chosen_files._kept) == (csv_texts.FILE_UNREAD, {})
    bomb = gzip.compress(b"a" * 50_000_000)
    assert upload(tab, bomb).var("company_import_state.error") == csv_texts.FILE_TOO_LARGE
    assert upload(tab, gzip.compress(os.urandom(99))[:50]).var("company_import_state.error") == csv_texts.FILE_UNREAD


def test_an_upload_piece_fits_into_one_event() -> None:
    assert PIECE_LENGTH + 12_000 < MAX_EVENT_BYTES


def test_leaving_the_page_discards_the_file(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for leave in (CompanyImportState.close, CompanyImportState.open):
        upload(tab, csv_bytes(HEAD, KELP))
        tab.send(leave, path=PATH)
        left = held(tab)
        assert not chosen_files.chosen_files._kept and not left["rows"] and left["counts"].all == 0


def test_only_the_files_of_the_latest_clients_are_kept(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen_files, "MOST", 1)
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    chosen_files.chosen_files.begin("another tab")
    reply = tab.send(CompanyImportState.import_records, path=PATH)
    assert (reply.var("company_import_state.error"), slugs()) == (csv_texts.FILE_DROPPED, [])
    assert upload(tab, csv_bytes(HEAD, KELP)).var("company_import_state.counts").new == 1


def test_a_file_dropped_during_the_upload_must_be_chosen_again(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(CompanyImportState.begin, path=PATH, name="a.csv", pieces=2)
    tab.send(CompanyImportState.add_piece, path=PATH, number=0, piece="TmFtZQo=")
    chosen_files.chosen_files.drop(tab.token)
    reply = tab.send(CompanyImportState.add_piece, path=PATH, number=1, piece="TmFtZQo=")
    assert reply.var("company_import_state.error") == csv_texts.FILE_DROPPED
    assert (held(tab)["pieces"], chosen_files.chosen_files._kept) == (0, {})


def test_the_file_of_a_closed_client_is_dropped_unless_it_reconnects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of one whose first event comes after it was closed."""
    monkeypatch.setattr(chosen_files, "GRACE_PERIOD", 0)
    files = chosen_files.ChosenFiles()
    files.begin("closed").pieces.append(b"Name")
    back = files.begin("back")

    async def leave() -> None:
        await files.left("closed", "")
        await files.left("late", "")
        files.begin("late")
        await files.left("back", "")
        await files.joined("back", "")
        for _ in range(3):  # rounds of the loop
            await asyncio.sleep(0)

    asyncio.run(leave())
    assert files._kept == {"back": back} and not files._leaving


@pytest.mark.spec("ROLE-4")
def test_another_state_of_the_same_client_cannot_read_the_file(tab: EventClient) -> None:
    """Such as the import page of another record type, or a state that was cleared for the next person."""
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, KELP))
    reply = tab.send(MemberImportState.show_rows, path=PATH, category="", page=1)
    assert "member_import_state.rows" not in reply.delta
    assert file_of(tab) is not None


def test_rows_are_shown_by_page(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_state, "PAGE_SIZE", 2)
    sign_in(tab, Role.EMPLOYEE)
    upload(tab, csv_bytes(HEAD, *((*KELP[:1], f"kelp-{n}", *KELP[2:]) for n in range(5))))
    for page, numbers in ((3, [6]), (9, [6]), (-1, [2, 3])):
        reply = tab.send(CompanyImportState.show_rows, category="", page=page)
        assert [row.number for row in reply.var("company_import_state.rows")] == numbers
    reply = tab.send(CompanyImportState.show_rows, category="changed", page=1)
    assert reply.var("company_import_state.rows") == []


def test_state_stored_in_redis_has_only_the_shown_part_of_the_file(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_state, "PAGE_SIZE", 1)
    sign_in(tab, Role.EMPLOYEE)
    content = csv_bytes(HEAD, KELP, ("Dulse", "dulse", *KELP[2:]))
    tab.send(CompanyImportState.begin, path=PATH, name="a.csv", pieces=2)
    tab.send(CompanyImportState.add_piece, path=PATH, number=0, piece=base64.b64encode(content).decode())
    assert b"Dulse" not in pickle.dumps(held(tab))
    tab.send(CompanyImportState.add_piece, path=PATH, number=1, piece="")
    assert held(tab)["counts"].new == 2
    assert b"Dulse" not in pickle.dumps(held(tab))


def test_long_texts_are_shown_from_their_first_difference() -> None:
    old, new = "same " * 100 + "old", "same " * 100 + "new"
    assert [text[:1] + text[-3:] for text in excerpts(old, new)] == ["…old", "…new"]
    assert excerpts("short", "") == ("short", "")
    assert excerpts("", "x" * 200) == ("", "x" * 160 + "…")
