"""Length and docstring of every module, and no paths of a machine in any file."""

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "advisory_site").rglob("*.py"))
LONGEST = 400


def test_a_module_is_short_and_says_what_is_in_it() -> None:
    assert MODULES
    wrong = []
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        if (lines := source.count("\n")) > LONGEST:
            wrong.append(f"{path.relative_to(ROOT)} has {lines} lines, more than {LONGEST}")
        if not ast.get_docstring(ast.parse(source)):
            wrong.append(f"{path.relative_to(ROOT)} has no first sentence")
    assert not wrong, "\n".join(wrong)


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
