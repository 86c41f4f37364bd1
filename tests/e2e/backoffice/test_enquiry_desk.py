"""The page of one enquiry in a real browser: who has it, what was written and done, by mouse and by keys."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from advisory_site.enquiries.desk import service as desk
from advisory_site.enquiries.models import Enquiry, EnquiryEntry, EntryCategory, StageOwner, columns, entries
from sitekit.accounts.models import Profile
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.permissions import Actor, Role
from tests.e2e.axe import PHONE
from tests.e2e.backoffice.conftest import Colleague, Staff, TableChange
from tests.e2e.backoffice.steps import answer, notice, question, reply
from tests.e2e.conftest import Site, Watch
from tests.e2e.contact_form import fill
from tests.support import factories
from tests.support.outbox import mail_files
from tests.support.people import person

PAGE = "/admin/enquiries"
pytestmark = pytest.mark.usefixtures("database")


def add(**fields: Any) -> int:
    """Store an enquiry of Ann Lee; returns the id."""
    with transaction() as session:
        return factories.id_of(factories.add_enquiry(session, **fields))


def stored(number: int) -> Enquiry:
    with read_session() as session:
        return session.get_one(Enquiry, number)


def replies(number: int) -> list[str]:
    with read_session() as session:
        read = sa.select(entries.text).where(entries.enquiry_id == number, entries.category == EntryCategory.REPLY)
        return list(session.execute(read.order_by(entries.id)).scalars())


@pytest.fixture
def mei(staff: Staff) -> Colleague:
    return named(staff(), "Mei")


@pytest.fixture
def ravi(staff: Staff) -> Actor:
    """A colleague, who works elsewhere."""
    return Actor(named(staff(is_signed_in=False), "Ravi").user_id, Role.EMPLOYEE, now())


def named(colleague: Colleague, first_name: str) -> Colleague:
    with transaction() as session:
        session.get_one(Profile, colleague.user_id).first_name = first_name
    return colleague


def opened(colleague: Colleague, number: int) -> Page:
    """The page, with its form for a reply."""
    page = colleague.open(f"{PAGE}/{number}")
    expect(page.get_by_role("complementary")).to_be_visible()
    return page


def thread(page: Page) -> Locator:
    return page.get_by_role("list", name="What was done").locator("> li")


def beside(page: Page) -> Locator:
    return page.get_by_role("complementary", name="About this enquiry")


def add_to(page: Page, what: str) -> None:
    """Show the form for a note or an answer."""
    page.locator("summary").filter(has_text=what).click()


def write(page: Page, text: str) -> None:
    """Type into the reply, where the cursor is."""
    page.get_by_role("textbox", name="Reply").focus()
    page.keyboard.type(text)


def send(page: Page) -> None:
    page.get_by_role("button", name="Send reply").click()


@pytest.mark.spec("ENQ-3")
def test_an_enquiry_is_taken_assigned_and_given_back(mei: Colleague, ravi: Actor) -> None:
    number = add()
    page = opened(mei, number)
    beside(page).get_by_role("button", name="Take it").click()
    expect(thread(page)).to_have_text([re.compile("Mei Lim took it")])
    expect(beside(page).get_by_role("button", name="Take it")).to_have_count(0)
    assert stored(number).owner_id == mei.user_id
    beside(page).get_by_label("Assign to").select_option(str(ravi.user_id))
    beside(page).get_by_role("button", name="Assign").click()
    expect(thread(page).last).to_contain_text("Mei Lim assigned it to Ravi Lim")
    beside(page).get_by_label("Assign to").select_option("Nobody")
    beside(page).get_by_role("button", name="Assign").click()
    expect(thread(page).last).to_contain_text("Mei Lim gave it back")
    assert (stored(number).owner_id, stored(number).state) == (None, "new")


@pytest.mark.spec("ENQ-3")
def test_an_enquiry_is_taken_over_from_a_colleague_after_a_question(mei: Colleague, ravi: Actor) -> None:
    number = add(owner_id=ravi.user_id, state="open")
    page = opened(mei, number)
    asked = answer(page, yes=True)
    beside(page).get_by_role("button", name="Take over from Ravi Lim").click()
    expect(thread(page).last).to_contain_text("Mei Lim took it over from Ravi Lim")
    assert [text.split("\n")[0] for text in asked] == ["Take over from Ravi Lim?"]
    expect(beside(page).get_by_role("button", name="Take")).to_have_count(0)
    assert stored(number).owner_id == mei.user_id


@pytest.mark.spec("ENQ-3")
def test_what_a_colleague_took_meanwhile_is_said(mei: Colleague, ravi: Actor) -> None:
    number = add()
    page = opened(mei, number)
    with transaction() as session:
        desk.take(session, ravi, number, 0)
        session.execute(sa.update(EnquiryEntry).values(at=now() - timedelta(minutes=2, seconds=5)))
    beside(page).get_by_role("button", name="Take it").click()
    expect(notice(page, "Ravi Lim took it 2 minutes ago")).to_be_visible()
    expect(beside(page).get_by_text("Ravi Lim").first).to_be_visible()
    assert stored(number).owner_id == ravi.user_id


@pytest.mark.spec("ENQ-5", "ENQ-7")
def test_a_reply_is_typed_after_the_greeting_and_sent(mei: Colleague) -> None:
    number = add(email="ann.sent@example.com", due_at=now() + timedelta(hours=2))
    page = opened(mei, number)
    expect(page.get_by_role("heading", name="Send reply to ann.sent@example.com")).to_be_visible()
    before = len(mail_files(mei.site.data_dir))
    write(page, "Tuesday at ten.")
    send(page)
    sent = thread(page).last
    expect(sent).to_contain_text("Mei Lim replied")
    expect(sent).to_contain_text(re.compile(r"Sent \d+:\d\d [ap]m"))
    expect(page.locator(".desk-head").get_by_text("Waiting", exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile(r"^Dear Ann,\n\n\n\nMei Lim\n"))
    assert [text.split("\n")[:5] for text in replies(number)] == [["Dear Ann,", "", "Tuesday at ten.", "", "Mei Lim"]]
    assert stored(number).owner_id == mei.user_id
    (mail,) = mail_files(mei.site.data_dir)[before:]
    assert "Tuesday at ten." in mail.read_text(encoding="utf-8")


@pytest.mark.spec("ENQ-5")
def test_a_click_below_the_signature_begins_after_the_greeting(mei: Colleague) -> None:
    page = opened(mei, add())
    field = page.get_by_role("textbox", name="Reply")
    box = field.bounding_box()
    assert box
    field.click(position={"x": box["width"] / 2, "y": box["height"] - 12})
    page.keyboard.type("Tuesday at ten.")
    expect(field).to_have_value(re.compile(r"^Dear Ann,\n\nTuesday at ten\.\n\nMei Lim\n"))
    field.click(position={"x": box["width"] / 2, "y": box["height"] - 12})
    page.keyboard.type(" Ltd")
    expect(field).to_have_value(re.compile(r"^Dear Ann,\n\nTuesday at ten\.\n\nMei Lim\n.+ Ltd$"))


@pytest.mark.spec("ENQ-5")
def test_a_reply_without_a_word_is_not_sent(mei: Colleague) -> None:
    number = add()
    page = opened(mei, number)
    send(page)
    expect(page.get_by_text("Write a reply first.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Reply")).to_be_focused()


@pytest.mark.spec("ENQ-5")
def test_the_keys_that_save_other_forms_send_no_reply(mei: Colleague) -> None:
    number = add()
    page = opened(mei, number)
    write(page, "Not finished yet.")
    page.keyboard.press("Control+s")
    # What the server had to do for the keys comes before this.
    page.get_by_role("button", name="Take it").click()
    expect(page.get_by_role("button", name="Take it")).to_have_count(0)
    assert replies(number) == []
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile("Not finished yet"))


@pytest.mark.spec("ENQ-5")
def test_a_failed_reply_says_why_and_is_sent_again(mei: Colleague, ravi: Actor) -> None:
    number = add()
    with transaction() as session:
        desk.reply(session, ravi, number, "Dear Ann,\n\nTuesday.", 0)
        session.execute(sa.text("UPDATE outgoing_mail SET due_at = NULL, given_up_at = created_at"))
        session.execute(sa.update(EnquiryEntry).values(failure="the mailbox is full"))
    page = opened(mei, number)
    expect(thread(page).last).to_contain_text("Failed: the mailbox is full")
    thread(page).last.get_by_role("button", name="Send again").click()
    expect(thread(page).last).to_contain_text(re.compile("Sending|Sent"))
    expect(thread(page).last.get_by_role("button", name="Send again")).to_have_count(0)


@pytest.mark.spec("ENQ-7")
def test_a_colleague_s_reply_is_read_before_another_is_sent(mei: Colleague, ravi: Actor) -> None:
    number = add()
    page = opened(mei, number)
    write(page, "Tuesday at ten.")
    with transaction() as session:
        desk.reply(session, ravi, number, "Dear Ann,\n\nWednesday at nine.", 0)
        session.execute(sa.update(EnquiryEntry).values(at=now() - timedelta(minutes=1, seconds=5)))
    send(page)
    expect(page.get_by_text("Ravi Lim replied 1 minute ago. Read it, then send.")).to_be_visible()
    expect(thread(page).last).to_contain_text("Wednesday at nine.")
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile("Tuesday at ten."))
    send(page)
    expect(thread(page)).to_have_count(2)
    assert len(replies(number)) == 2
    assert stored(number).owner_id == ravi.user_id


@pytest.mark.spec("ENQ-5", "ENQ-7")
def test_a_reply_survives_a_reload_and_is_not_lost_by_leaving(mei: Colleague) -> None:
    number = add()
    page = opened(mei, number)
    write(page, "Half a thought")
    page.get_by_role("link", name="Dashboard", exact=True).click()
    expect(question(page)).to_be_visible()
    reply(page, yes=False)
    page.wait_for_function("() => JSON.stringify({...sessionStorage}).includes('Half a thought')")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile("Half a thought"))
    expect(page.get_by_role("button", name="Discard")).to_be_visible()


@pytest.mark.spec("ENQ-8")
def test_a_note_survives_a_reload_beside_a_reply_and_both_are_asked_about(mei: Colleague) -> None:
    page = opened(mei, add())
    write(page, "Half a thought")
    add_to(page, "Add note")
    note = page.get_by_role("textbox", name="Note")
    note.fill("She prefers calls.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(note).to_have_value("She prefers calls.")
    expect(note).to_be_visible()
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile("Half a thought"))
    page.get_by_role("button", name="Add note").click()
    expect(thread(page).last).to_contain_text("She prefers calls.")
    expect(note).to_be_hidden()
    add_to(page, "Add note")
    expect(note).to_have_value("")
    note.fill("And mornings.")
    for is_agreed in (False, True):
        page.get_by_role("link", name="Dashboard", exact=True).click()
        expect(question(page)).to_be_visible()
        reply(page, yes=is_agreed)
    page.wait_for_url("**/admin?tab=dashboard")
    page.go_back()
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile(r"^Dear Ann,\n\n\n\n"))
    add_to(page, "Add note")
    expect(note).to_have_value("")


@pytest.mark.spec("ENQ-5")
def test_a_reply_during_an_outage_is_kept_and_sent_once(mei: Colleague, watch: Watch) -> None:
    watch.expect("WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch")
    number = add()
    page = opened(mei, number)
    write(page, "Tuesday at ten.")
    add_to(page, "Add note")
    page.get_by_role("textbox", name="Note").fill("She prefers calls.")
    with offline(page):
        send(page)
        page.get_by_role("button", name="Add note").click()
        expect(page.get_by_text("Connection lost")).to_be_visible()
        expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile("Tuesday at ten."))
        expect(page.get_by_role("textbox", name="Note")).to_have_value("She prefers calls.")
        assert replies(number) == []
    expect(thread(page)).to_have_count(2)
    assert len(replies(number)) == 1
    with read_session() as session:
        noted = sa.select(entries.text).where(entries.category == EntryCategory.NOTE, entries.enquiry_id == number)
        assert session.execute(noted).scalars().all() == ["She prefers calls."]


@contextmanager
def offline(page: Page) -> Iterator[None]:
    """Without a connection, also for the WebSocket that is open."""
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    yield
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")


@pytest.mark.spec("ENQ-8")
def test_notes_and_answers_are_added_and_removed(mei: Colleague) -> None:
    number = add(state="waiting", first_replied_at=now())
    page = opened(mei, number)
    add_to(page, "Add note")
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_text("Write a note first.")).to_be_visible()
    page.get_by_role("textbox", name="Note").fill("Met her in May.\nSharp.")
    page.get_by_role("button", name="Add note").click()
    note = thread(page).first
    expect(note).to_contain_text("Mei Lim added a private note")
    expect(note).to_contain_text("Met her in May.")
    expect(notice(page, "Note added")).to_be_visible()
    expect(page.get_by_role("textbox", name="Note")).to_be_hidden()
    expect(page.locator("summary").filter(has_text="Add note")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("")
    add_to(page, "Add their answer")
    page.get_by_role("textbox", name="Their answer").fill("Tuesday is fine.")
    page.get_by_role("button", name="Add their answer").click()
    expect(thread(page).nth(1)).to_contain_text("added the visitor’s answer")
    expect(page.locator(".desk-head").get_by_text("New", exact=True)).to_be_visible()
    note.get_by_role("button", name="Remove").click()
    reply(page, yes=True)
    expect(note).to_contain_text("Mei Lim removed this note")
    expect(note).not_to_contain_text("Met her in May.")


@pytest.mark.spec("ENQ-8")
def test_an_entry_can_be_removed_by_its_author_for_ten_minutes(mei: Colleague, ravi: Actor) -> None:
    number = add()
    with transaction() as session:
        desk.add_note(session, ravi, number, "Of a colleague")
        desk.add_note(session, Actor(mei.user_id, Role.EMPLOYEE, now()), number, "Older")
        session.execute(sa.update(EnquiryEntry).values(at=now() - timedelta(minutes=11)))
    page = opened(mei, number)
    expect(thread(page)).to_have_count(2)
    expect(thread(page).get_by_role("button", name="Remove")).to_have_count(0)


@pytest.mark.spec("ENQ-2")
def test_a_wait_has_a_day(mei: Colleague) -> None:
    number = add(state="waiting", first_replied_at=now())
    day = (now() + timedelta(days=9)).date()
    page = opened(mei, number)
    beside(page).get_by_label("Open again on").fill("2001-01-01")
    beside(page).get_by_role("button", name="Save").click()
    expect(beside(page).get_by_text("Please choose a day after today, within a year.")).to_be_visible()
    beside(page).get_by_label("Open again on").fill(day.isoformat())
    beside(page).get_by_role("button", name="Save").click()
    expect(page.locator(".desk-head").get_by_text(f"Until {day:%a} {day.day} {day:%b}")).to_be_visible()
    page.reload()
    expect(beside(page).get_by_label("Open again on")).to_have_value(day.isoformat())
    beside(page).get_by_label("Open again on").fill("")
    beside(page).get_by_role("button", name="Save").click()
    expect(thread(page).last).to_contain_text("set it to wait without a date")
    assert stored(number).waiting_until is None


@pytest.mark.spec("ENQ-10")
def test_spam_says_why_and_can_be_brought_back(mei: Colleague) -> None:
    number = add(state="spam", reasons=["quick", "links"], handled_at=now())
    page = opened(mei, number)
    for reason in ("It was sent within 3 seconds of the first click.", "It has more than 5 links."):
        expect(beside(page).get_by_text(reason)).to_be_visible()
    expect(page.get_by_text("This is marked as spam. Mark it as not spam to reply.")).to_be_visible()
    expect(page.get_by_role("button", name="Send reply")).to_have_count(0)
    beside(page).get_by_role("button", name="Not spam").click()
    expect(page.locator(".desk-head").get_by_text("New", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Send reply")).to_be_visible()
    beside(page).get_by_role("button", name="Spam").click()
    expect(thread(page).last).to_contain_text("marked it as spam")
    assert stored(number).state == "spam"


@pytest.mark.spec("ENQ-5")
def test_an_address_that_cannot_be_mailed_has_no_form(mei: Colleague) -> None:
    page = opened(mei, add(email="änn@example.com"))
    expect(page.get_by_text("No email can be sent to this address.")).to_be_visible()
    expect(page.get_by_role("button", name="Send reply")).to_have_count(0)


@pytest.mark.spec("ENQ-1", "ENQ-11")
def test_where_it_came_from_and_others_from_the_address_are_links(mei: Colleague) -> None:
    earlier = add(email="twice@example.com", first_name="Earlier", message="About fees")
    number = add(email="twice@example.com", source_path="/companies/sawit-trace")
    page = opened(mei, number)
    expect(beside(page).get_by_role("link", name="/companies/sawit-trace")).to_have_attribute(
        "href", "/companies/sawit-trace"
    )
    beside(page).get_by_role("link", name="About fees").click()
    page.wait_for_url(f"**{PAGE}/{earlier}")
    expect(page.get_by_role("heading", name="Earlier Lee", exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name="Reply")).to_have_value(re.compile("^Dear Earlier,"))


@pytest.mark.spec("ENQ-1", "ENQ-4")
def test_the_list_has_my_own_in_the_order_of_their_time(mei: Colleague) -> None:
    later = {"owner_id": mei.user_id, "state": "open"}
    add(first_name="Later", due_at=now() + timedelta(hours=40), **later)
    add(first_name="Overdue", due_at=now() - timedelta(hours=3, minutes=5), **later)
    add(first_name="Elsewhere")
    page = mei.open(PAGE)
    page.get_by_role("combobox", name="Status").select_option("Mine")
    rows = page.get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Overdue by 3 h")
    expect(rows.nth(1)).to_contain_text("Mei Lim")
    expect(rows.nth(2)).to_contain_text("Later Lee")


@pytest.mark.spec("ENQ-1")
def test_an_owner_without_a_name_stays_inside_the_card_of_a_phone(staff: Staff) -> None:
    owner = person("wilhelmina.alexandra@mangrove-and-daughters-holdings.example", Role.EMPLOYEE)
    with transaction() as session:
        profile = session.get_one(Profile, owner)
        profile.first_name = profile.last_name = ""
    add(first_name="Narrow", owner_id=owner, state="open")
    page = staff(viewport=PHONE).open(f"{PAGE}?search=narrow")
    row = page.get_by_role("row").filter(has_text="Narrow")
    card, text = row.bounding_box(), row.get_by_text("mangrove-and-daughters-holdings").bounding_box()
    assert card and text
    assert text["x"] + text["width"] <= card["x"] + card["width"] - 12


@pytest.mark.spec("ENQ-3")
def test_an_admin_names_who_answers_a_stage(staff: Staff, ravi: Actor) -> None:
    page = staff(Role.ADMIN).open(PAGE)
    page.get_by_role("link", name="Owners by stage").click()
    page.get_by_label("Scale").select_option(str(ravi.user_id))
    page.get_by_role("button", name="Save").click()
    expect(notice(page, "Saved. New enquiries go straight to the people you named.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Scale")).to_have_value(str(ravi.user_id))
    with read_session() as session:
        assert session.get_one(StageOwner, "scale").owner_id == ravi.user_id


@pytest.mark.spec("ENQ-3")
def test_others_see_no_link_and_no_form_for_stages(mei: Colleague) -> None:
    page = mei.open(PAGE)
    expect(page.get_by_role("button", name="Export CSV")).to_be_visible()
    expect(page.get_by_role("link", name="Owners by stage")).to_have_count(0)
    page = mei.open(f"{PAGE}/owners")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)


@pytest.mark.spec("ENQ-3", "ENQ-4", "ENQ-12")
def test_the_dashboard_has_the_overdue_first_and_what_nobody_has_any_more(mei: Colleague, emptied: TableChange) -> None:
    with emptied("enquiries"):
        add(first_name="Later", due_at=now() + timedelta(days=3))
        left = add(first_name="Left", due_at=now() - timedelta(hours=30))
        for _ in range(5):
            came = now() - timedelta(minutes=1)
            add(state="handled", created_at=came, first_replied_at=now(), due_at=now() + timedelta(days=1))
        with transaction() as session:
            released = EntryCategory.RELEASED
            session.add(EnquiryEntry(enquiry_id=left, category=released, at=now(), text="No owner now."))
        page = mei.open("/admin")
        panel = page.locator(".work-panel").filter(has_text="To answer")
        expect(panel.get_by_text("2 waiting for a reply, 1 overdue")).to_be_visible()
        expect(panel.get_by_role("listitem").first).to_contain_text("Overdue by 30 h")
        expect(panel.get_by_text("First reply: median 1 h this month, 5 of 5 within a working day")).to_be_visible()
        lost = page.get_by_role("listitem").filter(has_text="1 enquiry whose owner’s account was closed")
        expect(lost.get_by_role("link", name="Left Lee")).to_have_attribute("href", f"{PAGE}/{left}")


@pytest.mark.spec("ENQ-10", "ENQ-11")
def test_the_form_reports_how_fast_it_was_filled_in_and_where_the_visitor_came_from(
    site: Site, visit: Callable[[str], Page]
) -> None:
    page = visit("/companies/sawit-trace")
    page.evaluate("location.href = '/contact'")
    page.wait_for_url("**/contact")
    page.get_by_role("button", name="Send Message").hover()
    expect(page.locator("html")).to_have_attribute("data-hydrated", "")
    fill(page, **{"First Name": "Fast", "Message": "https://a.example " * 6})
    page.get_by_role("button", name="Send Message").click()
    expect(page.locator("#enquiry-sent")).to_be_visible()
    with read_session() as session:
        (enquiry,) = session.execute(sa.select(Enquiry).where(columns.first_name == "Fast")).scalars()
    assert (enquiry.source_path, enquiry.source_host) == ("/companies/sawit-trace", "")
    assert (enquiry.state, enquiry.reasons) == ("spam", ["quick", "links"])


@pytest.mark.spec("ENQ-1", "ENQ-5", "ENQ-8")
def test_everything_can_be_done_by_keys_alone(mei: Colleague) -> None:
    number = add()
    page = opened(mei, number)
    page.get_by_role("link", name="Back to Enquiries").focus()

    def go_to(target: Locator) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if target.evaluate("one => one === document.activeElement"):
                return
        raise AssertionError("the keys do not lead there")

    go_to(page.get_by_role("textbox", name="Reply"))
    page.keyboard.type("Tuesday at ten.")
    go_to(page.get_by_role("button", name="Send reply"))
    page.keyboard.press("Enter")
    expect(thread(page).last).to_contain_text("Tuesday at ten.")
    go_to(page.locator("summary").filter(has_text="Add note"))
    page.keyboard.press("Enter")
    go_to(page.get_by_role("textbox", name="Note"))
    page.keyboard.type("Sent.")
    go_to(page.get_by_role("button", name="Add note"))
    page.keyboard.press("Enter")
    expect(thread(page).last).to_contain_text("added a private note")
    go_to(beside(page).get_by_role("button", name="Mark as handled"))
    page.keyboard.press("Enter")
    expect(thread(page).last).to_contain_text("marked it as handled")


@pytest.mark.spec("ENQ-3", "ENQ-8")
def test_the_focus_goes_on_when_a_button_is_gone_by_what_it_did(mei: Colleague) -> None:
    number = add()
    with transaction() as session:
        for text in ("First", "Second"):
            desk.add_note(session, Actor(mei.user_id, Role.EMPLOYEE, now()), number, text)
    page = opened(mei, number)
    beside(page).get_by_role("button", name="Take it").press("Enter")
    owner = beside(page).get_by_label("Assign to")
    expect(owner).to_be_focused()
    # A notice gives it back to where it was.
    page.locator(".notice").get_by_role("button", name="Dismiss").press("Enter")
    expect(owner).to_be_focused()
    for follows in (thread(page).nth(1).get_by_role("button"), page.get_by_role("textbox", name="Reply")):
        thread(page).get_by_role("button", name="Remove").first.press("Enter")
        question(page).get_by_role("button", name="Remove").press("Enter")
        expect(follows).to_be_focused()


def test_what_is_pressed_is_44_pixels_high(staff: Staff) -> None:
    page = opened(staff(viewport=PHONE), add())
    for one in page.get_by_role("main").locator(".desk :is(button, select, summary)").all():
        if not one.is_visible():
            continue
        box = one.bounding_box()
        assert box and box["height"] >= 44, one.inner_text()
