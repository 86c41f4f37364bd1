"""One line a minute for what happens many times a second, with a count."""

import logging
import time

import pytest

from sitekit.base.observability.log_throttle import ThrottledLog

log = logging.getLogger("advisory_site.test")


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the clock says."""
    moment = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: moment[0])
    return moment


def test_the_first_message_is_logged_at_once_and_repetitions_are_counted(
    seconds: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    write = ThrottledLog(log, logging.ERROR)
    for number in range(125):
        write("Not stored (%d)", number)
    assert [(record.levelname, record.message) for record in caplog.records] == [("ERROR", "Not stored (0)")]
    seconds[0] += 61
    write("Not stored (%d)", 125)
    assert caplog.messages[1:] == ["Not stored (125) (124 more like this since the last line)"]
    seconds[0] += 61
    write("Not stored (%d)", 126)
    assert caplog.messages[2:] == ["Not stored (126)"]
