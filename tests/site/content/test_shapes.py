"""Copy stays plain: fixed shapes, no lists that a page could change, no import of another floor."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from types import MappingProxyType

import advisory_site.content

CONTENT = Path(advisory_site.content.__file__).parent
MODULES = sorted(CONTENT.glob("*.py"))
NAMES = [module.name for module in pkgutil.iter_modules([str(CONTENT)])]
PLAIN = ("collections.abc", "dataclasses", "types")
KIT = ("sitekit.base.paths", "sitekit.base.phone_numbers", "sitekit.base.site", "sitekit.ui.copy")
ALLOWED = ("advisory_site.content", "advisory_site.routes", *KIT)


def imported(path: Path) -> Iterator[str]:
    """Every module that the file imports, by full name, wherever in the file it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = ("", "advisory_site.content", "advisory_site")[node.level]
            base = ".".join(filter(None, (parents, node.module)))
            yield from (
                (f"{base}.{alias.name}" for alias in node.names)
                if node.level or base.startswith("sitekit")
                else (base,)
            )


def public_values(name: str) -> dict[str, object]:
    module = importlib.import_module(f"advisory_site.content.{name}")
    return {key: value for key, value in vars(module).items() if key.isupper()}


def strings(value: object) -> Iterator[str]:
    """Every text inside a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | MappingProxyType):
        for item in value.values() if isinstance(value, MappingProxyType) else value:
            yield from strings(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from strings(getattr(value, field.name))


def parts(value: object) -> Iterator[object]:
    yield value
    children = value if isinstance(value, tuple) else ()
    if isinstance(value, MappingProxyType):
        children = tuple(value.values())
    if is_dataclass(value):
        children = tuple(getattr(value, field.name) for field in fields(value))
    for child in children:
        yield from parts(child)


def test_content_modules_import_no_other_layer() -> None:
    assert MODULES
    strangers = [
        f"{path.stem} imports {name}"
        for path in MODULES
        for name in imported(path)
        if name not in PLAIN and not name.startswith(ALLOWED)
    ]
    assert not strangers, "\n".join(strangers)


def values() -> Iterator[tuple[str, object]]:
    """Every public value of the copy, with the name by which a finding is told."""
    yield from ((f"{name}.{key}", value) for name in NAMES for key, value in public_values(name).items())


def test_content_consists_of_text_tuples_and_frozen_dataclasses() -> None:
    wrong = []
    for name, value in values():
        for part in parts(value):
            if not is_dataclass(part):
                if not isinstance(part, str | bool | tuple | MappingProxyType | None):
                    wrong.append(f"{name} holds a {type(part).__name__}")
                continue
            try:
                setattr(part, fields(part)[0].name, "changed")
                wrong.append(f"{name} holds a {type(part).__name__} that can be changed")
            except FrozenInstanceError:
                pass
    assert not wrong, "\n".join(wrong)


def test_content_texts_have_no_stray_spaces_or_placeholders() -> None:
    unclean = [
        f"{name}: {text!r}"
        for name, value in values()
        for text in strings(value)
        if text != text.strip() or any(sign in text.lower() for sign in ("  ", "—", "lorem"))
    ]
    assert not unclean, "\n".join(unclean)
