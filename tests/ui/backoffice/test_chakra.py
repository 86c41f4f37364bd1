"""Chakra serves the back office alone, and its links lead where they say."""

import subprocess
import sys
from pathlib import Path

import reflex as rx

from advisory_site.ui.backoffice.chakra import backoffice, button_link, link, rc


def wraps_of(component: rx.Component) -> set[str]:
    return {name for _, name in component._get_all_app_wrap_components()}


def test_a_chakra_component_puts_nothing_around_other_pages() -> None:
    assert wraps_of(backoffice(rc.button("Save"), rc.input(), rc.modal())) == set()


def test_links_give_the_router_their_path() -> None:
    for component in (link("Profile", href="/admin/profile"), button_link("Add", href="/admin/companies/new")):
        rendered = str(component)
        assert "to:" in rendered
        assert "/admin/" in rendered
        assert "RouterLink" in rendered


def test_chakra_writes_no_script_into_the_folder_we_run_in(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    load = f"import sys; sys.path.insert(0, {str(root)!r}); from advisory_site.ui.backoffice.chakra import rc"
    code = f"{load}; rc.button('Save')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert not list(tmp_path.rglob("*.js"))
