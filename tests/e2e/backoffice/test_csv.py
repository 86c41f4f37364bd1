"""Export and import of lists in a real browser."""

import random
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, row
from tests.support.csv_files import csv_bytes, lines_of

HEAD = ("Name", "Slug", "Industry", "Founded", "Employees", "Location", "Description", "Colour")
PAGE = "/admin/companies/import"


def company_row(name: str, slug: str, founded: str = "2019", colour: str = "") -> tuple[str, ...]:
    return name, slug, "Aquaculture", founded, "11-50", "Singapore", f"{name} grows.", colour


def choose(page: Page, content: bytes, name: str = "firms.csv") -> None:
    file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)


@pytest.mark.spec("LIST-6")
def test_every_list_can_be_downloaded(staff: Staff, tmp_path: Path) -> None:
    page = staff().open("/admin")
    for tab, title, name, reply in (
        ("Companies", "Company Management", "companies", "Companies exported:"),
        ("Teams", "Team Management", "team", "Team members exported:"),
        ("Advisors", "Advisor Management", "advisors", "Advisors exported:"),
        ("Users", "User Management", "users", "Users exported:"),
    ):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        with page.expect_download() as begun:
            page.get_by_role("button", name="Export CSV").click()
        assert re.fullmatch(rf"{name}-\d{{4}}-\d\d-\d\d\.csv", begun.value.suggested_filename)
        begun.value.save_as(tmp_path / "list.csv")
        head, *rows = lines_of((tmp_path / "list.csv").read_bytes())
        assert rows and all(len(one) == len(head) for one in rows), name
        expect(notice(page, reply)).to_be_visible()


@pytest.mark.spec("LIST-7")
def test_a_file_is_chosen_reviewed_and_imported(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(name="Kelp Before", tagline="Old words")
    page = staff().open("/admin?tab=companies&search=kelp")
    page.get_by_role("link", name="Import CSV").click()
    expect(page.get_by_role("heading", name="Import Companies")).to_be_visible()
    content = csv_bytes(
        HEAD, company_row("Kelp After", slug), company_row("Reef", "reef-csv"), company_row("Odd", "odd-csv", "soon")
    )
    choose(page, content)
    expect(page.get_by_text("Not imported: Colour.")).to_be_visible()
    expect(page.get_by_role("button", name="Import 2 records")).to_be_enabled()
    expect(row(page, "Kelp After")).to_contain_text("Kelp Before")
    expect(row(page, "Odd")).to_have_count(0)
    page.get_by_role("button", name="Wrong").click()
    expect(row(page, "Odd")).to_contain_text("Please enter a year of four digits, such as 2021.")
    expect(row(page, "Kelp After")).to_have_count(0)
    page.get_by_role("button", name="Import 2 records").click()
    expect(notice(page, "Imported: 1 new, 1 changed")).to_be_visible()
    expect(page).to_have_url(f"{page.url.split('/admin')[0]}/admin?tab=companies&search=kelp")
    expect(row(page, "Kelp After")).to_be_visible()
    notice(page, "Imported:").get_by_role("button", name="Undo").click()
    expect(notice(page, "Undone: Kelp After, Reef")).to_be_visible()
    expect(row(page, "Kelp Before")).to_contain_text(slug)


@pytest.mark.spec("LIST-7")
def test_a_column_is_mapped_manually_and_another_file_replaces_the_first(staff: Staff) -> None:
    page = staff().open(PAGE)
    choose(page, csv_bytes(HEAD, company_row("Moss", "moss-csv", colour="Grows on stones")))
    select = page.get_by_role("combobox", name="Colour")
    select.select_option(label="Tagline")
    expect(row(page, "Moss")).to_contain_text("Grows on stones")
    expect(page.get_by_text("Not imported: Colour.")).to_have_count(0)
    choose(page, b"PK\x03\x04", "firms.xlsx")
    expect(page.get_by_role("alert")).to_have_text("This is a workbook, not a CSV file. Please save it as CSV first.")
    expect(row(page, "Moss")).to_have_count(0)
    choose(page, b"x" * (5 * 1024 * 1024 + 1))
    expect(page.get_by_role("alert")).to_have_text("This file is larger than 5 MB. Please split it.")


@pytest.mark.spec("LIST-7")
def test_a_large_dropped_file_is_discarded_on_leaving(staff: Staff) -> None:
    page = staff().open(PAGE)
    rows = [company_row(f"Kelp {number}", f"kelp-drop-{number}") for number in range(400)]
    # Of random letters, so that it stays large when it is packed.
    letters = random.Random(7)
    rows = [(*one[:6], "".join(letters.choices(string.ascii_letters, k=900)), "") for one in rows]
    text = csv_bytes(HEAD, *rows).decode()
    drop = """([place, text]) => {
        const files = new DataTransfer();
        files.items.add(new File([text], "dropped.csv", { type: "text/csv" }));
        place.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, [page.locator(".csv-file").element_handle(), text])
    expect(page.get_by_role("button", name="Import 400 records")).to_be_enabled()
    expect(page.get_by_text("1 / 8")).to_be_visible()
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", name="Company Management")).to_be_visible()
    page.get_by_role("link", name="Import CSV").click()
    expect(page.get_by_text("Choose a file")).to_be_visible()
    expect(page.get_by_text("dropped.csv")).to_have_count(0)
