"""A build step: the same source gives scripts of the same names, on any machine and at any time."""

import json
import re
from typing import Any

import reflex as rx

# Reflex needs only the version of this file, but the import brings a random number of the folder and the time of the
# build into a script that nearly every other script names, so all names changed with each build.
_IMPORT = 'import reflexEnvironment from "$/reflex.json";'
_CONSTANT = f'const reflexEnvironment = {{ version: "{rx.constants.Reflex.VERSION}" }};'
# Reflex collects these from sets of classes, whose order is another in each process.
_STORAGE = re.compile(r"^(export const clientStorage = )(\{.*\})$", re.MULTILINE)


class ReproducibleBuildPlugin(rx.plugins.Plugin):
    """Rewrites what differs between two builds of the same source."""

    def pre_compile(self, **context: Any) -> None:
        """Have Reflex's scripts rewritten when the pages are compiled."""
        context["add_modify_task"]("utils/state.js", with_version)
        context["add_modify_task"]("utils/context.jsx", with_sorted_storage)


def with_version(script: str) -> str:
    """The script with the version in place of the import, also if it was replaced before; exits if it has neither."""
    if _IMPORT not in script and _CONSTANT not in script:
        raise SystemExit("Reflex's state.js does not import reflex.json as expected: builds would not be reproducible.")
    return script.replace(_IMPORT, _CONSTANT)


def with_sorted_storage(script: str) -> str:
    """The script with the list of stored values sorted; exits if it has none."""
    changed, count = _STORAGE.subn(lambda found: found[1] + json.dumps(json.loads(found[2]), sort_keys=True), script)
    if count != 1:
        raise SystemExit("Reflex's context.jsx does not list stored values as expected: builds would differ.")
    return changed
