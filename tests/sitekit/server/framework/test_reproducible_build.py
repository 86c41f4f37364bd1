"""The step of the build that keeps what differs between two builds out of the scripts."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
import reflex as rx

from sitekit.server.framework.reproducible_build import with_sorted_storage, with_version


def test_the_state_script_contains_only_the_reflex_version() -> None:
    found = find_spec("reflex_base")
    assert found is not None and found.origin is not None
    script = next(Path(found.origin).parent.rglob("utils/state.js")).read_text(encoding="utf-8")
    changed = with_version(script)
    assert "reflex.json" in script
    assert "reflex.json" not in changed
    assert f'protocols: ["{rx.constants.Reflex.VERSION}"]' in changed
    assert with_version(changed) == changed


def test_client_storage_entries_are_sorted() -> None:
    script = "const a = 1\nexport const clientStorage = {%s, %s}\nconst b = {}\n"
    one, other = '"one": {"sync": true}', '"two": {}'
    assert (
        with_sorted_storage(script % (other, one))
        == with_sorted_storage(script % (one, other))
        == script % (one, other)
    )


@pytest.mark.parametrize("change", [with_version, with_sorted_storage])
def test_an_unexpected_script_fails_the_build(change: Callable[[str], str]) -> None:
    with pytest.raises(SystemExit):
        change('import { version } from "$/elsewhere.json";')
