"""What an error tracker and a collector of traces get, with their real libraries, and that it is about nobody."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
import sqlalchemy as sa
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.types import Receive, Scope, Send

from advisory_site.enquiries.contact.state import ContactState
from sitekit.base import request_context
from sitekit.base.db.database import read_session
from sitekit.base.observability import tracing
from sitekit.base.observability.error_tracker import ErrorTracker, scrubbed
from sitekit.base.settings import Settings
from sitekit.ops import check
from sitekit.server.http.request_log import ROUTE, RequestLog
from sitekit.ui.feedback import error_notice
from tests.conftest import ROOT, on_sqlite
from tests.support.asgi_client import ask
from tests.support.event_client import EventClient
from tests.support.receiver import Receiver, receiving

USER = 987_654_321
ADDRESS, TOKEN = "ann.lim@kelp.example", "0123abcd-0123-4abc-8def-0123456789ab"
PRIVATE = (ADDRESS, "Ann Lim", "203.0.113.7", "2001:db8::1", TOKEN)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def tracker(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[ErrorTracker]:
    """A tracker that gets the errors of the log."""
    # The library loads Eventlet where it is installed, as the tests have it for Swift; it warns at every later fork.
    monkeypatch.setitem(sys.modules, "eventlet", None)
    tracker = ErrorTracker(f"http://key@127.0.0.1:{receiver.server_port}/7")
    logging.getLogger().addHandler(tracker)
    yield tracker
    logging.getLogger().removeHandler(tracker)
    tracker.stop()


def fail(address: str, name: str, *more: str) -> None:
    """Fail with a message that quotes what somebody has typed."""
    try:
        int(name)
    except ValueError as error:
        raise RuntimeError(f"no place for {address} of '{name}' from {' or '.join(more)}\n{name}") from error


def test_a_reported_error_has_its_location_and_id_but_no_personal_data(
    receiver: Receiver, tracker: ErrorTracker
) -> None:
    name = request_context.begin(tab="1234abcd5678", user=USER, why=ADDRESS)
    try:
        fail(*PRIVATE)
    except RuntimeError as error:
        error_notice(error, "Failed to save")
    logging.getLogger("advisory_site.x").error("%s could not be read by %s", TOKEN, ADDRESS)
    logging.getLogger("advisory_site.x").info("Signed in: %s", ADDRESS)
    tracker.stop()
    sent = [json.loads(body.splitlines()[2]) for path, body in receiver.received if path == "/api/7/envelope/"]
    assert [event["logentry"]["message"] for event in sent] == ["%s: %s\n%s", "%s could not be read by %s"]
    cause, effect = sent[0]["exception"]["values"]
    assert (cause["type"], effect["type"]) == ("ValueError", "RuntimeError")
    assert effect["value"].startswith("no place for (...)")
    place = effect["stacktrace"]["frames"][-1]
    assert (place["function"], place["filename"]) == ("fail", "tests/sitekit/base/observability/test_tracing.py")
    assert sent[0]["tags"] == {"id": name, "tab": "1234abcd5678"}
    everything = str(receiver.received)
    for private in (*PRIVATE, str(USER), "Ann", "Lim", "kelp"):
        assert private not in everything


@pytest.mark.parametrize(
    "text",
    [
        "ann%40kelp.example is known",
        "at /auth/reset?token=ann",
        'invalid input syntax: "ann"',
        "key `ann` is missing",
        "bearer eyJhbGciOiJIUzI1NiJ9.ann.ann",
        "first line\nann",
    ],
)
def test_text_quoted_by_an_error_is_not_reported(text: str) -> None:
    assert "ann" not in scrubbed(text)


@on_sqlite
def test_a_trace_has_the_sql_of_a_request_but_no_address(receiver: Receiver, database: ModuleType) -> None:
    async def site(scope: Scope, receive: Receive, send: Send) -> None:
        scope[ROUTE] = "/companies/[slug]"
        with tracing.span("render"), read_session() as session:
            session.execute(sa.text("SELECT id FROM enquiries WHERE email = :email"), {"email": ADDRESS})
        await send({"type": "http.response.start", "status": 503, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    collector = tracing.Collector(f"http://127.0.0.1:{receiver.server_port}")
    try:
        answer = ask(RequestLog(site, behind_proxy=False), f"/companies/{ADDRESS}?token={TOKEN}")
    finally:
        collector.stop()
    assert {path for path, _ in receiver.received} == {"/v1/traces"}
    spans = {
        span.name: span
        for _, body in receiver.received
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    }
    request, rendering, statement = (spans[n] for n in ("GET /companies/[slug]", "render", "SELECT enquiries"))
    assert (rendering.parent_span_id, statement.parent_span_id) == (request.span_id, rendering.span_id)
    attributes = {one.key: one.value.string_value or one.value.int_value for one in request.attributes}
    assert attributes == {
        "advisory.id": answer.headers["x-request-id"],
        "http.route": "/companies/[slug]",
        "http.response.status_code": 503,
    }
    assert not [one for one in (ADDRESS, TOKEN, "kelp") if one in str(receiver.received)]


@on_sqlite
def test_an_event_is_sent_as_a_trace(receiver: Receiver, tab: EventClient) -> None:
    collector = tracing.Collector(f"http://127.0.0.1:{receiver.server_port}")
    try:
        tab.send(ContactState.send, form_data={"firstName": "Ann", "email": ADDRESS})
    finally:
        collector.stop()
    sent = b"".join(body for _, body in receiver.received)
    assert b"event contact_state.send" in sent and b"refused" in sent
    assert ADDRESS.encode() not in sent and tab.token.encode() not in sent


def test_tracing_packages_are_not_loaded_without_settings() -> None:
    loaded = "import sys, sitekit.app.site_app; print({'sentry_sdk', 'opentelemetry.exporter'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "set()\n"


def test_a_tracing_setting_without_its_packages_is_reported_with_a_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.from_environment(
        {"ADVISORY_SENTRY_DSN": "https://key@tracker.example/7", "ADVISORY_OTLP_URL": "http://collector:4318"}
    )
    assert list(check.missing_packages(settings)) == []
    monkeypatch.setattr(check, "find_spec", lambda _name: None)
    assert ["make tracing" in result.text for result in check.missing_packages(settings)] == [True, True]
