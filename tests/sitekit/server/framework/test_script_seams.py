"""What our JavaScript uses of Reflex's scripts and of its socket without a promise that it stays.

An upgrade fails here first. Read each place named below in the new version, run the tests in `tests/e2e`, and then name
the new version. `server/framework/js` alone imports or patches such things; `ssr/page_state.py` puts a component among
Reflex's own, which needs its store.
"""

import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import reflex_base

import sitekit
from tests.support.each import check_each

KIT = Path(sitekit.__file__).parent
SEAMS = KIT / "server" / "framework" / "js"
LOCK = KIT.parent / "reflex.lock" / "package-lock.json"
PACKAGE = Path(reflex_base.__file__).parent
STATE = ".templates/web/utils/state.js"
REGISTRY = ".templates/web/utils/context-registry.js"
TEMPLATES = "compiler/templates.py"
FOUND_IN_REFLEX = "0.10.1"
# `Socket.prototype.connect`, `emit`, `listeners` and `io` of the one, `_hasPingExpired` and `readyState` of the other.
FOUND_IN_NPM = {"socket.io-client": "4.8.4", "engine.io-client": "6.6.8"}
# The file of ours that uses it, the file of Reflex that has it, and how it stands there.
USED = (
    ("event_loop.js", REGISTRY, "export const eventLoop = {\n  addEvents: (events, args, event_actions) =>"),
    ("event_loop.js", TEMPLATES, "return eventLoop.addEvents(events, args, event_actions);"),
    ("event_loop.js", TEMPLATES, "eventLoop.addEvents = addEventsLocal;"),
    ("event_loop.js", STATE, 'const FORM_DATA_ENTRIES_KEY = "__reflex_form_data__";'),
    ("live_socket.js", REGISTRY, "export const app = {};"),
    ("live_socket.js", STATE, "socket.current.reconnect = () => {"),
    ("live_socket.js", STATE, "!socket.current.wait_connect"),
    ("live_socket.js", STATE, 'socket.emit("event", encodeFormDataArgs(routed_event));'),
    ("live_socket.js", STATE, 'socket.current.on("event", (update) => {'),
    ("live_socket.js", STATE, "reconnection: false,"),
    ("live_socket.js", STATE, "main_state.is_hydrated_rx_state_"),
    ("live_socket.js", TEMPLATES, "ReflexEvent('{state_name}.{constants.CompileVars.ON_LOAD_INTERNAL}')"),
    ("plain_jsx.js", TEMPLATES, 'import {{ jsx }} from "@emotion/react";'),
    ("vite_plugins.js", TEMPLATES, "  plugins: ["),
    ("reflex.js", STATE, "export const generateUUID = () => {"),
    ("reflex.js", TEMPLATES, "export {{ ColorModeContext,"),
    ("page_state.js", REGISTRY, "export function registerApp(values) {"),
    ("page_state.js", TEMPLATES, "export const initialState = "),
    ("page_state.js", REGISTRY, "export const ColorModeContext = createContext({\n  rawColorMode:"),
)
# Modules of Reflex and its socket, the names by which they are known on the wire, and patches of another's class.
PRIVATE = re.compile(
    r"""["']\$/(?:utils|env|app|components|styles)\b|["'](?:socket|engine)\.io[\w/.-]*["']"""
    r"|__reflex_form_data__|\w+_rx_state_\b|on_load_internal|\.prototype\.\w+\s*="
)
OUTSIDE = [
    path
    for package in (KIT, KIT.parent / "advisory_site")
    for path in sorted(package.rglob("*"))
    if path.suffix in {".js", ".jsx", ".mjs", ".py"}
    and not path.is_relative_to(SEAMS.parent)
    and path != KIT / "server" / "ssr" / "page_state.py"
]


def private(path: Path) -> Iterator[str]:
    """Each use of what `PRIVATE` describes, with its line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if found := PRIVATE.search(line):
            yield f"{path.name}:{number} {found.group()}"


def test_the_reflex_version_is_the_reviewed_one() -> None:
    assert version("reflex-base") == FOUND_IN_REFLEX


@pytest.mark.parametrize("package", FOUND_IN_NPM)
def test_the_socket_library_version_is_the_reviewed_one(package: str) -> None:
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    assert packages[f"node_modules/{package}"]["version"] == FOUND_IN_NPM[package]


def test_reflex_still_contains_the_internals_our_scripts_use() -> None:
    def check(case: tuple[str, str, str]) -> None:
        user, file, text = case
        assert text in (PACKAGE / file).read_text(encoding="utf-8"), user

    check_each(USED, check)


def test_every_script_that_uses_internals_is_listed() -> None:
    of_browsers = {"foreign_nodes.js"}  # patches classes of the browser alone
    assert {path.name for path in SEAMS.iterdir()} - of_browsers | {"page_state.js"} == {user for user, _, _ in USED}


def test_only_the_listed_scripts_use_undocumented_reflex_internals() -> None:
    assert len(OUTSIDE) > 300
    assert not [found for path in OUTSIDE for found in private(path)]


@pytest.mark.parametrize(
    "line",
    [
        'import { refs } from "$/utils/state";',
        'import { Socket } from "socket.io-client";',
        "Socket.prototype.connect = function () {};",
        "if (update.delta.main.is_hydrated_rx_state_) return;",
        "const entries = value?.__reflex_form_data__;",
    ],
)
def test_uses_of_internals_in_other_scripts_are_found(line: str, tmp_path: Path) -> None:
    script = tmp_path / "script.js"
    script.write_text(f"// a first line\n{line}\n")
    assert [found.split()[0] for found in private(script)] == ["script.js:2"]
