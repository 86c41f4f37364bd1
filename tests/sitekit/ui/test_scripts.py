"""The files with React components: the build gets each of them, each is used, and Python holds no such code."""

import ast
import re
from pathlib import Path

import pytest

from sitekit.server.ssr.page_state import SCRIPTS as SSR
from sitekit.ui.scripts import FOLDER, SEAMS, STYLES, ScriptsPlugin, script, stylesheet
from tests.support.each import check_each

ROOT = Path(__file__).parents[3]
MODULES = [path for package in ("advisory_site", "sitekit") for path in (ROOT / package).rglob("*.py")]
# Functions, declarations, and what a page's objects are asked; Python may hold an expression over vars.
JAVASCRIPT = re.compile(
    r"=>|\bfunction *\w* *\(|\b(const|let|var) \w+ *=|\b(document|window|console|localStorage|sessionStorage)\.[a-z]"
)

# What puts a text into a page without escaping it.
HTML = re.compile(r"\brx\.html\(|dangerously_?set_?inner_?html|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b", re.I)


def test_the_build_gets_every_script_file_and_every_part_of_the_stylesheets() -> None:
    brought = {path.as_posix(): text for path, text in ScriptsPlugin().get_static_assets()}
    assert brought == {
        f"{name}/{file.name}": file.read_text(encoding="utf-8")
        for name, folder in (("ui", FOLDER), ("framework", SEAMS))
        for file in folder.iterdir()
    } | {f"styles/site/{part.name}": part.read_text(encoding="utf-8") for part in Path("assets/site").iterdir()} | {
        "public/backoffice.css": stylesheet()
    }


def test_the_stylesheet_has_each_part_once_and_that_of_the_site_last(tmp_path: Path) -> None:
    own = tmp_path / "own.css"
    own.write_text(".own{color:red}")
    joined = stylesheet(own)
    parts = [file.read_text(encoding="utf-8") for file in STYLES.with_suffix("").iterdir()]
    assert [joined.count(part) for part in parts] == [1] * len(parts)
    assert joined.endswith(".own{color:red}")
    assert "@import" not in joined


def test_a_missing_script_component_raises() -> None:
    with pytest.raises(FileNotFoundError):
        script("unsaveed.jsx", "UnsavedChanges")
    with pytest.raises(ImportError, match=r"unsaved\.jsx exports no Unsaved$"):
        script("unsaved.jsx", "Unsaved")


def test_every_script_file_is_imported() -> None:
    def check(file: Path) -> None:
        python = "".join(one.read_text(encoding="utf-8") for one in MODULES)
        scripts = "".join(one.read_text(encoding="utf-8") for one in (*FOLDER.iterdir(), *SEAMS.iterdir()))
        folder = r"(\$/framework|\.)" if file.parent == SEAMS else r"\."
        is_component = file.parent == FOLDER and f'script("{file.name}", ' in python
        is_of_vite = file.parent == SEAMS and f'from "./framework/{file.name}"' in python
        found = re.search(rf'(from |import |import\(|URL\()"{folder}/{re.escape(file.name)}"', scripts)
        assert is_component or is_of_vite or found

    check_each(sorted([*FOLDER.iterdir(), *SEAMS.iterdir()]), check)


@pytest.mark.parametrize("folder", [FOLDER, SEAMS, SSR], ids=lambda folder: folder.parent.name)
def test_every_script_enables_type_checking(folder: Path) -> None:
    files = [file for file in folder.iterdir() if file.suffix in {".js", ".jsx"}]
    assert files
    assert not [file.name for file in files if not file.read_text(encoding="utf-8").startswith("// @ts-check\n")]


def test_python_files_contain_no_javascript() -> None:
    found = []
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [one for one in ast.walk(tree) if isinstance(one, ast.Constant) and id(one) not in docstrings]
        wrong = [one.lineno for one in texts if isinstance(one.value, str) and JAVASCRIPT.search(one.value)]
        found += [f"{path.relative_to(ROOT)}:{line}" for line in wrong]
    assert not found, f"JavaScript belongs in a file of ui/js: {found}"


def test_only_the_html_of_markdown_is_put_into_a_page_as_it_is() -> None:
    files = [*MODULES, *FOLDER.iterdir(), *SEAMS.iterdir()]
    found = {path.relative_to(ROOT).as_posix() for path in files if HTML.search(path.read_text(encoding="utf-8"))}
    assert found == {"advisory_site/articles/views.py", "sitekit/ui/js/markdown.jsx"}
