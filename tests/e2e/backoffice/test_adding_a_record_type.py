"""docs/adding-a-record-type.md, followed to the letter in a copy of the site: notes are then a type like the others."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from sitekit.base.db.migrations import head
from sitekit.base.permissions import Role
from tests.conftest import ROOT
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice, reply, row
from tests.e2e.conftest import Site, serving
from tests.e2e.raw_html import read, status
from tests.support.csv_files import lines_of

GUIDE = ROOT / "docs" / "adding-a-record-type.md"
BLOCK = re.compile(r"^```(python|diff)\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BIN, WEB = Path(sys.executable).parent, ROOT / ".web"
# What a build and a server need.
FOLDERS = ("advisory_site", "alembic", "assets", "reflex.lock", "sitekit")
FILES = ("alembic.ini", "pyproject.toml", "rxconfig.py")
MOST_FILES, MOST_LINES = 8, 270
TEXT = "Ask for it on the day you deliver.\n\nNobody minds."

# The first test waits for the build, on a machine that may be building something else.
pytestmark = pytest.mark.timeout(600)


@dataclass(frozen=True)
class Block:
    """A block of the guide: a new file, or the change of one."""

    path: str
    text: str
    is_change: bool


def blocks() -> list[Block]:
    """The blocks of the guide, in its order; the migration follows the newest one, as the guide says."""
    found = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    return [_numbered(Block(path, text, language == "diff")) for language, path, text in found]


def _numbered(block: Block) -> Block:
    folder, _, name = block.path.rpartition("/")
    if folder != "alembic/versions":
        return block
    newest = head()
    own = f"{int(newest) + 1:04}"
    text = re.sub(r'^revision = ".*"$', f'revision = "{own}"', block.text, flags=re.MULTILINE)
    text = re.sub(r'^down_revision = ".*"$', f'down_revision = "{newest}"', text, flags=re.MULTILINE)
    return replace(block, path=f"{folder}/{own}_{name.partition('_')[2]}", text=text)


def apply(block: Block, folder: Path) -> None:
    """Write a new file, or change one: each part of a change fits in exactly one place."""
    file = folder / block.path
    if not block.is_change:
        assert not file.exists(), block.path
        file.parent.mkdir(exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    for part in block.text.split("@@\n"):
        lines = part.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] in f" {sign}") for sign in "-+")
        assert text.count(old) == 1, f"{block.path} has this {text.count(old)} times:\n{old}"
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def run(folder: Path, *command: str, **settings: str) -> None:
    """Run a command of the virtual environment in the copy."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")} | settings
    ended = subprocess.run([BIN / command[0], *command[1:]], cwd=folder, env=environ, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the site after the guide was followed, not built."""
    folder = tmp_path_factory.mktemp("with_notes") / "site"
    folder.mkdir()
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    for block in blocks():
        apply(block, folder)
    return folder


@pytest.fixture(scope="module")
def site(copy: Path) -> Iterator[Site]:
    """The copy, built with the npm packages of the site's own build, and served."""
    shutil.copytree(WEB, copy / ".web", symlinks=True, ignore=lambda path, _: ["build"] if Path(path) == WEB else [])
    # One format, because compressing in all three takes a fifth of a build's time.
    settings = {"REFLEX_ENV_MODE": "prod", "REFLEX_FRONTEND_COMPRESSION_FORMATS": "gzip"}
    run(copy, "reflex", "export", "--no-zip", "--frontend-only", **settings)
    with serving(copy.parent / "data", root=copy) as site:
        yield site


def test_a_record_type_is_eight_files_and_a_few_lines_elsewhere() -> None:
    files = [block for block in blocks() if not block.is_change]
    lines = [line for block in files for line in block.text.splitlines() if line.strip()]
    assert len(files) <= MOST_FILES
    assert len(lines) <= MOST_LINES
    assert "eight new files and a few lines in seven others" in " ".join(GUIDE.read_text(encoding="utf-8").split())
    assert (len(files), len(blocks()) - len(files)) == (8, 7)


def test_its_code_obeys_the_rules_of_the_site(copy: Path) -> None:
    changed = [block.path for block in blocks() if block.path.endswith(".py")]
    run(copy, "ruff", "check", "--no-cache", *changed)
    run(copy, "ruff", "format", "--no-cache", "--check", *changed)
    run(copy, "lint-imports", "--no-cache")


@pytest.mark.spec("DATA-2")
def test_its_migration_makes_the_table_of_its_model(copy: Path, site: Site) -> None:
    run(copy, "alembic", "check", ADVISORY_DATA_DIR=str(site.data_dir))


@pytest.mark.spec("HIST-2", "LOG-1")
def test_a_note_is_written_and_changed_with_history_and_activity(staff: Staff) -> None:
    page = staff(Role.ADMIN).open("/admin?tab=notes")
    write(page, "Your First Invoice", written_on="2026-11-25")
    expect(row(page, "Your First Invoice")).to_contain_text("25 November 2026")
    page.get_by_role("link", name="Your First Invoice", exact=True).click()
    field(page, "text").fill("Ask for it on the day you sign.\n\nNobody minds.")
    page.get_by_role("button", name="Update Note").click()
    expect(notice(page, "Note updated successfully")).to_be_visible()
    page.get_by_role("button", name="More actions for Your First Invoice").click()
    page.get_by_role("menuitem", name="History").click()
    expect(page.get_by_role("heading", name="History of Your First Invoice")).to_be_visible()
    expect(page.locator(".compare-field").get_by_role("insertion")).to_have_text("Added: sign")
    page.goto(f"{origin(page)}/admin/activity?search=invoice")
    expect(row(page, "Your First Invoice").filter(has_text="Added a record")).to_have_count(1)


@pytest.mark.spec("TRASH-1")
def test_a_deleted_note_is_in_the_trash_until_it_is_restored(staff: Staff, site: Site) -> None:
    page = staff().open("/admin?tab=notes")
    write(page, "Whom to Hire Second")
    assert status(site, "/notes/whom-to-hire-second") == 200
    page.get_by_role("button", name="Delete Whom to Hire Second").click()
    assert "Are you sure you want to delete this note?" in reply(page, yes=True)
    expect(notice(page, "Note deleted successfully")).to_be_visible()
    assert status(site, "/notes/whom-to-hire-second") == 404
    page.get_by_role("tabpanel").get_by_role("link", name="Trash").click()
    row(page, "Whom to Hire Second").get_by_role("button", name="Restore").click()
    expect(notice(page, "Whom to Hire Second restored")).to_be_visible()
    assert status(site, "/notes/whom-to-hire-second") == 200


@pytest.mark.spec("LIST-6", "ACC-4")
def test_notes_are_downloaded_and_found_as_the_work_of_their_author(staff: Staff, tmp_path: Path) -> None:
    colleague = staff(Role.ADMIN)
    page = colleague.open("/admin?tab=notes")
    write(page, "Prices in Writing", written_on="2025-03-02")
    with page.expect_download() as begun:
        page.get_by_role("button", name="Export CSV").click()
    begun.value.save_as(tmp_path / "notes.csv")
    columns, *notes = lines_of((tmp_path / "notes.csv").read_bytes())
    note = dict(zip(columns, next(cells for cells in notes if "Prices in Writing" in cells), strict=True))
    assert note.items() >= {"Title": "Prices in Writing", "Date": "2025-03-02", "Text": TEXT}.items()
    page.get_by_role("link", name="Import CSV").click()
    expect(page.get_by_role("heading", name="Import Notes")).to_be_visible()
    page.goto(f"{origin(page)}/admin/personal-data")
    page.get_by_label("Email address of the person").fill(colleague.email)
    page.keyboard.press("Enter")
    expect(page.locator("summary").filter(has_text="Notes")).to_be_visible()


def test_visitors_get_notes_as_complete_html_and_a_404_for_an_unknown_one(staff: Staff, site: Site) -> None:
    page = staff().open("/admin?tab=notes")
    write(page, "The Bank Contract", written_on="2024-02-29")
    path = "/notes/the-bank-contract"
    listed, own = read(site, "/notes"), read(site, path)
    assert f'href="{path}"' in listed and "The Bank Contract</a>" in listed and 'href="/notes"' in read(site, "/")
    for part in (
        "<title>The Bank Contract | ",
        "The Bank Contract</h1>",
        "29 February 2024",
        '"2024-02-29"',
        "<p>Nobody minds.</p>",
        '"Article"',
    ):
        assert part in own
    assert status(site, "/notes/nobody") == 404
    sitemap = read(site, "/sitemap.xml")
    assert f"<loc>{site.url}/notes</loc>" in sitemap and f"<loc>{site.url}{path}</loc>" in sitemap


def write(page: Page, title: str, **texts: str) -> None:
    """Add a note with the form of the list that is shown."""
    page.get_by_role("link", name="Add Note").first.click()
    expect(page.get_by_role("heading", name="Add Note")).to_be_visible()
    for name, text in ({"name": title, "text": TEXT} | texts).items():
        field(page, name).fill(text)
    page.get_by_role("button", name="Create Note").click()
    expect(notice(page, "Note created successfully")).to_be_visible()
    expect(row(page, title)).to_contain_text("Active")


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#note-form [name='{name}']")


def origin(page: Page) -> str:
    return page.url.partition("/admin")[0]
