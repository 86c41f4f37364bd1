"""The list of enquiries as staff work with it, on a real database: filtered, searched, exported."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.enquiries.desk import inbox
from advisory_site.enquiries.desk import service as desk
from advisory_site.enquiries.desk import view as desk_view
from advisory_site.enquiries.models import EnquiryState, entries
from sitekit.base.db.database import now
from sitekit.base.errors import Forbidden
from sitekit.base.permissions import Actor
from sitekit.records.csv_cells import escape_formula
from sitekit.records.listing import ListQuery
from tests.conftest import on_sqlite
from tests.support.csv_files import exported
from tests.support.factories import add_actor, add_enquiry

FIRST = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def names(session: Session, actor: Actor, **wish: str) -> list[str]:
    return [row.name for row in inbox.list_admin(session, actor, ListQuery.read(wish)).rows]


@pytest.mark.spec("CON-6")
def test_the_newest_enquiry_is_listed_first(session: Session, actor: Actor) -> None:
    for number, name in enumerate(("Old", "New", "Between")):
        add_enquiry(session, first_name=name, last_name="", created_at=FIRST + timedelta(days=(0, 2, 1)[number]))
    assert names(session, actor) == ["New", "Between", "Old"]


@pytest.mark.spec("CON-6")
def test_enquiries_of_one_day_are_listed_with_the_hour(session: Session, actor: Actor) -> None:
    for hours in (0, 2, 48):
        add_enquiry(session, created_at=FIRST + timedelta(hours=hours))
    rows = inbox.list_admin(session, actor, ListQuery.read({})).rows
    assert [row.is_alone for row in rows] == [True, False, False]


@pytest.mark.spec("CON-6")
def test_the_list_is_filtered_by_new_and_handled(session: Session, actor: Actor) -> None:
    add_enquiry(session, first_name="Waiting", last_name="")
    add_enquiry(session, first_name="Answered", last_name="", handled_at=FIRST)
    assert names(session, actor, filter="new") == ["Waiting"]
    assert names(session, actor, filter="handled") == ["Answered"]
    assert len(names(session, actor, filter="nonsense")) == 2


@on_sqlite
@pytest.mark.spec("CON-6")
@pytest.mark.parametrize("order", ["", "name", "company"])
def test_the_list_is_counted_and_sorted_without_reading_every_message(
    session: Session, actor: Actor, order: str
) -> None:
    add_enquiry(session)
    plans: list[str] = []

    def explain(connection: sa.Connection, cursor: Any, statement: str, given: Any, *_: object) -> None:
        rows = connection.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}", given)
        plans.extend(row[3] for row in rows)

    sa.event.listen(session.connection(), "before_cursor_execute", explain)
    names(session, actor, sort=order)
    of_enquiries = [plan for plan in plans if " enquiries" in plan]
    assert len(of_enquiries) > 2
    assert [plan for plan in of_enquiries if "INDEX" not in plan and "PRIMARY KEY" not in plan] == []


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize("words", ["kelp", "KELP lee", "ben@kelp", "tidal farm"])
def test_an_enquiry_is_found_by_any_word_in_it(session: Session, actor: Actor, words: str) -> None:
    add_enquiry(session, first_name="Ben", email="ben@kelp.example", company="Kelp & Co", message="A tidal\nfarm")
    add_enquiry(session, first_name="Eve", message="100% unrelated")
    assert names(session, actor, search=words) == ["Ben Lee"]


@pytest.mark.spec("CON-6", "DATA-3")
def test_an_enquiry_is_found_without_accents_also_if_an_older_release_has_stored_it(
    session: Session, actor: Actor
) -> None:
    enquiry = add_enquiry(session, first_name="Zoë", message="L’été")
    assert "\nlete" in (enquiry.searched or "")
    assert names(session, actor, search="zoe lete") == ["Zoë Lee"]
    enquiry.searched = None
    session.flush()
    assert names(session, actor, search="zoe lete") == ["Zoë Lee"]


@pytest.mark.spec("CON-6")
def test_a_page_has_25_enquiries_with_shortened_messages(session: Session, actor: Actor) -> None:
    for _ in range(26):
        add_enquiry(session, message="x" * 5_000)
    page = inbox.list_admin(session, actor, ListQuery(page=2))
    assert (page.first, page.last, page.total) == (26, 26, 26)
    assert len(page.rows[0].excerpt) == inbox.EXCERPT


@pytest.mark.spec("CON-6")
def test_the_export_has_exactly_the_rows_of_the_list(session: Session, actor: Actor) -> None:
    for _ in range(30):
        add_enquiry(session)
    add_enquiry(session, handled_at=FIRST)
    query = ListQuery(filter="new", page=2)
    assert inbox.CSV.count(session, actor, query) == (30, 30)
    assert len(exported(session, actor, inbox.CSV, query)) == 31


@pytest.mark.spec("CON-6")
def test_the_export_keeps_every_character(session: Session, actor: Actor) -> None:
    message = 'Comma, "quote", \U0001f680\nnew line; Ümlaut'
    add_enquiry(session, company="Kelp, Co", stage="scale", message=message, created_at=FIRST, handled_at=FIRST)
    head, row = exported(session, actor, inbox.CSV)
    assert head == [
        "Received (UTC)",
        "First name",
        "Last name",
        "Email",
        "Company",
        "Stage",
        "Message",
        "Handled (UTC)",
        "State",
        "Owner",
        "Due (UTC)",
        "First reply (UTC)",
    ]
    assert row[4:] == ["Kelp, Co", "Scale", message, "2026-03-01T09:30:00Z", "Handled", "", "", ""]


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_exported_cells_never_begin_a_formula(session: Session, actor: Actor, start: str) -> None:
    add_enquiry(session, first_name=f"{start}cmd|' /C calc'!A0", company=f"{start}1", message=f"{start}HYPERLINK(1)")
    _, row = exported(session, actor, inbox.CSV)
    assert [cell[:2] for cell in (row[1], row[4], row[6])] == [f"'{start}"] * 3


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize(
    ("cell", "exported"),
    [
        (";=1+1", ";'=1+1"),
        ("a;-1;b", "a;'-1;b"),
        ("Hello\n@SUM(1)", "Hello\n'@SUM(1)"),
        ("x;＝1", "x;'＝1"),
        ("a=b - c; d\ne+f@g.example", "a=b - c; d\ne+f@g.example"),
    ],
)
def test_formulas_after_semicolons_in_cells_are_escaped(cell: str, exported: str) -> None:
    assert escape_formula(cell) == exported


@pytest.mark.spec("CON-6")
def test_a_very_long_export_is_truncated_and_says_so(
    session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MOST_EXPORTED", 2)
    for number in range(3):
        add_enquiry(session, first_name=f"N{number}", created_at=FIRST + timedelta(days=number))
    assert inbox.CSV.count(session, actor, ListQuery()) == (2, 3)
    assert [row[1] for row in exported(session, actor, inbox.CSV)[1:]] == ["N2", "N1"]


@pytest.mark.spec("CON-6", "ROLE-3")
def test_a_visitor_can_use_no_function_of_the_inbox(session: Session) -> None:
    for call in (
        lambda: inbox.list_admin(session, None, ListQuery()),  # type: ignore[arg-type]
        lambda: inbox.count_new(session, None),  # type: ignore[arg-type]
        lambda: inbox.CSV.count(session, None, ListQuery()),  # type: ignore[arg-type]
        lambda: next(inbox.CSV.write(session, None, ListQuery())),  # type: ignore[arg-type]
    ):
        with pytest.raises(Forbidden):
            call()


@pytest.mark.spec("ENQ-1")
def test_the_list_has_a_filter_for_each_state_and_hides_spam(session: Session, actor: Actor) -> None:
    other = add_actor(session)
    for state in EnquiryState:
        add_enquiry(session, first_name=state.title(), last_name="", state=state)
    add_enquiry(session, first_name="Mine", last_name="", state=EnquiryState.WAITING, owner_id=actor.user_id)
    add_enquiry(session, first_name="Done", last_name="", state=EnquiryState.HANDLED, owner_id=actor.user_id)
    add_enquiry(session, first_name="Theirs", last_name="", state=EnquiryState.OPEN, owner_id=other.user_id)
    assert names(session, actor, filter="spam") == ["Spam"]
    assert sorted(names(session, actor, filter="open")) == ["Open", "Theirs"]
    assert names(session, actor, filter="mine") == ["Mine"]
    assert "Spam" not in names(session, actor)
    assert len(exported(session, actor, inbox.CSV, ListQuery())) == 8


@pytest.mark.spec("ENQ-4")
def test_open_enquiries_are_listed_in_the_order_in_which_they_are_due(session: Session, actor: Actor) -> None:
    opened = {"state": EnquiryState.OPEN, "last_name": ""}
    add_enquiry(session, first_name="Later", due_at=now() + timedelta(days=1), **opened)
    add_enquiry(session, first_name="Without", **opened)
    add_enquiry(session, first_name="Overdue", due_at=now() - timedelta(hours=3, minutes=5), **opened)
    rows = inbox.list_admin(session, actor, ListQuery(filter="open")).rows
    assert [row.name for row in rows] == ["Overdue", "Later", "Without"]
    assert (rows[0].due, rows[0].is_overdue, rows[1].is_overdue) == ("Overdue by 3 h", True, False)


@pytest.mark.spec("ENQ-12")
def test_the_export_says_who_has_an_enquiry_and_when_it_was_answered(session: Session, actor: Actor) -> None:
    times = {"due_at": FIRST, "first_replied_at": FIRST, "created_at": FIRST}
    add_enquiry(session, state=EnquiryState.WAITING, owner_id=actor.user_id, **times)
    _, row = exported(session, actor, inbox.CSV)
    assert row[8:] == ["Waiting", "Wei Tan", "2026-03-01T09:30:00Z", "2026-03-01T09:30:00Z"]


@pytest.mark.spec("ENQ-5")
def test_a_row_says_why_its_reply_was_not_sent_until_there_is_another(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)

    def reply(text: str, failure: str) -> None:
        session.flush()
        newest = desk_view.view(session, actor, enquiry.id).newest_entry
        desk.reply(session, actor, enquiry.id, text, newest)
        session.flush()
        mail = session.execute(sa.select(entries.mail_id).order_by(entries.id.desc()).limit(1)).scalar_one()
        desk.note_outcome(session, mail, failure)
        session.flush()

    def told() -> list[str]:
        filters = ("", "mine", "open")
        return [
            row.failure for each in filters for row in inbox.list_admin(session, actor, ListQuery(filter=each)).rows
        ]

    reply("Dear Ann, yes.", "The mail server refused it.")
    assert told() == ["The mail server refused it."] * 3
    reply("Dear Ann, once more.", "")
    desk.add_answer(session, actor, enquiry.id, "Thank you.")
    session.flush()
    assert told() == [""] * 3
