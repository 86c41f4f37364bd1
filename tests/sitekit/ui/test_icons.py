"""Every icon that content names can be drawn, and every drawing stays on its grid."""

import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

from sitekit.ui.icons import STROKES, icon
from tests.support.each import check_each

CONTENT = Path(__file__).parents[3] / "advisory_site" / "content"


def icon_keys(value: object) -> set[str]:
    """The icon keys inside a piece of content, however deep."""
    if isinstance(value, tuple):
        return set().union(*map(icon_keys, value)) if value else set()
    if not is_dataclass(value) or isinstance(value, type):
        return set()
    own = {getattr(value, field.name) for field in fields(value) if field.name == "icon"}
    return own.union(*(icon_keys(getattr(value, field.name)) for field in fields(value)))


def test_every_icon_named_in_content_exists() -> None:
    def check(module: str) -> None:
        content = import_module(f"advisory_site.content.{module}")
        named = set().union(*(icon_keys(value) for value in vars(content).values()))
        assert named <= set(STROKES)

    check_each(sorted(path.stem for path in CONTENT.glob("*.py") if path.stem != "__init__"), check)


def test_an_icon_begins_inside_its_grid() -> None:
    def check(name: str) -> None:
        for stroke in STROKES[name]:
            for x, y in re.findall(r"M([\d.]+)[ ,]?([\d.]+)", stroke):
                assert 0 <= float(x) <= 24
                assert 0 <= float(y) <= 24

    check_each(sorted(STROKES), check)


def test_a_misspelt_icon_raises() -> None:
    with pytest.raises(KeyError):
        icon("compas")
