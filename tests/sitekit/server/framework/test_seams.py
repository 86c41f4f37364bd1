"""What this site uses of Reflex without a promise that it stays, and the version in which it was found.

An upgrade fails here first. Look at each place named below with the new version, run the whole suite, and then name the
new version. No module outside `framework/` uses such a thing from Python; `test_script_seams.py` says the same of
JavaScript. What the build makes is another seam, `ssr`, with tests of its own: the shape of the HTML.
"""

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import reflex as rx
from reflex.app import EventNamespace

import advisory_site
import sitekit
from sitekit.admin.components.menus import menu_item  # makes reflex_chakra importable with this version of Reflex
from tests.support.each import check_each

KIT = Path(sitekit.__file__).parent
MODULES = [path for one in (KIT, Path(advisory_site.__file__).parent) for path in sorted(one.rglob("*.py"))]
FOUND_IN = {"reflex": "0.10.1", "reflex-base": "0.10.1", "reflex-chakra": "0.8.2.post1"}
# The module of `framework/` that uses it, and the object in Reflex.
SEAMS = (
    ("built_site", "reflex_base.environment", "environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP"),
    ("built_site", "reflex_base.environment", "environment.REFLEX_SKIP_COMPILE"),
    ("chakra", "reflex_chakra.components.base", "ChakraComponent._get_app_wrap_components"),
    ("events", "reflex.state", "State.hydrate_and_load"),
    ("events", "reflex_base.event.context", "EventContext.emit_delta"),
    ("events", "reflex_base.event.context", "EventContext.router_data"),
    ("events", "reflex_base.registry", "RegistrationContext.app"),
    ("events", "reflex_base.registry", "RegistrationContext.event_handlers"),
    ("memoization", "reflex_base.constants", "MemoizationMode"),
    ("on_load", "reflex.istate.delta", "_resolve_delta"),
    ("on_load", "reflex_base.event.processor", "BaseStateEventProcessor.enqueue_stream_delta"),
    ("shared_states", "reflex.istate.manager.token", "BaseStateToken._state_key"),
    ("shared_states", "reflex.utils.token_manager", "RedisTokenManager._get_redis_key"),
    ("state_vars", "reflex.state", "BaseState._is_client_storage"),
    ("state_vars", "reflex_base.constants.state", "FIELD_MARKER"),
    ("tab_states", "reflex.app", "App._state_manager"),
    ("tab_states", "reflex.istate.manager.memory", "StateManagerMemory._get_or_create_state"),
    ("tab_states", "reflex.istate.manager.memory", "StateManagerMemory._purge_expired_tokens"),
    ("tab_states", "reflex.istate.manager.memory", "StateManagerMemory._purge_token"),
    ("tab_states", "reflex.istate.manager.memory", "StateManagerMemory._track_token"),
    ("tab_states", "reflex.state", "BaseState.dirty_vars"),
    ("tab_states", "reflex.state", "BaseState.substates"),
    ("tabs", "reflex.app", "App.event_namespace"),
    ("tabs", "reflex.app", "EventNamespace.emit_update"),
    ("tabs", "reflex.state", "BaseState._get_root_state"),
    ("tabs", "reflex.utils.token_manager", "TokenManager.disconnect_token"),
    ("tabs", "reflex.utils.token_manager", "TokenManager.link_token_to_sid"),
    ("token_manager", "reflex.istate.manager.redis", "StateManagerRedis._lock_key"),
    ("token_manager", "reflex.utils.token_manager", "SocketRecord"),
)
# What Reflex documents: what `import reflex as rx` has, and these modules. Everything else is its own affair:
# `reflex_base`, which `reflex` is made of, and all of `reflex.istate`, `reflex.utils` and `reflex.app`.
DOCUMENTED = ("reflex", "reflex.event", "reflex.plugins", "reflex.state", "reflex.vars", rx.el.__name__)
PRIVATE = {
    name
    for kind in (rx.App, rx.Component, rx.EventHandler, rx.State, rx.Var, EventNamespace)
    for name in (*dir(kind), *getattr(kind, "__dataclass_fields__", ()))
    if name.startswith("_") and not name.startswith("__")
}
# Names of ours, of classes that are none of Reflex's, which one of these has, too.
OURS = {"_create", "_decode", "_fields", "_pages", "_state"}
OUTSIDE = [path for path in MODULES if path.parent != KIT / "server" / "framework"]


def test_chakra_can_be_imported_with_our_patches() -> None:
    assert callable(menu_item)


@pytest.mark.parametrize("package", FOUND_IN)
def test_the_installed_version_is_the_reviewed_one(package: str) -> None:
    assert version(package) == FOUND_IN[package]


def test_undocumented_names_we_use_exist() -> None:
    def check(case: tuple[str, str, str]) -> None:
        place, module, name = case
        found: Any = import_module(module)
        for part in name.split("."):
            # A field of a dataclass without a default is no attribute of the class.
            assert hasattr(found, part) or part in found.__dataclass_fields__, place
            found = getattr(found, part, None)

    check_each(SEAMS, check)


def undocumented(path: Path) -> Iterator[str]:
    """Each import and private name of Reflex in a module that Reflex does not document, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.stmt | ast.expr):
            continue
        used = []
        if isinstance(node, ast.Import):
            used = [name.name for name in node.names if name.name not in DOCUMENTED]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            is_documented = node.module in DOCUMENTED
            used = [f"{node.module}.{n.name}" for n in node.names if not is_documented or n.name.startswith("_")]
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "rx":
            found = getattr(rx, node.attr)
            used = [found.__name__] if isinstance(found, ModuleType) and found.__name__ not in DOCUMENTED else []
        elif isinstance(node, ast.Attribute) and node.attr in PRIVATE - OURS:
            yield f"{path.name}:{node.lineno} {ast.unparse(node)}"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in PRIVATE - OURS:
            yield f"{path.name}:{node.lineno} {node.name}"
        yield from (f"{path.name}:{node.lineno} {name}" for name in used if name.startswith("reflex"))


def test_only_the_framework_package_uses_undocumented_reflex_names() -> None:
    assert OUTSIDE
    assert not [found for path in OUTSIDE for found in undocumented(path)]


def test_uses_of_undocumented_names_are_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import reflex as rx\nimport reflex_base.registry\nfrom reflex.utils import types\n"
        "from reflex.state import State, _split\nrx.utils.format\nrx.el.p()\nrx.State._get_root_state\n"
        "class S(rx.State):\n    def _reset_client_storage(self): ...\n"
    )
    assert {found.split()[0] for found in undocumented(module)} == {f"module.py:{line}" for line in (2, 3, 4, 5, 7, 9)}
