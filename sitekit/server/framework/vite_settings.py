"""A build step: the plugins of `js/vite_plugins.js` are among the settings of Vite."""

from typing import Any

import reflex as rx

_PLUGINS = "  plugins: [\n"
_IMPORT = 'import { onLocalhost, plainJsx } from "./framework/vite_plugins.js";\n'
_OURS = "    onLocalhost,\n    plainJsx,\n"


class VitePlugin(rx.plugins.Plugin):
    """Adds our plugins to Vite's."""

    def pre_compile(self, **context: Any) -> None:
        """Have the settings of Vite rewritten when the pages are compiled."""
        context["add_modify_task"]("vite.config.js", with_plugins)


def with_plugins(script: str) -> str:
    """The settings with the plugins, also if they had them before; exits if they list no plugins."""
    changed = script.replace(_IMPORT, "").replace(_OURS, "").replace(_PLUGINS, _PLUGINS + _OURS, 1)
    if _OURS not in changed:
        raise SystemExit("Reflex's vite.config.js does not list plugins as expected: `make dev` would be open to all.")
    return _IMPORT + changed
