"""Rules for the tests themselves, read from their source."""

import ast
import re
from pathlib import Path

from tests.spec_ids import named, required

ROOT = Path(__file__).parents[2]


def imported(path: Path) -> set[str]:
    """The dotted names that a file imports: modules, and names from them."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module or ''}.{alias.name}" for alias in node.names}
    return found


def test_modules_are_not_imported() -> None:
    """Shared helpers have their own module, in tests/support or in the folder of the tests that use them."""
    files = [
        path
        for folder in ("tests", "bench", "deploy", "tools", "advisory_site", "sitekit")
        for path in (ROOT / folder).rglob("*.py")
    ]
    assert files
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imported(path)
        if any(part.startswith("test_") for part in name.split("."))
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_each_requirement_named_by_tests_is_listed() -> None:
    lines = (ROOT / "docs" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Z]+-\d+  \S.{,69}", line)] == []
    assert len(required()) == len(set(required()))
    assert named() - set(required()) == set()
