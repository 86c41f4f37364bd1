"""Length, docstring and names of every module, the README and its pictures, and no paths of a machine in any file."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for package in ("advisory_site", "sitekit") for path in (ROOT / package).rglob("*.py"))
LONGEST = 400


def test_modules_are_short_and_have_a_docstring() -> None:
    assert MODULES
    wrong = []
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        if (lines := source.count("\n")) > LONGEST:
            wrong.append(f"{path.relative_to(ROOT)} has {lines} lines, more than {LONGEST}")
        if not ast.get_docstring(ast.parse(source)):
            wrong.append(f"{path.relative_to(ROOT)} has no first sentence")
    assert not wrong, "\n".join(wrong)


def test_no_module_has_a_meaningless_name() -> None:
    assert not [path for path in MODULES if path.stem in ("utils", "helpers", "manager", "data", "misc", "common")]


def test_each_class_has_a_name_of_its_own() -> None:
    """A reader who meets a name need not look where it comes from."""
    modules: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                modules.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in modules.items() if len(found) > 1} == {}


def test_the_readme_is_short_and_its_pictures_are_small_and_described() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[(.*?)\]\((.*?)\)", readme)
    assert readme.count("\n") <= 120
    assert {file for _, file in pictures} == {
        f"docs/pictures/{path.name}" for path in (ROOT / "docs/pictures").iterdir()
    }
    assert all(description and (ROOT / file).stat().st_size <= 150_000 for description, file in pictures)


def test_no_file_contains_a_path_of_a_development_machine() -> None:
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
