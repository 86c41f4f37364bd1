"""A build step: the server with hot reload listens on localhost only, as the site does locally."""

from typing import Any

import reflex as rx

_PLUGINS = "  plugins: [\n"
# Reflex starts the server with `--host`, for all addresses. Of Vite's settings only those of a plugin override that.
_LISTENING = '    { name: "localhost", config() { return { server: { host: "127.0.0.1" } } } },\n'


class LocalhostPlugin(rx.plugins.Plugin):
    """Sets the address of Vite's server."""

    def pre_compile(self, **context: Any) -> None:
        """Have the settings of Vite rewritten when the pages are compiled."""
        context["add_modify_task"]("vite.config.js", on_localhost)


def on_localhost(script: str) -> str:
    """The settings with the address, also if they had it before; exits if they list no plugins."""
    changed = script.replace(_LISTENING, "").replace(_PLUGINS, _PLUGINS + _LISTENING, 1)
    if _LISTENING not in changed:
        raise SystemExit("Reflex's vite.config.js does not list plugins as expected: `make dev` would be open to all.")
    return changed
