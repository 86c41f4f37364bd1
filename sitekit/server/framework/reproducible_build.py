"""A build step: the same source gives scripts of the same names, on any machine and at any time."""

import json
import re
from typing import Any

import reflex as rx

# Reflex needs only the version of this file, but the import brings a random number of the folder and the time of the
# build into a script that nearly every other script names, so all names changed with each build.
_IMPORT = 'import reflexEnvironment from "$/reflex.json";\n'
_VERSION = json.dumps(rx.constants.Reflex.VERSION)
# Reflex collects these from sets of classes, whose order is another in each process.
_STORAGE = re.compile(r"^(export .* clientStorage = )(\{.*\})$", re.MULTILINE)


class ReproducibleBuildPlugin(rx.plugins.Plugin):
    """Rewrites what differs between two builds of the same source."""

    def pre_compile(self, **context: Any) -> None:
        """Have Reflex's scripts rewritten when the pages are compiled."""
        context["add_modify_task"]("utils/state.js", with_version)
        context["add_modify_task"]("utils/context.jsx", with_sorted_storage)


def with_version(script: str) -> str:
    """The script with the version itself, also if it was replaced before; exits if it is used in another way."""
    changed = script.replace(_IMPORT, "").replace("reflexEnvironment.version", _VERSION)
    if "reflexEnvironment" in changed or _VERSION not in changed:
        raise SystemExit("Reflex's state.js does not import reflex.json as expected: builds would not be reproducible.")
    return changed


def with_sorted_storage(script: str) -> str:
    """The script with the list of stored values sorted; exits if it has none."""
    changed, count = _STORAGE.subn(lambda match: match[1] + json.dumps(json.loads(match[2]), sort_keys=True), script)
    if count != 1:
        raise SystemExit("Reflex's context.jsx does not list stored values as expected: builds would differ.")
    return changed
