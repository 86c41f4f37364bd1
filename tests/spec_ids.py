"""Prints the requirement ids that no test names; `make spec` runs it.

docs/requirements.txt lists them, an id and what it means per line; a test names them by `@pytest.mark.spec("AUTH-4")`.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = re.compile(r"spec\(([^)]*)\)")


def required() -> list[str]:
    """All requirement ids, in the order of their list."""
    lines = (ROOT / "docs" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines]


def named() -> set[str]:
    """The ids that tests name."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {spec_id for text in texts for mark in MARK.findall(text) for spec_id in re.findall(r'"([A-Z]+-\d+)"', mark)}


if __name__ == "__main__":
    unnamed = [spec_id for spec_id in required() if spec_id not in named()]
    print("\n".join(unnamed) if unnamed else "Every requirement id is named by a test.")
    sys.exit(0)
