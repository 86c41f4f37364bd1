"""The files with React components: the build gets each of them, each is used, and Python holds no such code."""

import ast
import re
from pathlib import Path

import pytest

from advisory_site.ui.scripts import FOLDER, ScriptsPlugin, script

PACKAGE = Path(__file__).parents[2] / "advisory_site"
# Functions, declarations, and what a page's objects are asked; Python may hold an expression over vars.
JAVASCRIPT = re.compile(
    r"=>|\bfunction *\w* *\(|\b(const|let|var) \w+ *=|\b(document|window|console|localStorage|sessionStorage)\.[a-z]"
)


def test_the_build_gets_every_file() -> None:
    brought = {path.name: text for path, text in ScriptsPlugin().get_static_assets()}
    assert brought == {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}


def test_a_component_that_is_not_there_is_an_error_at_once() -> None:
    with pytest.raises(FileNotFoundError):
        script("unsaveed.jsx", "UnsavedChanges")
    with pytest.raises(ImportError, match=r"unsaved\.jsx exports no Unsaved$"):
        script("unsaved.jsx", "Unsaved")


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: file.name)
def test_every_file_is_imported(file: Path) -> None:
    python = "".join(one.read_text(encoding="utf-8") for one in PACKAGE.rglob("*.py"))
    scripts = "".join(one.read_text(encoding="utf-8") for one in FOLDER.iterdir())
    assert f'script("{file.name}", ' in python or re.search(rf'from "\./{re.escape(file.name)}"', scripts)


def test_python_holds_no_javascript() -> None:
    found = []
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [one for one in ast.walk(tree) if isinstance(one, ast.Constant) and id(one) not in docstrings]
        wrong = [one.lineno for one in texts if isinstance(one.value, str) and JAVASCRIPT.search(one.value)]
        found += [f"{path.relative_to(PACKAGE)}:{line}" for line in wrong]
    assert not found, f"JavaScript belongs in a file of ui/js: {found}"
