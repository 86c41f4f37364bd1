"""docs/operations.md names tests and alerts that exist, and every alert."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def test_tests_named_in_the_operations_guide_exist() -> None:
    named = re.findall(r"`(?:tests/)?((?:\w+/)+test_\w+\.py)(?:::(test_\w+))?`", PAGE)
    assert len(named) > 40
    files = {module: ROOT / "tests" / module for module, _ in named}
    texts = {module: file.read_text(encoding="utf-8") if file.exists() else "" for module, file in files.items()}
    assert [(module, name) for module, name in named if f"def {name or 'test_'}" not in texts[module]] == []


def test_the_operations_guide_lists_exactly_the_existing_alerts() -> None:
    alerts = set(re.findall(r"- alert: (\w+)", (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")))
    cells = [row.split("|")[-2] for row in PAGE.splitlines() if row.startswith("| ") and row.count("|") == 6]
    assert set(re.findall(r"`([A-Z]\w+)`", " ".join(cells))) == alerts
