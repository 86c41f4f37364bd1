"""Enquiries as staff work with them, on a real database: listed, read, marked, deleted, exported."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlmodel import Session

from advisory_site.core.errors import Forbidden, NotFound
from advisory_site.core.permissions import Actor
from advisory_site.enquiries import inbox
from advisory_site.enquiries.models import Enquiry
from advisory_site.records.csv_cells import escape_formula
from advisory_site.records.listing import ListQuery
from tests.support.csv_files import exported
from tests.support.factories import add_enquiry

FIRST = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def names(session: Session, actor: Actor, **wish: str) -> list[str]:
    return [row.name for row in inbox.list_admin(session, actor, ListQuery.read(wish)).rows]


@pytest.mark.spec("CON-6")
def test_the_newest_enquiry_stands_first(session: Session, actor: Actor) -> None:
    for number, name in enumerate(("Old", "New", "Between")):
        add_enquiry(session, first_name=name, last_name="", created_at=FIRST + timedelta(days=(0, 2, 1)[number]))
    assert names(session, actor) == ["New", "Between", "Old"]


@pytest.mark.spec("CON-6")
def test_the_list_tells_new_from_handled(session: Session, actor: Actor) -> None:
    add_enquiry(session, first_name="Waiting", last_name="")
    add_enquiry(session, first_name="Answered", last_name="", handled_at=FIRST)
    assert names(session, actor, filter="new") == ["Waiting"]
    assert names(session, actor, filter="handled") == ["Answered"]
    assert len(names(session, actor, filter="nonsense")) == 2


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize("words", ["kelp", "KELP lee", "ben@kelp", "tidal farm"])
def test_an_enquiry_is_found_by_any_word_in_it(session: Session, actor: Actor, words: str) -> None:
    add_enquiry(session, first_name="Ben", email="ben@kelp.example", company="Kelp & Co", message="A tidal\nfarm")
    add_enquiry(session, first_name="Eve", message="100% unrelated")
    assert names(session, actor, search=words) == ["Ben Lee"]


@pytest.mark.spec("CON-6")
def test_a_page_has_25_enquiries_and_little_of_their_messages(session: Session, actor: Actor) -> None:
    for _ in range(26):
        add_enquiry(session, message="x" * 5_000)
    page = inbox.list_admin(session, actor, ListQuery(page=2))
    assert (page.first, page.last, page.total) == (26, 26, 26)
    assert len(page.rows[0].excerpt) == inbox.EXCERPT


@pytest.mark.spec("CON-6")
def test_an_opened_enquiry_is_whole(session: Session, actor: Actor) -> None:
    message = "First line\n\n  'quoted', \U0001f680 " + "x" * 4_900
    enquiry = add_enquiry(session, stage="pmf", message=message, created_at=FIRST)
    view = inbox.get(session, actor, str(enquiry.id))
    assert (view.message, view.stage, view.received) == (message, "Product-Market Fit", "2026-03-01T09:30:00Z")


@pytest.mark.spec("CON-6")
def test_an_answer_is_begun_with_greeting_and_quotation(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, email="ann+x@example.com", message="One & two?\nThree")
    link = urlsplit(inbox.get(session, actor, enquiry.id).reply)
    asked = parse_qs(link.query)
    assert (link.scheme, link.path) == ("mailto", "ann%2Bx@example.com")
    assert asked["subject"] == ["Your enquiry to Northstrait"]
    assert asked["body"] == ["Dear Ann,\r\n\r\n\r\n\r\n> One & two?\r\n> Three\r\n"]


@pytest.mark.spec("CON-6")
def test_no_visitor_can_add_a_recipient_to_the_answer(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session, email="a@x.example?bcc=eve@x.example&body=", first_name="A\r\nBcc: eve@x.example")
    link = urlsplit(inbox.get(session, actor, enquiry.id).reply)
    assert set(parse_qs(link.query)) == {"subject", "body"}


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize(("first_name", "message"), [("Ann", "word " * 1_000), ("王" * 30, "\U0001f680" * 5_000)])
def test_the_address_of_the_answer_to_the_longest_message_fits_a_mail_program(
    session: Session, actor: Actor, first_name: str, message: str
) -> None:
    enquiry = add_enquiry(session, first_name=first_name, message=message)
    assert len(inbox.get(session, actor, enquiry.id).reply) <= 2_000


@pytest.mark.spec("CON-6")
def test_handled_is_marked_and_taken_back(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    inbox.set_handled(session, actor, enquiry.id, True)
    marked = enquiry.handled_at
    inbox.set_handled(session, actor, enquiry.id, True)
    assert marked is not None and enquiry.handled_at == marked
    inbox.set_handled(session, actor, enquiry.id, False)
    assert enquiry.handled_at is None


@pytest.mark.spec("CON-6")
def test_a_deleted_enquiry_is_gone_and_says_so(session: Session, actor: Actor) -> None:
    enquiry = add_enquiry(session)
    inbox.delete(session, actor, enquiry.id)
    assert session.get(Enquiry, enquiry.id) is None
    with pytest.raises(NotFound, match="Failed to delete enquiry: it has already been deleted"):
        inbox.delete(session, actor, enquiry.id)
    with pytest.raises(NotFound, match="Failed to update enquiry: it has already been deleted"):
        inbox.set_handled(session, actor, enquiry.id, True)
    with pytest.raises(NotFound, match="Failed to fetch enquiry"):
        inbox.get(session, actor, enquiry.id)


@pytest.mark.spec("CON-6")
def test_the_export_holds_all_pages_of_the_list_and_nothing_else(session: Session, actor: Actor) -> None:
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
    ]
    assert row[4:] == ["Kelp, Co", "Scale", message, "2026-03-01T09:30:00Z"]


@pytest.mark.spec("CON-6")
@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_no_cell_of_the_export_begins_a_formula(session: Session, actor: Actor, start: str) -> None:
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
def test_no_formula_begins_where_a_program_ends_cells_at_semicolons(cell: str, exported: str) -> None:
    assert escape_formula(cell) == exported


@pytest.mark.spec("CON-6")
def test_a_very_long_export_is_cut_and_says_so(session: Session, actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_EXPORTED", 2)
    for number in range(3):
        add_enquiry(session, first_name=f"N{number}", created_at=FIRST + timedelta(days=number))
    assert inbox.CSV.count(session, actor, ListQuery()) == (2, 3)
    assert [row[1] for row in exported(session, actor, inbox.CSV)[1:]] == ["N2", "N1"]


@pytest.mark.spec("CON-6", "ROLE-3")
def test_a_visitor_reaches_nothing_of_the_desk(session: Session) -> None:
    enquiry = add_enquiry(session)
    for call in (
        lambda: inbox.list_admin(session, None, ListQuery()),  # type: ignore[arg-type]
        lambda: inbox.get(session, None, enquiry.id),  # type: ignore[arg-type]
        lambda: inbox.set_handled(session, None, enquiry.id, True),  # type: ignore[arg-type]
        lambda: inbox.delete(session, None, enquiry.id),  # type: ignore[arg-type]
        lambda: inbox.CSV.count(session, None, ListQuery()),  # type: ignore[arg-type]
        lambda: next(inbox.CSV.write(session, None, ListQuery())),  # type: ignore[arg-type]
    ):
        with pytest.raises(Forbidden):
            call()
