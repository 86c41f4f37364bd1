"""Numbers for those who know the token, in a format their programs read."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import Metric

from sitekit.base.observability.metrics import Metrics, gauge
from tests.conftest import use
from tests.support.asgi_client import ask_endpoint

TOKEN = "a-token-of-some-length"


def nothing_more() -> Iterator[Metric]:
    yield gauge("sockets", "Tabs.", 3)


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Metrics:
    use(monkeypatch, tmp_path, METRICS_TOKEN=TOKEN)
    return Metrics(nothing_more)


def test_metrics_are_404_without_a_configured_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path)
    assert ask_endpoint(Metrics(nothing_more), authorization="Bearer ").status == 404


@pytest.mark.parametrize("sent", [{}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}])
def test_metrics_are_refused_without_the_token(guarded: Metrics, sent: dict[str, str]) -> None:
    answer = ask_endpoint(guarded, **sent)
    assert answer.status == 401
    assert b"advisory_" not in answer.body


def test_every_line_is_valid_for_prometheus(guarded: Metrics) -> None:
    answer = ask_endpoint(guarded, authorization=f"Bearer {TOKEN}")
    line = re.compile(r'(# (HELP|TYPE) \w+ .+|[a-z_]+(\{([a-z]+="[^"\n]*",?)+\})? [-+0-9.e]+)')
    lines = answer.body.decode().splitlines()
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert [text for text in lines if not line.fullmatch(text)] == []
    assert "advisory_sockets 3.0" in lines
