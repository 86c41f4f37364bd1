"""The log: one line an entry for machines, words for people, and nobody else's lines in between."""

import json
import logging
import sys
import time
import uuid

import pytest

from sitekit.base import request_context
from sitekit.base.observability import log_format
from sitekit.base.site import get_site


def record(message: str, *values: object, exc_info: object = None) -> logging.LogRecord:
    return logging.LogRecord("advisory_site.x", logging.ERROR, "x.py", 1, message, values, exc_info)  # type: ignore[arg-type]


def test_every_log_entry_is_one_json_line() -> None:
    line = log_format.JsonLines().format(record("Hello %s", 'a\nb {"level": "x"} \x1b[31m Ä'))
    assert "\n" not in line
    held = json.loads(line)
    assert (held["level"], held["logger"], held["version"], held["message"]) == (
        "ERROR",
        "advisory_site.x",
        get_site().version,
        'Hello a\nb {"level": "x"} \x1b[31m Ä',
    )


def test_a_log_entry_has_the_id_of_its_request() -> None:
    name = request_context.begin()
    assert json.loads(log_format.JsonLines().format(record("Hello")))["id"] == name
    assert f" error   [{name}] Hello" in log_format.Readable().format(record("Hello"))


def test_an_exception_stays_in_its_json_line() -> None:
    try:
        raise ValueError("wrong")
    except ValueError:
        line = log_format.JsonLines().format(record("Failed", exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "ValueError: wrong" in json.loads(line)["exception"]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    "formatter", [log_format.JsonLines(), log_format.Readable()], ids=lambda one: type(one).__name__
)
def test_the_token_of_a_client_is_not_logged(formatter: logging.Formatter) -> None:
    token = str(uuid.uuid4())
    try:
        raise ValueError(f"{token}_lock has expired.")
    except ValueError:
        failed = record("Attempting to send delta to disconnected client %r", token, exc_info=sys.exc_info())
    line = formatter.format(failed)
    assert token not in line
    assert "disconnected client '(token)'" in line


def test_control_characters_are_escaped_in_the_readable_format() -> None:
    assert "\x1b" not in log_format.Readable().format(record("Hello \x1b[31m"))


def test_no_line_of_a_message_looks_like_an_entry_in_the_readable_format() -> None:
    lines = (
        log_format.Readable().format(record("Hello\n19:00:00 info    Signed in\r19:00:01 error   Gone")).splitlines()
    )
    assert lines[0].endswith("Hello")
    assert [line[:4] for line in lines[1:]] == ["    ", "    "]


def passed(count: int, filter: logging.Filter, level: int = logging.ERROR) -> list[logging.LogRecord]:
    """Those of so many equal records that pass a filter."""
    entries = [logging.LogRecord("x", level, "x.py", 1, "Ended number %d", (number,), None) for number in range(count)]
    return [entry for entry in entries if filter.filter(entry)]


def test_repeated_messages_of_one_code_line_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = log_format.AtMostSoMany()
    assert len(passed(200, bound)) == 30
    assert bound.filter(logging.LogRecord("x", logging.ERROR, "x.py", 2, "Another", None, None))
    assert len(passed(200, bound, logging.INFO)) == 200
    a_minute_later = time.monotonic() + 61
    monkeypatch.setattr(time, "monotonic", lambda: a_minute_later)
    first, second = passed(2, bound)
    assert first.getMessage() == "Ended number 0 (170 more like the one before were not logged.)"
    assert second.getMessage() == "Ended number 1"


def test_library_errors_are_logged_without_the_text_they_quote() -> None:
    try:
        json.loads("stranger")
    except ValueError:
        entry = record("message async handler error", exc_info=sys.exc_info())
    assert log_format.Brief().filter(entry)
    text = log_format.Readable().format(entry)
    assert "stranger" not in text and "Traceback" not in text
    assert "message async handler error (JSONDecodeError at decoder.py:" in text
