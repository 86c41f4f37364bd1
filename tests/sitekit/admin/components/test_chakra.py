"""Chakra serves the back office alone, and its links lead where they say."""

import subprocess
import sys
from pathlib import Path

import reflex as rx

from sitekit.admin.components.chakra import backoffice, button_link, rc
from sitekit.admin.components.elements import link


def wraps_of(component: rx.Component) -> set[str]:
    return {name for _, name in component._get_all_app_wrap_components()}


def test_chakra_components_add_no_wrapper_to_other_pages() -> None:
    assert wraps_of(backoffice(rc.button("Save"), rc.input(), rc.modal())) == set()


def test_links_are_router_links_with_their_path() -> None:
    for component in (link("Profile", href="/admin/profile"), button_link("Add", href="/admin/companies/new")):
        rendered = str(component)
        assert "to:" in rendered
        assert "/admin/" in rendered
        assert "RouterLink" in rendered


def test_chakra_writes_no_script_into_the_working_directory(tmp_path: Path) -> None:
    root = Path(__file__).parents[4]
    load = f"import sys; sys.path.insert(0, {str(root)!r}); from sitekit.admin.components.chakra import rc"
    code = f"{load}; rc.button('Save')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert not list(tmp_path.rglob("*.js"))
