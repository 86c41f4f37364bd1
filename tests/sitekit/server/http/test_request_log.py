"""Every request and event has an id, a number and a line; and a stopping server lets nobody new in."""

import asyncio
import collections
import logging
import weakref
from pathlib import Path

import pytest
from prometheus_client import Counter
from starlette.types import Message, Receive, Scope, Send

from sitekit.app import site_app
from sitekit.app.site_app import SiteApp
from sitekit.base.observability import log_config, metrics
from sitekit.base.request_context import request_id
from sitekit.base.server_status import ServerStatus
from sitekit.server.http.graceful_shutdown import GracefulShutdown
from sitekit.server.http.request_log import RequestLog
from tests.conftest import on_sqlite, use
from tests.support.asgi_client import ask
from tests.support.database_faults import read_only
from tests.support.event_client import EventClient


async def site(scope: Scope, receive: Receive, send: Send) -> None:
    logging.getLogger("advisory_site.test").warning("At work")
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def counts(counter: Counter) -> dict[str, float]:
    """How often, by the counter's first label."""
    (metric,) = counter.collect()
    found: dict[str, float] = collections.defaultdict(float)
    for sample in metric.samples:
        found[next(iter(sample.labels.values()))] += sample.value
    return dict(found)


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError("broken")


def test_a_response_has_the_id_of_its_log_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, log_config.TRAFFIC)
    seen: list[str] = []

    def note(_record: logging.LogRecord) -> bool:
        seen.append(request_id.get())
        return True

    caplog.handler.addFilter(note)
    answer = ask(RequestLog(site, behind_proxy=False), "/somewhere")
    assert set(seen) == {answer.headers["x-request-id"]}
    assert len(seen) == 2
    assert caplog.records[-1].facts["path"] == "/somewhere"  # type: ignore[attr-defined]


@on_sqlite
@pytest.mark.parametrize(("proxies", "is_taken"), [("1", True), ("0", False)])
def test_a_request_id_is_accepted_only_from_a_proxy(
    app: SiteApp, database_dir: Path, monkeypatch: pytest.MonkeyPatch, proxies: str, is_taken: bool
) -> None:
    use(monkeypatch, database_dir, TRUSTED_PROXIES=proxies)
    monkeypatch.setattr(site_app, "has_build", lambda: False)
    layers = site_app.pipeline(app, None, None)  # type: ignore[arg-type]  # what only a build needs
    [log] = [layer for layer in layers if "behind_proxy" in layer.kwargs]
    answer = ask(log.cls(site, *log.args, **log.kwargs), x_request_id="abc-123")
    assert (answer.headers["x-request-id"] == "abc-123") == is_taken


def test_a_request_id_that_could_break_the_log_is_replaced() -> None:
    answer = ask(RequestLog(site, behind_proxy=True), x_request_id='x"\n{"level":')
    assert answer.headers["x-request-id"].isalnum()


def test_requests_are_counted_by_status_class() -> None:
    before = collections.Counter(counts(metrics.requests))
    log = RequestLog(site, behind_proxy=False)
    ask(log)
    ask(log, "/healthz")  # asked all the time, and says nothing about visitors
    with pytest.raises(RuntimeError):
        ask(RequestLog(broken, behind_proxy=False))
    assert collections.Counter(counts(metrics.requests)) - before == {"4xx": 1, "5xx": 1}


def test_a_stopping_server_accepts_no_new_socket() -> None:
    stopping = GracefulShutdown(broken, ServerStatus(is_stopping=True))
    sent: list[Message] = []

    async def connect() -> None:
        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            sent.append(message)

        await stopping({"type": "websocket", "path": "/_event"}, receive, send)

    asyncio.run(connect())
    assert sent == [{"type": "websocket.close"}]


def test_a_closed_socket_is_freed_although_the_framework_keeps_references() -> None:
    class Server:
        """The server's side of one socket, and its buffers."""

        async def receive(self) -> Message:
            return {"type": "websocket.disconnect"}

        async def send(self, message: Message) -> None: ...

    kept: list[tuple[Receive, Send]] = []

    async def framework(scope: Scope, receive: Receive, send: Send) -> None:
        kept.append((receive, send))
        await send({"type": "websocket.accept"})
        assert (await receive())["type"] == "websocket.disconnect"

    async def connect() -> None:
        server = Server()
        left = weakref.ref(server)
        site = GracefulShutdown(framework, ServerStatus())
        await site({"type": "websocket", "path": "/_event"}, server.receive, server.send)
        del server
        assert left() is None
        with pytest.raises(OSError, match="closed"):
            await kept[0][1]({"type": "websocket.send"})

    asyncio.run(connect())


@on_sqlite
def test_an_event_is_counted_and_logged_without_its_payload(
    tab: EventClient, database_dir: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from advisory_site.enquiries.contact.state import ContactState

    caplog.set_level(logging.INFO, log_config.TRAFFIC)
    monkeypatch.setattr(metrics, "events", Counter("n", "", ["outcome"], registry=None))

    def outcome(**form: str) -> str:
        """How the log says that a form ended."""
        caplog.clear()
        tab.send(ContactState.send, form_data=form)
        (first, *_) = [record.facts for record in caplog.records if record.name == log_config.TRAFFIC]  # type: ignore[attr-defined]
        assert first["event"] == "contact_state.send"
        assert "Private words" not in caplog.text
        return str(first["outcome"])

    form = {"firstName": "Private words", "lastName": "Lee", "email": "ann@example.com", "message": "Hello"}
    assert outcome(**form) == "done"
    assert outcome(firstName="Private words") == "refused"
    with read_only(database_dir, monkeypatch):
        assert outcome(**form | {"message": "Another"}) == "failed"
    # What follows an event, such as the notice of the error, is done.
    assert counts(metrics.events)["failed"] == counts(metrics.events)["refused"] == 1
