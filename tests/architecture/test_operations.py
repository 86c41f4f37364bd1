"""docs/operations.md names tests and alerts that exist, and every alert."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def test_the_tests_that_repeat_the_drills_exist() -> None:
    named = re.findall(r"`(?:tests/)?(\w+/test_\w+\.py)(?:::(test_\w+))?`", PAGE)
    assert len(named) > 40
    files = {module: ROOT / "tests" / module for module, _ in named}
    texts = {module: file.read_text(encoding="utf-8") if file.exists() else "" for module, file in files.items()}
    assert [(module, name) for module, name in named if f"def {name or 'test_'}" not in texts[module]] == []


def test_every_alert_is_in_a_row_and_no_other() -> None:
    alerts = set(re.findall(r"- alert: (\w+)", (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")))
    cells = [row.split("|")[-2] for row in PAGE.splitlines() if row.startswith("| ") and row.count("|") == 6]
    assert set(re.findall(r"`([A-Z]\w+)`", " ".join(cells))) == alerts
