"""Rules for the tests themselves, read from their source."""

import ast
import re
from pathlib import Path

from tests import tiers
from tests.spec_ids import named, required

ROOT = Path(__file__).parents[2]


def imported(path: Path) -> set[str]:
    """The dotted names of test modules that a file imports, and names from them."""
    text, found = path.read_text(encoding="utf-8"), set[str]()
    if "test_" not in text.replace("def test_", ""):  # parsing all files takes ten times as long
        return found
    for node in ast.walk(ast.parse(text)):
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


def test_the_lists_of_tiers_name_tests_that_exist_and_keep_the_gate_small() -> None:
    unknown = []
    for name in (*tiers.JOURNEYS, *tiers.HEAVY):
        path, _, function = name.partition("::")
        function = function.rpartition("::")[2].partition("[")[0]
        file = ROOT / path
        if not file.exists() or f"def {function}(" not in file.read_text(encoding="utf-8"):
            unknown.append(name)
    assert unknown == []
    assert all(name.startswith("tests/e2e/") for name in tiers.JOURNEYS)
    assert not any(name.startswith("tests/e2e/") for name in tiers.HEAVY)
    assert len(tiers.JOURNEYS) <= 110


def test_the_workflow_runs_the_gate_for_each_change_and_all_tests_every_night() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").endswith("exec make test\n")
    assert "run: bash .ci/run" in workflow and "make test-all" in workflow and "schedule:" in workflow
