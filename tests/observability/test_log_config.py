"""The log: one line an entry for machines, words for people, and nobody else's lines in between."""

import json
import logging
import logging.config
import sys
import time
import uuid
from pathlib import Path

import pytest

from advisory_site.core import request_context
from advisory_site.core.settings import Settings
from advisory_site.observability import log_config

PRODUCTION = {
    "ADVISORY_ENV": "production",
    "ADVISORY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    "ADVISORY_SIGN_UP": "closed",
}


def record(message: str, *values: object, exc_info: object = None) -> logging.LogRecord:
    return logging.LogRecord("advisory_site.x", logging.ERROR, "x.py", 1, message, values, exc_info)  # type: ignore[arg-type]


def test_an_entry_is_one_json_line_whatever_it_holds() -> None:
    line = log_config.JsonLines().format(record("Hello %s", 'a\nb {"level": "x"} \x1b[31m Ä'))
    assert "\n" not in line
    held = json.loads(line)
    assert (held["level"], held["logger"], held["message"]) == (
        "ERROR",
        "advisory_site.x",
        'Hello a\nb {"level": "x"} \x1b[31m Ä',
    )


def test_an_entry_carries_the_id_of_what_is_worked_on() -> None:
    name = request_context.begin()
    assert json.loads(log_config.JsonLines().format(record("Hello")))["id"] == name
    assert f" error   [{name}] Hello" in log_config.Readable().format(record("Hello"))


def test_an_exception_stays_in_its_line() -> None:
    try:
        raise ValueError("wrong")
    except ValueError:
        line = log_config.JsonLines().format(record("Failed", exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "ValueError: wrong" in json.loads(line)["exception"]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    "formatter", [log_config.JsonLines(), log_config.Readable()], ids=lambda one: type(one).__name__
)
def test_the_token_of_a_tab_stays_out_of_messages_and_errors(formatter: logging.Formatter) -> None:
    token = str(uuid.uuid4())
    try:
        raise ValueError(f"{token}_lock has expired.")
    except ValueError:
        failed = record("Attempting to send delta to disconnected client %r", token, exc_info=sys.exc_info())
    line = formatter.format(failed)
    assert token not in line
    assert "disconnected client '(token)'" in line


def test_for_people_control_characters_are_shown_not_obeyed() -> None:
    assert "\x1b" not in log_config.Readable().format(record("Hello \x1b[31m"))


def test_for_people_no_line_of_a_message_looks_like_an_entry() -> None:
    lines = (
        log_config.Readable().format(record("Hello\n19:00:00 info    Signed in\r19:00:01 error   Gone")).splitlines()
    )
    assert lines[0].endswith("Hello")
    assert [line[:4] for line in lines[1:]] == ["    ", "    "]


def passed(count: int, filter: logging.Filter, level: int = logging.ERROR) -> list[logging.LogRecord]:
    """Those of so many equal records that pass a filter."""
    entries = [logging.LogRecord("x", level, "x.py", 1, "Ended number %d", (number,), None) for number in range(count)]
    return [entry for entry in entries if filter.filter(entry)]


def test_one_line_of_code_cannot_fill_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = log_config.AtMostSoMany()
    assert len(passed(200, bound)) == 30
    assert bound.filter(logging.LogRecord("x", logging.ERROR, "x.py", 2, "Another", None, None))
    assert len(passed(200, bound, logging.INFO)) == 200
    a_minute_later = time.monotonic() + 61
    monkeypatch.setattr(time, "monotonic", lambda: a_minute_later)
    first, second = passed(2, bound)
    assert first.getMessage() == "Ended number 0 (170 more like the one before were not logged.)"
    assert second.getMessage() == "Ended number 1"


def test_an_error_of_a_library_is_told_without_what_it_quotes() -> None:
    try:
        json.loads("stranger")
    except ValueError:
        entry = record("message async handler error", exc_info=sys.exc_info())
    assert log_config.Brief().filter(entry)
    text = log_config.Readable().format(entry)
    assert "stranger" not in text and "Traceback" not in text
    assert "message async handler error (JSONDecodeError at decoder.py:" in text


@pytest.mark.parametrize(("environ", "formatter"), [({}, log_config.Readable), (PRODUCTION, log_config.JsonLines)])
def test_the_server_finds_a_configuration_it_can_use(
    environ: dict[str, str], formatter: type[logging.Formatter], tmp_path: Path
) -> None:
    path = log_config.write_configuration(Settings.from_environment(environ | {"ADVISORY_DATA_DIR": str(tmp_path)}))
    configuration = json.loads(path.read_text())
    configurator = logging.config.DictConfigurator(configuration)
    assert isinstance(configurator.configure_formatter(configuration["formatters"]["own"]), formatter)
    assert isinstance(configurator.configure_filter(configuration["filters"]["brief"]), log_config.Brief)
