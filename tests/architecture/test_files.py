"""Size and first sentence of every module, and no machine's own path anywhere."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "advisory_site").rglob("*.py"))
LONGEST = 400


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_module_is_short_and_says_which_room_it_is(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= LONGEST
    assert ast.get_docstring(ast.parse(source)), "its first sentence is missing"


def test_no_module_is_called_after_nothing() -> None:
    assert not [path for path in MODULES if path.stem in ("utils", "helpers", "manager", "data", "misc", "common")]


def test_the_project_names_no_folder_of_the_machine_it_was_made_on() -> None:
    tracked = subprocess.run(
        [
            "git",
            "grep",
            "-nIE",
            "/(home|Users)/[a-z]+/|/roo[t]/",
            "--",
            ".",
            ":!reflex.lock",
            ":!tests/architecture",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert tracked.stdout == ""
