"""From what a person is shown after a failure to the lines of the log that say why."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from advisory_site.content import server_error
from advisory_site.enquiries.contact import no_script_form
from advisory_site.enquiries.contact.state import ContactState
from advisory_site.pages.server_error import server_error_page
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base.observability.log_config import TRAFFIC
from sitekit.base.observability.log_format import JsonLines
from sitekit.base.observability.log_throttle import ThrottledLog
from sitekit.base.permissions import Role
from sitekit.server.framework.event_log import tab_of
from sitekit.server.http.error_page import ErrorPage
from sitekit.server.http.request_log import RequestLog
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.ui.feedback import on_unhandled_exception
from tests.conftest import on_sqlite
from tests.sitekit.server.ssr.conftest import ORIGIN
from tests.support.database_faults import missing, read_only
from tests.support.event_client import EventClient
from tests.support.staff import sign_in

FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Private words"}


@pytest.fixture
def log() -> Iterator[list[dict[str, Any]]]:
    """The lines of production's log, as they are written."""
    lines: list[dict[str, Any]] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(self.format(record)))

    handler = Lines()
    handler.setFormatter(JsonLines())
    loggers = {name: logging.getLogger(name) for name in ("advisory_site", "sitekit")}
    before = {name: logger.level for name, logger in loggers.items()}
    for logger in loggers.values():
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    yield lines
    for name, logger in loggers.items():
        logger.removeHandler(handler)
        logger.setLevel(before[name])


@pytest.fixture
def site(public_pages: PublicPages, monkeypatch: pytest.MonkeyPatch) -> httpx.AsyncClient:
    """A visitor of the public pages behind the log, as a proxy passes them on."""
    monkeypatch.setattr(no_script_form, "_log_failure", ThrottledLog(no_script_form._log_failure._log))
    app = RequestLog(ErrorPage(public_pages, html=server_error_page()), behind_proxy=True)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN)


def mentioned(text: str) -> str:
    """The reference that a page or a notice asks to mention."""
    (found,) = set(re.findall(r"Please mention ([0-9a-z]{8,12}) if", text))
    return str(found)


def found(log: list[dict[str, Any]], reference: str) -> list[dict[str, Any]]:
    """The lines under a reference."""
    return [line for line in log if line.get("id", "").startswith(reference)]


@on_sqlite
@pytest.mark.anyio
@pytest.mark.spec("DATA-4")
@pytest.mark.parametrize("given", ["", "34921e61-d0a4-4c3e-9a54-1f0c8a5b7e11"])
async def test_a_failed_form_shows_the_reference_of_its_log_lines(
    site: httpx.AsyncClient,
    log: list[dict[str, Any]],
    database_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
) -> None:
    with read_only(database_dir, monkeypatch):
        answers = [await site.post("/contact", data=FORM, headers={"x-request-id": given}) for _ in range(2)]
    for answer in answers:
        assert answer.status_code == 503
        reference = mentioned(answer.text)
        assert answer.headers["x-request-id"].startswith(reference)
        assert reference == given[:8] or not given
        (line,) = [line for line in found(log, reference) if "status" in line][-1:]
        assert (line["path"], line["status"]) == ("/contact", 503)
        assert "readonly database" in line["why"]
    assert "Private words" not in str(log)


@on_sqlite
@pytest.mark.anyio
async def test_each_page_without_records_shows_the_reference_of_its_request(
    site: httpx.AsyncClient, log: list[dict[str, Any]], database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with missing(database_dir, monkeypatch):
        answers = [await site.get("/companies") for _ in range(2)]
        plain = await site.head("/companies")
    for answer in answers:
        assert (answer.status_code, "etag" in answer.headers) == (503, False)
        # The renderer of these tests draws the vars of a page: the reference is among them.
        (reference,) = set(re.findall(r'"reference_rx_state_":"([^"]*)"', answer.text)) or {mentioned(answer.text)}
        assert answer.headers["x-request-id"] == reference
        (line,) = [line for line in found(log, reference) if "status" in line]
        assert line["why"]
    assert (plain.status_code, plain.content, int(plain.headers["content-length"]) > 0) == (503, b"", True)
    assert len({answer.headers["x-request-id"] for answer in answers}) == 2


@pytest.mark.anyio
async def test_the_error_page_shows_the_reference_of_its_traceback(log: list[dict[str, Any]]) -> None:
    async def broken(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("broken on purpose")

    app = RequestLog(ErrorPage(broken, html=server_error_page()), behind_proxy=False)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as visitor:
        answer = await visitor.get("/team")
    assert (answer.status_code, answer.headers["cache-control"]) == (500, "no-store")
    assert server_error.TITLE in answer.text
    first, last = found(log, mentioned(answer.text))
    assert "broken on purpose" in first["exception"]
    assert (last["path"], last["status"]) == ("/team", 500)


@on_sqlite
def test_a_failure_notice_shows_the_reference_of_its_log_lines(
    tab: EventClient, log: list[dict[str, Any]], database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id = sign_in(tab, Role.EMPLOYEE)
    tab.send(AuthState.check_session)
    with read_only(database_dir, monkeypatch):
        reply = tab.send(ContactState.send, form_data=FORM)
    (notice,) = reply.var("notice_state.notices")
    assert notice["text"].startswith("We could not save")
    failed = found(log, mentioned(notice["mention"]))
    assert {line["level"] for line in failed} == {"ERROR", "INFO"}
    assert "readonly database" in failed[0]["message"]
    assert (failed[-1]["logger"], failed[-1]["outcome"]) == (TRAFFIC, "failed")
    # The events of a tab are joined, and those of a person who is signed in.
    events = [line for line in log if line["logger"] == TRAFFIC]
    assert {line["tab"] for line in events} == {tab_of(tab.token)}
    assert {line.get("user") for line in events if line["event"] == "auth_state.check_session"} == {user_id}
    assert tab.token not in str(log) and "Private words" not in str(log)
    assert "mention" not in tab.send(ContactState.send, form_data={}).var("notice_state.notices")[-1]


@on_sqlite
def test_an_exception_of_a_handler_shows_the_reference_of_its_log_lines(
    tab: EventClient, log: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(ContactState, "_check", fail)
    (error,) = tab.send(ContactState.check, name="email", edit=1, typed={}).errors
    event: Any = on_unhandled_exception(error)
    reference = [value._var_value for _, value in event.args][-1]
    lines = found(log, reference)
    assert {line["tab"] for line in lines} == {tab_of(tab.token)}
    assert [line.get("outcome") for line in lines] == ["failed", None]
    assert "broken on purpose" in lines[-1]["message"]
