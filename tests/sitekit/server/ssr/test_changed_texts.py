"""Texts that staff have changed: in the next page that has them, with their changes in its state, and in no other."""

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from advisory_site.content import home
from sitekit.server.ssr import page_renderer
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from tests.conftest import on_sqlite
from tests.sitekit.server.ssr.conftest import ASKED
from tests.sitekit.server.ssr.drawings import drawing, rename
from tests.support.changed_texts import change_text
from tests.support.database_faults import missing

pytestmark = [pytest.mark.anyio, on_sqlite]


def change(database: ModuleType, text: str, original: str = ASKED) -> None:
    """Change a text."""
    with database.transaction() as session:
        change_text(session, original, text)


def texts_in(answer: httpx.Response) -> dict[str, str]:
    """The changed texts in the state of a page."""
    (state,) = re.findall(r'id="page-state">(.*?)</script>', answer.text)
    changed: dict[str, str] = json.loads(state).get("texts", {})
    return changed


@pytest.mark.spec("COPY-4", "COPY-11")
@pytest.mark.parametrize("is_shared", [False, True])
async def test_a_change_is_in_the_next_page_with_its_text(
    visitor: httpx.AsyncClient, public_pages: PublicPages, database: ModuleType, is_shared: bool
) -> None:
    public_pages.page_renderer.is_shared = is_shared
    assert texts_in(await visitor.get("/")) == {}
    change(database, "The work in figures")
    change(database, "Nobody asks for this", home.STATS_SOURCE)
    changed = await visitor.get("/")
    assert texts_in(changed) == {ASKED: "The work in figures"}
    assert drawing(changed)["texts"] == {
        ASKED: "The work in figures",
        str(home.STATS_SOURCE): "Nobody asks for this",
    }
    change(database, "The work, counted")
    assert texts_in(await visitor.get("/")) == {ASKED: "The work, counted"}


@pytest.mark.spec("COPY-11")
async def test_a_page_that_is_rendered_once_per_build_does_not_read_texts(
    visitor: httpx.AsyncClient, database: ModuleType
) -> None:
    change(database, "The work in figures")
    assert texts_in(await visitor.get("/privacy")) == {}


@pytest.mark.spec("COPY-4")
async def test_the_page_for_a_missing_record_follows_changes(visitor: httpx.AsyncClient, database: ModuleType) -> None:
    for text in ("The work in figures", "The work, counted"):
        change(database, text)
        answer = await visitor.get("/companies/nobody")
        assert (answer.status_code, texts_in(answer)) == (404, {ASKED: text})


async def test_the_answer_to_a_form_has_the_changed_texts(visitor: httpx.AsyncClient, database: ModuleType) -> None:
    change(database, "The work in figures")
    answer = await visitor.post("/contact", data={"firstName": "Ann"})
    assert (answer.status_code, texts_in(answer)) == (422, {ASKED: "The work in figures"})


@pytest.mark.spec("COPY-13")
async def test_pages_keep_their_changes_without_the_database(
    visitor: httpx.AsyncClient, database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(database, "The work in figures")
    before = await visitor.get("/")
    with missing(database_dir, monkeypatch):
        after, unread = await visitor.get("/"), await visitor.get("/team")
    assert (after.status_code, after.text) == (200, before.text)
    assert (unread.status_code, texts_in(unread)) == (503, {ASKED: "The work in figures"})


@pytest.mark.spec("COPY-13")
async def test_pages_keep_their_changes_without_the_renderer(
    visitor: httpx.AsyncClient, renderer: Renderer, database: ModuleType, kelp: int
) -> None:
    change(database, "The work in figures")
    before = await visitor.get("/contact")
    rename(database, "kelp", "Sea Kelp")
    await renderer.stop()
    after, unread = await visitor.get("/contact"), await visitor.get("/")
    assert (after.status_code, after.text, texts_in(after)) == (200, before.text, {ASKED: "The work in figures"})
    assert (unread.status_code, 'id="page-state"' in unread.text) == (200, False)


@pytest.mark.spec("COPY-13")
async def test_no_page_is_rendered_with_texts_of_before(
    visitor: httpx.AsyncClient,
    public_pages: PublicPages,
    database: ModuleType,
    kelp: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> Any:
        raise OSError("the texts cannot be read")

    monkeypatch.setattr(page_renderer, "ON_LOAD_COOLDOWN", 0)
    before = await visitor.get("/companies")
    rename(database, "kelp", "Sea Kelp")
    with monkeypatch.context() as fault:
        fault.setattr(public_pages.page_renderer.initial_states, "_read_texts", fail)
        assert (await visitor.get("/companies")).text == before.text
        assert "the plain page" in (await visitor.get("/team")).text
    assert "Sea Kelp" in (await visitor.get("/companies")).text
