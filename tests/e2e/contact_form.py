"""What a visitor does with the contact form, and what is stored of it."""

import sqlite3

from playwright.sync_api import Page

from tests.e2e.conftest import Site

HOSTILE = "<script>document.title='taken'</script> <b>bold</b> \U0001f680 ' OR 1=1 --\nsecond line"


def fill(page: Page, **changes: str) -> None:
    """Fill in fields by their label; those that are not given have something valid."""
    values = {"First Name": "Ann", "Last Name": "Lee", "Email": "ann@example.com", "Message": HOSTILE} | changes
    for label, value in values.items():
        page.get_by_role("textbox", name=label).fill(value)


def send(page: Page) -> None:
    """Press the button."""
    page.get_by_role("button", name="Send Message").click()


def enquiries(site: Site) -> list[tuple[str, ...]]:
    """First name, e-mail, stage and message of every enquiry that is stored."""
    with sqlite3.connect(site.data_dir / "advisory.db") as connection:
        return connection.execute("SELECT first_name, email, stage, message FROM enquiries").fetchall()
