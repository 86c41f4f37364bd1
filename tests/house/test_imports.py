"""Who may import whom, read from the source; the floors are drawn in docs/architecture.md."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "advisory_site"
FEATURES = ("accounts", "companies", "team", "advisors", "enquiries")
GROUND = {"errors", "parsing", "typography", "settings", "routes", "events", "content", "threads"}
STAIRS = {
    "audit",
    "background",
    "permissions",
    "database",
    "mail",
    "mail_queue",
    "logs",
    "log_throttle",
    "listing",
    "drafts",
    "records",
    "limits",
    "backup_log",
    "former_slugs",
    "sqlite_file",
    "diagnosis",
    "migrations",
    "tables",
}
DATA_ROOMS = ("models", "rules", "service")


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


def floor_of(name: str) -> str:
    """The first part of a dotted name: the room's folder or the module on the package's own floor."""
    return name.split(".")[0]


@pytest.mark.parametrize("module", [m for m in modules() if floor_of(m) in GROUND])
def test_the_ground_floor_imports_no_other(module: str) -> None:
    allowed = {"content", "routes"} if floor_of(module) == "content" else GROUND - {"content"}
    assert {floor_of(name) for name in ours(module)} <= allowed


@pytest.mark.parametrize("module", [m for m in modules() if m in STAIRS - {"tables"}])
def test_the_second_floor_imports_only_the_first_two(module: str) -> None:
    assert {floor_of(name) for name in ours(module)} <= GROUND | STAIRS - {"tables"}


@pytest.mark.parametrize("module", [m for m in modules() if floor_of(m) in FEATURES and m.split(".")[-1] in DATA_ROOMS])
def test_records_know_neither_reflex_nor_another_feature(module: str) -> None:
    imported = imports_of(module)
    assert "!reflex" not in imported
    assert {floor_of(name) for name in ours(module)} <= GROUND | STAIRS | {floor_of(module)}


@pytest.mark.parametrize("module", [m for m in modules() if floor_of(m) == "ui"])
def test_components_know_no_feature_and_no_database(module: str) -> None:
    assert {floor_of(name) for name in ours(module)} <= GROUND | {"ui"}


@pytest.mark.parametrize("module", [m for m in modules() if floor_of(m) in ("ssr", "web")])
def test_the_surroundings_know_no_feature(module: str) -> None:
    assert {floor_of(name) for name in ours(module)} <= GROUND | STAIRS | {"ssr", "web"}


@pytest.mark.parametrize("module", [m for m in modules() if floor_of(m) in FEATURES])
def test_screens_import_no_other_feature_but_the_signed_in_person(module: str) -> None:
    others = {name for name in ours(module) if floor_of(name) in FEATURES and floor_of(name) != floor_of(module)}
    assert others <= {"accounts.state", "accounts.guard"}


def test_one_module_alone_imports_chakra() -> None:
    importers = {module for module in modules() if "!reflex_chakra" in imports_of(module)}
    assert importers <= {"ui.chakra"}
