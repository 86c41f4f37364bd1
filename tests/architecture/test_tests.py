"""Rules for the tests themselves, read from their source."""

import ast
from pathlib import Path

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


def test_nothing_is_imported_from_a_test_module() -> None:
    """Shared helpers have their own module, in tests/support or in the folder of the tests that use them."""
    files = [path for folder in ("tests", "bench", "tools", "advisory_site") for path in (ROOT / folder).rglob("*.py")]
    assert files
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imported(path)
        if any(part.startswith("test_") for part in name.split("."))
    }
    assert not wrong, "\n".join(sorted(wrong))
