"""Photographs the demo firm for the README: `make pictures` writes Home and the page of an enquiry to `docs/pictures/`.

The site starts in a temporary folder, with the demo firm and an enquiry that a colleague has begun to answer.
"""

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import sqlalchemy as sa
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from advisory_site import routes
from advisory_site.enquiries import owners, submission
from advisory_site.enquiries.desk import service as desk
from advisory_site.enquiries.form import EnquiryData
from advisory_site.enquiries.models import columns, entries
from advisory_site.features import FEATURES
from sitekit.accounts.models import Profile
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.records.features import use
from tests.e2e.conftest import ROOT, serving
from tests.install_browser import installed
from tests.support.people import person, signed_in
from tests.support.waiting import wait_for

FOLDER = ROOT / "docs" / "pictures"
WIDTH, LARGEST = 1280, 150_000
ENQUIRY = {
    "firstName": "Wen",
    "lastName": "Tan-Lee",
    "email": "wen@lumi.example",
    "company": "Lumi Clinics",
    "stage": "commercialization",
    "message": (
        "We sell a scheduling service to private clinics: eleven of them pay, nine in Singapore and two in Johor."
        " All of them came through people I know.\n\n"
        "What would a second way to sell look like, and whom do we hire for it first?"
    ),
}
NOTE = "Harpreet knows two clinics like these. He is free on Tuesday, if they want to talk."
REPLY = """Dear Wen,

Eleven clinics through people you know is a good start, and it tells us whom to ask next. Would Tuesday at ten suit you?
Harpreet Singh Gill, who knows two clinics like yours, would join us.

Adeline Koh
Northstrait"""


def main() -> None:
    """Write both pictures; exits with a sentence if one is too large."""
    FOLDER.mkdir(exist_ok=True)
    use(FEATURES)
    executable = installed()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data") as site,
        sync_playwright() as playwright,
    ):
        os.environ["ADVISORY_DATA_DIR"] = str(site.data_dir)
        get_settings.cache_clear()
        owner, path = begun_enquiry()
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        save("home", opened(browser, site.url), 1120)
        desk_page = opened(browser, site.url, path, signed_in(owner).to_json())
        desk_page.get_by_role("textbox", name="Reply").fill(REPLY)
        save("desk", desk_page, 1140)
        browser.close()


def begun_enquiry() -> tuple[int, str]:
    """Store an enquiry that has an owner and a colleague's note; returns the owner's id and the page's path."""
    owner, other = colleague("Adeline", "Koh", Role.ADMIN), colleague("Daniel", "Tay", Role.EMPLOYEE)
    with transaction() as session:
        owners.name_for_stages(session, owner, {ENQUIRY["stage"]: owner.user_id})
        submission.submit(session, EnquiryData.read(ENQUIRY), {}, "192.0.2.1")
        number = session.execute(sa.select(columns.id)).scalar_one()
        desk.add_note(session, other, number, NOTE)
    wait_for(is_confirmed, "the visitor's confirmation is sent", 60)
    return owner.user_id, routes.enquiry_page(number)


def is_confirmed() -> bool:
    """Whether the mail to the visitor has been sent."""
    with read_session() as session:
        return session.execute(sa.select(entries.id).where(entries.sent_at.is_not(None))).first() is not None


def colleague(first_name: str, last_name: str, role: Role) -> Actor:
    """Store somebody who works at the firm."""
    user_id = person(f"{first_name.lower()}@northstrait.example", role)
    with transaction() as session:
        profile = session.get_one(Profile, user_id)
        profile.first_name, profile.last_name = first_name, last_name
    return Actor(user_id, role, now())


def opened(browser: Browser, url: str, path: str = "/", session: str = "") -> Page:
    """A page in the light theme, of a visitor or of whom a session belongs to."""
    page = browser.new_context(color_scheme="light", locale="en-SG", reduced_motion="reduce").new_page()
    if session:
        page.goto(f"{url}/ping")
        page.evaluate("session => { localStorage.advisory_session = session; }", session)
    page.goto(url + path, wait_until="networkidle")
    return page


def save(name: str, page: Page, height: int) -> None:
    """Photograph the top of a page, as a PNG file of 256 colours."""
    page.set_viewport_size({"width": WIDTH, "height": height})
    page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'; document.activeElement.blur()")
    page.evaluate("scrollTo(0, 0); document.fonts.ready")
    page.wait_for_timeout(500)
    file = FOLDER / f"{name}.png"
    Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(256).save(file, optimize=True)
    if (size := file.stat().st_size) > LARGEST:
        sys.exit(f"pictures: {file.name} has {size} bytes, more than {LARGEST}.")
    print(f"pictures: {file.relative_to(ROOT)} has {size} bytes.")


if __name__ == "__main__":
    main()
