"""The log: one line an entry for machines, words for people, and nobody else's lines in between."""

import json
import logging
import logging.config
import sys
import uuid
from pathlib import Path

import pytest

from advisory_site import logs
from advisory_site.settings import Settings

PRODUCTION = {
    "ADVISORY_ENV": "production",
    "ADVISORY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    "ADVISORY_SIGN_UP": "closed",
}


def record(message: str, *values: object, exc_info: object = None) -> logging.LogRecord:
    return logging.LogRecord("advisory_site.x", logging.ERROR, "x.py", 1, message, values, exc_info)  # type: ignore[arg-type]


def test_an_entry_is_one_json_line_whatever_it_holds() -> None:
    line = logs.JsonLines().format(record("Hello %s", 'a\nb {"level": "x"} \x1b[31m Ä'))
    assert "\n" not in line
    held = json.loads(line)
    assert (held["level"], held["logger"], held["message"]) == (
        "ERROR",
        "advisory_site.x",
        'Hello a\nb {"level": "x"} \x1b[31m Ä',
    )


def test_an_entry_carries_the_id_of_what_is_worked_on() -> None:
    name = logs.new_occasion()
    assert json.loads(logs.JsonLines().format(record("Hello")))["id"] == name


def test_an_exception_stays_in_its_line() -> None:
    try:
        raise ValueError("wrong")
    except ValueError:
        line = logs.JsonLines().format(record("Failed", exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "ValueError: wrong" in json.loads(line)["exception"]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("formatter", [logs.JsonLines(), logs.Readable()], ids=lambda one: type(one).__name__)
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
    assert "\x1b" not in logs.Readable().format(record("Hello \x1b[31m"))


@pytest.mark.parametrize(("environ", "formatter"), [({}, logs.Readable), (PRODUCTION, logs.JsonLines)])
def test_the_server_finds_a_configuration_it_can_use(
    environ: dict[str, str], formatter: type[logging.Formatter], tmp_path: Path
) -> None:
    path = logs.write_configuration(Settings.from_environment(environ | {"ADVISORY_DATA_DIR": str(tmp_path)}))
    configuration = json.loads(path.read_text())
    built = logging.config.DictConfigurator(configuration).configure_formatter(configuration["formatters"]["own"])
    assert isinstance(built, formatter)
