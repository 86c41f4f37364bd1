"""Who may import whom, read from the source; docs/architecture.md says why."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "advisory_site"
# What each package may import besides itself. Features, `users`, `dashboard`, `ops` and the app itself are on top.
ALLOWED = {
    "core": set(),
    "content": {"core"},
    "framework": set(),
    "db": {"core"},
    "mail": {"core", "content", "db"},
    "observability": {"core", "db", "mail", "http"},
    "records": {"core", "content", "db", "observability"},
    "http": {"core", "db", "observability"},
    "seo": {"core", "content", "db", "http", "ssr"},
    "ssr": {"core", "db", "framework", "http", "observability"},
    "ui": {"core", "content", "framework"},
    "backoffice": {"core", "content", "db", "records", "ui", "accounts"},
    "pages": {"core", "content", "ui"},
    "seed": {"companies", "team", "advisors"},
}
FEATURES = ("accounts", "companies", "team", "advisors", "enquiries")
DATA_MODULES = ("models", "fields", "service", "drafts", "form", "submission")
SIGNED_IN = {"accounts.session_state", "accounts.guard"}


@cache
def modules() -> list[str]:
    """Every module of the package by its dotted name below it; a package is named by itself."""
    names = (path.relative_to(PACKAGE).with_suffix("").parts for path in PACKAGE.rglob("*.py"))
    return sorted(".".join(part for part in name if part != "__init__") for name in names)


def tree_of(module: str) -> tuple[ast.Module, list[str]]:
    """A module's syntax and the dotted name of the package it is in."""
    path = PACKAGE.joinpath(*module.split(".")) if module else PACKAGE
    is_package = path.is_dir()
    source = (path / "__init__.py" if is_package else path.with_suffix(".py")).read_text(encoding="utf-8")
    parts = module.split(".") if module else []
    return ast.parse(source), parts if is_package else parts[:-1]


def imports_of(module: str) -> set[str]:
    """What a module imports of the package, dotted; and foreign packages with a leading '!'."""
    tree, here = tree_of(module)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {"!" + alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named = node.module.split(".") if node.module else []
            if node.level:
                base = here[: len(here) - node.level + 1] + named
            elif named[0] == PACKAGE.name:
                base = named[1:]
            else:
                found.add("!" + named[0])
                continue
            known = modules()
            for alias in node.names:
                dotted = ".".join([*base, alias.name])
                found.add(dotted if dotted in known else ".".join(base))
    return found


def ours(module: str) -> set[str]:
    """The modules of the package that a module imports."""
    return {name for name in imports_of(module) if not name.startswith("!") and name}


def package_of(name: str) -> str:
    """The first part of a dotted name."""
    return name.split(".")[0]


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    others = {m: ours(m) for m in modules() if package_of(m) == package}
    assert others
    for module, names in others.items():
        assert {package_of(name) for name in names} <= ALLOWED[package] | {package}, module


@pytest.mark.parametrize(
    "module", [m for m in modules() if package_of(m) in FEATURES and m.split(".")[-1] in DATA_MODULES]
)
def test_records_know_neither_reflex_nor_another_feature(module: str) -> None:
    assert "!reflex" not in imports_of(module)
    below = {"core", "content", "db", "mail", "records", "observability"}
    assert {package_of(name) for name in ours(module)} <= below | {package_of(module)}


@pytest.mark.parametrize("module", [m for m in modules() if package_of(m) in (*FEATURES, "backoffice")])
def test_screens_import_no_other_feature_but_the_signed_in_person(module: str) -> None:
    others = {name for name in ours(module) if package_of(name) in FEATURES and package_of(name) != package_of(module)}
    assert others <= SIGNED_IN


def test_no_module_is_outside_the_packages_but_the_entry_points() -> None:
    assert {path.stem for path in PACKAGE.glob("*.py")} == {"__init__", "__main__", "advisory_site", "asgi"}


def test_one_module_alone_imports_chakra() -> None:
    importers = {module for module in modules() if "!reflex_chakra" in imports_of(module)}
    assert importers <= {"ui.backoffice.chakra"}


def test_what_visitors_see_imports_nothing_of_the_back_office() -> None:
    importers = {m for m in modules() if m.startswith("ui.") and any(n.startswith("ui.backoffice") for n in ours(m))}
    assert {name for name in importers if not name.startswith("ui.backoffice")} == set()
