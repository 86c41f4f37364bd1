"""The alerts and the dashboard ask for series, labels and values that the site has; alerts fire as they should."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from prometheus_client import Metric

from sitekit.base.observability.health import Readiness
from sitekit.base.observability.metrics import Metrics, server_gauges
from sitekit.base.server_status import ServerStatus
from sitekit.server.http.socket_limits import SocketRefusal
from tests.conftest import IS_CI, ROOT, use

# Of Prometheus itself, and of the blackbox exporter.
OTHERS = {"up", "probe_ssl_earliest_cert_expiry"}
SERIES = re.compile(r"\b((?:advisory|process|probe)_\w+|up)\b(?:\{([^}]*)\})?")
RULE = re.compile(r"- alert: (\w+)\n +expr: (.+)\n(?: +for: \d+[mh]\n)? +labels: \{severity: (page|ticket)\}\n +annot")
RECORD = re.compile(r"- record: (\S+)\n +expr: (.+)\n")
CASES = ROOT / "tests" / "architecture" / "alerts.yml"


def rules() -> str:
    return (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")


def alerts() -> dict[str, str]:
    """The expression of each alert."""
    found = {name: expression for name, expression, _ in RULE.findall(rules())}
    assert len(found) == rules().count("- alert:"), "a rule is not written as the others are"
    return found


def records() -> dict[str, str]:
    """The expression of each series that Prometheus records for the alerts."""
    found = dict(RECORD.findall(rules()))
    assert len(found) == rules().count("- record:"), "a rule is not written as the others are"
    return found


def panels() -> dict[str, str]:
    """The expressions of each panel."""
    shown = json.loads((ROOT / "deploy" / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    return {panel["title"]: " ; ".join(target["expr"] for target in panel["targets"]) for panel in shown}


@pytest.fixture
def series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Mapping[str, str]]]:
    """All series of a process, with the labels of their samples."""
    use(monkeypatch, tmp_path)
    status = ServerStatus()
    readiness = Readiness(status, renderer_runs=lambda: True)

    def gauges() -> Iterator[Metric]:
        return server_gauges(status, 0)

    found: dict[str, list[Mapping[str, str]]] = {}
    for metric in Metrics(gauges, readiness.gauges).collect():
        # A counter without samples has labels whose values appear later.
        found.setdefault(metric.name + ("_total" if metric.type == "counter" else ""), [])
        for sample in metric.samples:
            found.setdefault(sample.name, []).append(sample.labels)
    return found


@pytest.mark.parametrize("expressions", [alerts(), records(), panels()], ids=["alerts", "records", "dashboard"])
def test_all_metrics_used_in_monitoring_exist(
    expressions: dict[str, str], series: dict[str, list[Mapping[str, str]]]
) -> None:
    wrong = []
    for name, expression in expressions.items():
        for metric, labels in SERIES.findall(expression):
            if metric in OTHERS:
                continue
            known = series.get(metric)
            for label, values in re.findall(r'(\w+)=~?"([^"]+)"', labels):
                held = {sample.get(label) for sample in known or ()}
                if not set(values.split("|")) <= held:
                    wrong.append(f"{name}: {metric} has no {label} {values}")
            if known is None:
                wrong.append(f"{name}: {metric}")
    assert expressions
    assert wrong == []


def test_recording_rules_match_the_metrics_used_by_alerts() -> None:
    asked = {name for expression in alerts().values() for name in re.findall(r"northstrait:\w+:\w+", expression)}
    assert asked == set(records())


@pytest.mark.skipif(not (shutil.which("promtool") or IS_CI), reason="Prometheus is not installed")
def test_each_alert_fires_when_it_should_and_not_otherwise() -> None:
    checked = subprocess.run(["promtool", "test", "rules", CASES], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert set(re.findall(r"alertname=\"(\w+)\"\}', value: 1", CASES.read_text(encoding="utf-8"))) == set(alerts())


def test_counters_used_by_alerts_start_at_zero(series: dict[str, list[Mapping[str, str]]]) -> None:
    """Prometheus sees no increase in a series that begins with its first burst."""
    expressions = (alerts() | records()).values()
    counted = {metric for expression in expressions for metric, _ in SERIES.findall(expression)} - OTHERS
    assert sorted(metric for metric in counted if not series[metric]) == []
    assert {labels["reason"] for labels in series["advisory_sockets_refused_total"]} == set(SocketRefusal)


def test_every_metric_is_explained_in_the_guide(series: dict[str, list[Mapping[str, str]]]) -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    ours = {re.sub(r"_(bucket|sum|count)$", "", name) for name in series if name.startswith("advisory_")}
    assert sorted(name for name in ours if f"`{name}`" not in guide) == []
