"""What a person does on the sign-in pages, step by step."""

import json
import re
import uuid
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

PASSWORD = "seven-quiet-harbours-31"
NEW_PASSWORD = "nine-loud-ferries-58"

OpenPage = Callable[[str], Page]


def fill(page: Page, **fields: str) -> None:
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(text)


def sign_in(page: Page, email: str, password: str) -> None:
    fill(page, **{"Email": email, "Password": password})
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_up(
    page: Page,
    email: str,
    password: str = PASSWORD,
    *,
    press: Callable[[Locator], None] = Locator.click,
    **changes: str,
) -> None:
    page.get_by_role("link", name="Create one").click()
    names = {"First_name": "Mei", "Last_name": "Tan", "Email": email}
    fill(page, **names | {"Password": password, "Confirm_password": password} | changes)
    press(page.get_by_role("button", name="Create account"))


def confirm(page: Page, password: str = PASSWORD) -> None:
    fill(page, Password=password)
    page.get_by_role("button", name="Confirm my address").click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Log out").click()
    expect(page).to_have_url(re.compile("/auth$"))


def somebody() -> str:
    return f"mei.{uuid.uuid4().hex[:8]}@northstrait.example"


def stored_session(page: Page) -> dict[str, object]:
    text = page.context.storage_state()["origins"][0]["localStorage"]
    held = {item["name"]: item["value"] for item in text}
    stored: dict[str, object] = json.loads(held.get("advisory_session") or "{}")
    return stored
