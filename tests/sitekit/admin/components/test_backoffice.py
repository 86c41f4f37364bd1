"""Chakra serves the menus and dialogs of the back office alone, and its links lead where they say."""

import subprocess
import sys
from pathlib import Path

import reflex as rx

from sitekit.admin.components.backoffice import backoffice
from sitekit.admin.components.controls import button_link
from sitekit.admin.components.elements import link
from sitekit.admin.components.menus import action_menu, menu_divider, menu_item, menu_link


def menu() -> rx.Component:
    return action_menu("Menu", menu_link("Profile", href="/admin/profile"), menu_divider(), menu_item("Sign out"))


def wraps_of(component: rx.Component) -> set[str]:
    return {name for _, name in component._get_all_app_wrap_components()}


def test_chakra_components_add_no_wrapper_to_other_pages() -> None:
    assert wraps_of(backoffice(menu())) == set()


def test_pages_import_nothing_of_chakra_themselves() -> None:
    """What they import is loaded before the page is shown; `ui/js/later.jsx` fetches Chakra afterwards."""
    imports = backoffice(menu())._get_all_imports().items()
    assert not [
        library for library, names in imports if library.startswith("@chakra") and any(one.tag for one in names)
    ]


def test_links_are_router_links_with_their_path() -> None:
    for component in (link("Profile", href="/admin/profile"), button_link("Add", href="/admin/companies/new")):
        rendered = str(component)
        assert "to:" in rendered
        assert "/admin/" in rendered


def test_chakra_writes_no_script_into_the_working_directory(tmp_path: Path) -> None:
    root = Path(__file__).parents[4]
    load = f"import sys; sys.path.insert(0, {str(root)!r}); from sitekit.admin.components.menus import menu_item"
    code = f"{load}; menu_item('Save')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert not list(tmp_path.rglob("*.js"))
