"""Pictures in the back office: chosen, dropped and pasted, with progress, refusals and interruptions."""

import json
import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect
from sqlmodel import col

from sitekit.accounts.models import AuthSession
from sitekit.base import messages
from sitekit.base.db.database import now, transaction
from sitekit.records.pictures import texts as media_texts
from sitekit.records.pictures.models import Media
from sitekit.records.pictures.models import columns as media
from tests.e2e.axe import LAPTOP, PHONE
from tests.e2e.backoffice import advisor_form, company_form, team_dialog
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import (
    ADDED,
    ADDRESS,
    OTHER,
    PHOTO,
    UPLOAD,
    Endpoint,
    address,
    bring,
    button,
    choose,
    field,
    slow_server,
)
from tests.e2e.backoffice.steps import notice, reply, stay
from tests.e2e.conftest import Watch, wait_until_painted

LOGO = "logo_url"
PORTRAIT = "image_url"
COVER = "cover_image_url"
FAILED = "Failed to load resource"
SPEC = pytest.mark.spec("IMG-1")


@pytest.fixture(autouse=True)
def _in_the_library(database: object) -> None:
    """The pictures that the stand-in for the endpoint names: no other can be saved."""
    with transaction() as session:
        for key in ("ea" * 16, "eb" * 16):
            if not session.execute(sa.select(media.id).where(media.key == key)).first():
                session.add(Media(key=key, name="mei.jpg", width=1600, height=2000, size=1, alt="Mei Lin"))


@pytest.fixture
def form(staff: Staff, company: Callable[..., str]) -> Page:
    """The form of a company."""
    page = staff().open(company_form.edit(company()))
    expect(address(page, LOGO)).to_be_visible()
    return page


def saved(page: Page) -> Locator:
    return notice(page, "Company updated successfully")


@SPEC
def test_a_picture_is_chosen_uploaded_shown_and_saved(staff: Staff, company: Callable[..., str]) -> None:
    slug = company()
    page = staff().open(company_form.edit(slug))
    endpoint = Endpoint(page)
    choose(page, LOGO)
    expect(address(page, LOGO)).to_have_value(ADDRESS)
    expect(field(page, LOGO).get_by_text(ADDED)).to_be_visible()
    expect(field(page, LOGO).locator(".picture-preview img")).to_have_attribute("src", ADDRESS.replace("jpg", "webp"))
    (request,) = endpoint.requests
    assert request.method == "POST"
    assert re.fullmatch(r"Bearer [\w-]+=*", request.headers["authorization"])
    assert unquote(request.headers["x-file-name"]) == PHOTO["name"]
    stay(page)
    expect(saved(page)).to_be_visible()
    expect(field(page, LOGO).get_by_text(ADDED)).to_have_count(0)
    assert company_form.stored(slug).logo_url == ADDRESS


WAYS = {"drop": ADDRESS, "paste": OTHER}


@SPEC
def test_a_picture_can_be_dropped_or_pasted_for_an_advisor(staff: Staff) -> None:
    page = staff().open(advisor_form.NEW)
    endpoint = Endpoint(page)
    for event, wanted in WAYS.items():
        endpoint.answer_with(wanted)
        assert bring(field(page, COVER).locator(".picture-preview"), event), event
        expect(address(page, COVER), event).to_have_value(wanted)
        expect(field(page, COVER).get_by_text(ADDED), event).to_be_visible()


@SPEC
def test_a_picture_can_be_dropped_or_pasted_on_the_field_in_a_dialog(staff: Staff) -> None:
    page = staff().open(team_dialog.NEW)
    endpoint = Endpoint(page)
    for event, wanted in WAYS.items():
        endpoint.answer_with(wanted)
        assert bring(address(page, PORTRAIT), event), event
        expect(address(page, PORTRAIT), event).to_have_value(wanted)
        expect(field(page, PORTRAIT).get_by_text(ADDED), event).to_be_visible()


@SPEC
def test_a_file_dropped_beside_a_field_does_not_replace_the_page(form: Page) -> None:
    endpoint = Endpoint(form)
    assert bring(form.locator("[name=description]"), "drop")
    assert bring(form.locator("body"), "dragover")
    assert not bring(form.locator("[name=description]"), "drop", name="", text="dragged words")
    choose(form, LOGO)
    expect(form.get_by_text(ADDED)).to_be_visible()
    assert len(endpoint.requests) == 1


@SPEC
def test_text_can_still_be_pasted_into_the_address(form: Page, watch: Watch) -> None:
    watch.expect(FAILED)
    endpoint = Endpoint(form)
    form.locator("[name=tagline]").fill("https://elsewhere.example/logo.png")
    form.locator("[name=tagline]").press("Control+a")
    form.keyboard.press("Control+c")
    address(form, LOGO).press("Control+a")
    form.keyboard.press("Control+v")
    expect(address(form, LOGO)).to_have_value("https://elsewhere.example/logo.png")
    # Some programs copy a picture of the text, too.
    assert not bring(address(form, LOGO), "paste", text="Words, and a picture of them")
    assert endpoint.requests == []
    assert bring(address(form, LOGO), "paste", name="mei.png", text="/photos/mei.png")
    expect(address(form, LOGO)).to_have_value(ADDRESS)


NO_PICTURES = {
    "svg": (("logo.svg", "image/svg+xml", 10), media_texts.PICTURE_FORMAT),
    "svg by name": (("logo.SVG", "", 10), media_texts.PICTURE_FORMAT),
    "pdf": (("report.pdf", "application/pdf", 10), media_texts.PICTURE_FORMAT),
    "empty": (("mei.jpg", "image/jpeg", 0), media_texts.PICTURE_EMPTY),
    "too large": (("mei.jpg", "image/jpeg", 25_000_001), media_texts.TOO_LARGE),
}


@SPEC
def test_invalid_pictures_are_refused_before_the_upload(form: Page) -> None:
    endpoint = Endpoint(form)
    for case, ((name, kind, size), sentence) in NO_PICTURES.items():
        bring(field(form, LOGO), "drop", name, kind, size=size)
        expect(field(form, LOGO).get_by_role("alert"), case).to_have_text(sentence)
        expect(button(form, LOGO, "Try again"), case).to_have_count(0)
        assert endpoint.requests == [], case
        address(form, LOGO).press("a")
        expect(field(form, LOGO).get_by_role("alert"), case).to_have_count(0)


@SPEC
def test_a_picture_of_a_type_unknown_to_the_system_is_uploaded(form: Page) -> None:
    Endpoint(form)
    choose(form, LOGO, {"name": "IMG_2041.HEIC", "mimeType": "", "buffer": b"heic"})
    expect(address(form, LOGO)).to_have_value(ADDRESS)


REFUSED = "This picture can’t be read: it is damaged or incomplete."
RESPONSES = [
    (422, json.dumps({"error": REFUSED}), REFUSED, False),
    (429, json.dumps({"error": "Please wait a minute."}), "Please wait a minute.", True),
    (401, "", "sign in again", True),
    (403, "", "Your role does not allow uploading pictures.", True),
    (413, "<h1>Request entity too large</h1>", media_texts.TOO_LARGE, False),
    (422, "[]", media_texts.PICTURE_FORMAT, False),
    (429, "", "Too many uploads at once.", True),
    (500, "null", "The picture could not be uploaded. Please try again.", True),
    (503, "<html>", "Pictures cannot be uploaded at the moment.", True),
    (200, "<html>Sign in to the network</html>", "The picture could not be uploaded. Please try again.", True),
    (0, "", "Please check your connection and try again.", True),
]


@SPEC
def test_each_upload_failure_is_explained_and_loses_nothing(form: Page, watch: Watch) -> None:
    watch.expect(FAILED)
    company_form.fill(form, tagline="Typed before")
    endpoint = Endpoint(form, None)
    for status, body, sentence, can_try in RESPONSES:
        case = f"{status} {body}"
        before = address(form, LOGO).input_value()
        endpoint.reply = None
        choose(form, LOGO)
        expect(field(form, LOGO).get_by_text("Uploading..."), case).to_be_visible()
        endpoint.respond(status, body)
        expect(field(form, LOGO).get_by_role("alert"), case).to_contain_text(sentence)
        expect(address(form, LOGO), case).to_have_value(before)
        expect(form.locator("[name=tagline]"), case).to_have_value("Typed before")
        expect(button(form, LOGO, "Try again"), case).to_have_count(int(can_try))
        if can_try:
            wanted = ADDRESS if before == OTHER else OTHER
            endpoint.answer_with(wanted)
            button(form, LOGO, "Try again").click()
            expect(address(form, LOGO), case).to_have_value(wanted)
            expect(field(form, LOGO).get_by_role("alert"), case).to_have_count(0)
    assert len(set(endpoint.tokens)) == len(endpoint.tokens) == len(RESPONSES) + sum(one[3] for one in RESPONSES)


@SPEC
def test_upload_progress_is_shown_and_every_byte_arrives(form: Page) -> None:
    photo = bytes(range(256)) * 43_000
    with slow_server(form, first=2_000_000) as server:
        bring(field(form, LOGO), "drop", size=len(photo))
        bar = field(form, LOGO).get_by_role("progressbar", name="Upload: Logo")
        expect(field(form, LOGO).locator(".picture-progress")).to_have_text(re.compile(r"^Uploading\.\.\.[1-9]\d? %$"))
        assert 0 < float(bar.get_attribute("value") or 0) < 100
        server.may_go_on.set()
        expect(address(form, LOGO)).to_have_value(ADDRESS)
        expect(bar).to_have_count(0)
    assert server.bodies == [photo]


@SPEC
def test_the_field_shows_processing_after_the_last_byte(form: Page) -> None:
    with slow_server(form, first=25_000_000) as server:
        choose(form, LOGO)
        expect(field(form, LOGO).get_by_text("Preparing...")).to_be_visible()
        server.may_go_on.set()
        expect(field(form, LOGO).get_by_text(ADDED)).to_be_visible()


@SPEC
def test_an_upload_can_be_started_and_cancelled_by_keyboard(form: Page) -> None:
    Endpoint(form, None)
    form.on("filechooser", lambda _: None)  # Playwright must have asked for the dialog before the key is pressed
    before = address(form, LOGO).input_value()
    address(form, LOGO).focus()
    form.keyboard.press("Shift+Tab")
    expect(form.get_by_role("button", name="Choose a picture: Logo", exact=True)).to_be_focused()
    with form.expect_file_chooser() as opened, form.expect_request(UPLOAD) as sent:
        form.keyboard.press("Enter")
        opened.value.set_files([PHOTO])
    expect(form.get_by_role("button", name="Cancel upload: Logo", exact=True)).to_be_focused()
    with form.expect_event("requestfailed", lambda request: request == sent.value):
        form.keyboard.press("Enter")
    expect(field(form, LOGO).get_by_role("status").filter(has_text="Upload cancelled.")).to_be_visible()
    expect(address(form, LOGO)).to_have_value(before)
    expect(address(form, LOGO)).to_be_editable()
    expect(button(form, LOGO)).to_be_focused()
    # The next upload is not kept waiting.
    with form.expect_request(UPLOAD) as next_one:
        choose(form, LOGO)
    assert next_one.value.headers["authorization"] != sent.value.headers["authorization"]


@SPEC
def test_uploads_of_several_fields_run_one_after_another(staff: Staff) -> None:
    page = staff().open(advisor_form.NEW)
    endpoint = Endpoint(page, None)
    with page.expect_request(UPLOAD):
        bring(field(page, PORTRAIT), "drop")
    bring(field(page, COVER), "drop")
    expect(field(page, PORTRAIT).get_by_text("Uploading...")).to_be_visible()
    expect(field(page, COVER).get_by_text("Waiting for another upload...")).to_be_visible()
    assert len(endpoint.requests) == 1
    endpoint.respond()
    expect(address(page, PORTRAIT)).to_have_value(ADDRESS)
    expect(field(page, COVER).get_by_text("Uploading...")).to_be_visible()
    expect(address(page, COVER)).not_to_be_editable()
    endpoint.respond(200, json.dumps({"address": OTHER}))
    expect(address(page, COVER)).to_have_value(OTHER)
    assert len(set(endpoint.tokens)) == 2


@SPEC
def test_choosing_another_picture_replaces_the_running_upload(form: Page) -> None:
    Endpoint(form, None)
    with form.expect_request(UPLOAD) as first:
        bring(field(form, LOGO), "drop", "first.png")
    with form.expect_event("requestfailed", lambda one: one == first.value), form.expect_request(UPLOAD) as second:
        bring(field(form, LOGO), "drop", "second.png")
    assert second.value.headers["x-file-name"] == "second.png"


@SPEC
def test_leaving_the_form_aborts_the_upload(form: Page) -> None:
    Endpoint(form, None)
    with form.expect_request(UPLOAD) as sent:
        choose(form, LOGO)
    with form.expect_event("requestfailed", lambda one: one == sent.value):
        form.get_by_role("link", name="Back to Companies").click()
    expect(form.get_by_role("heading", name="Company Management")).to_be_visible()


@SPEC
def test_several_pictures_on_one_field_are_refused(form: Page) -> None:
    chosen = field(form, LOGO).locator("input[type=file]")
    chosen.evaluate("one => { one.multiple = true; }")
    chosen.set_input_files([PHOTO, PHOTO])
    expect(field(form, LOGO).get_by_role("alert")).to_have_text("Please choose one picture at a time.")


@SPEC
def test_a_form_cannot_be_saved_before_its_picture_is_uploaded(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(tagline="At first")
    page = staff().open(company_form.edit(slug))
    endpoint = Endpoint(page, None)
    for way, before, after, wanted in (
        ("button", "At first", "By button", ADDRESS),
        ("keys", "By button", "By keys", OTHER),
    ):
        choose(page, LOGO)
        expect(field(page, LOGO).get_by_text("Uploading..."), way).to_be_visible()
        company_form.fill(page, tagline=after)
        if way == "button":
            company_form.submit(page, "Update Company")
        else:
            page.keyboard.press("Control+s")
        wait = "Wait until the picture is uploaded, or cancel it."
        expect(field(page, LOGO).get_by_role("alert"), way).to_have_text(wait)
        expect(button(page, LOGO, "Cancel upload"), way).to_be_focused()
        assert company_form.stored(slug).tagline == before
        endpoint.respond(200, json.dumps({"address": wanted}))
        expect(field(page, LOGO).get_by_text(ADDED), way).to_be_visible()
        expect(page.get_by_text(wait), way).to_have_count(0)
        stay(page)
        expect(saved(page), way).to_be_visible()
        record = company_form.stored(slug)
        assert (record.tagline, record.logo_url) == (after, wanted)
        saved(page).get_by_role("button", name="Dismiss").click()


@SPEC
def test_an_added_picture_counts_as_an_unsaved_change(form: Page) -> None:
    Endpoint(form)
    choose(form, LOGO)
    expect(field(form, LOGO).get_by_text(ADDED)).to_be_visible()
    form.get_by_role("link", name="Back to Companies").click()
    assert reply(form, yes=False) == messages.UNSAVED_CHANGES
    expect(address(form, LOGO)).to_have_value(ADDRESS)


@SPEC
def test_an_ended_session_redirects_to_sign_in_and_back_to_the_typed_text(
    staff: Staff, company: Callable[..., str]
) -> None:
    colleague = staff()
    page = colleague.open(company_form.edit(company()))
    endpoint = Endpoint(page)
    company_form.fill(page, tagline="Typed before")
    with transaction() as session:
        mine = col(AuthSession.user_id) == colleague.user_id
        session.execute(sa.update(AuthSession).where(mine).values(ended_at=now()))
    choose(page, LOGO)
    expect(notice(page, "Your session has ended. Please sign in again.")).to_be_visible()
    assert endpoint.requests == []
    assert "Typed before" in page.evaluate("JSON.stringify({...sessionStorage})")


@SPEC
@pytest.mark.parametrize("path", [advisor_form.NEW, team_dialog.NEW])
def test_the_picture_field_does_not_move(staff: Staff, watch: Watch, path: str) -> None:
    watch.expect(FAILED)
    page = staff(viewport=LAPTOP).open(path)
    endpoint = Endpoint(page, None)

    def place() -> object:
        """Measured from the top of the form: pressing a button may scroll it into view."""
        top = "one => one.getBoundingClientRect().top - one.form.getBoundingClientRect().top"
        return address(page, PORTRAIT).evaluate(top)

    for size in (LAPTOP, PHONE):
        width = size["width"]
        page.set_viewport_size(size)
        wait_until_painted(page)
        address(page, PORTRAIT).hover(trial=True)  # in view, and the dialog has stopped moving
        before = place()
        bring(field(page, PORTRAIT), "drop")
        expect(field(page, PORTRAIT).get_by_text("Uploading...")).to_be_visible()
        assert place() == before, width
        endpoint.respond(503, "")
        expect(field(page, PORTRAIT).get_by_role("alert")).to_be_visible()
        for text in ("Choose a picture", "Try again"):
            box = button(page, PORTRAIT, text).bounding_box()
            assert box and box["height"] >= 44 and box["width"] >= 44, width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        button(page, PORTRAIT, "Try again").click()
        expect(button(page, PORTRAIT, "Cancel upload")).to_be_focused()
        endpoint.respond()
        expect(field(page, PORTRAIT).get_by_text(ADDED)).to_be_visible()
        button(page, PORTRAIT, "Remove").click()
        expect(address(page, PORTRAIT)).to_be_visible()
        assert place() == before, width


@pytest.mark.spec("IMG-6")
def test_a_missing_uploaded_picture_is_reported_beside_the_field(form: Page, watch: Watch) -> None:
    watch.expect(FAILED)
    Endpoint(form)
    form.unroute_all()
    Endpoint(form, 200, json.dumps({"address": f"/media/{'ec' * 16}-320.avif"}))
    choose(form, LOGO)
    expect(field(form, LOGO).get_by_text("There is no picture at this address.")).to_be_visible()
