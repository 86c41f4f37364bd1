"""A build step: the browser connects to the page's own address, so one build serves on any port."""

import re
from pathlib import Path
from typing import Any

import reflex as rx

# Reflex writes the address of the websocket into the scripts when they are built, port included.
_BUILT_IN = re.compile(r"""(["'`])ws://localhost:\d+/_event\1""")
_SAME_ORIGIN = '(location.origin.replace(/^http/,"ws")+"/_event")'


class SameOriginPlugin(rx.plugins.Plugin):
    """Replaces the websocket address in the built scripts by the address of the page."""

    def post_build(self, **context: Any) -> None:
        """Rewrite the scripts of a finished build; a build without the address fails, so an upgrade cannot hide it."""
        replaced = 0
        for script in Path(context["static_dir"]).glob("assets/*.js"):
            text, count = _BUILT_IN.subn(_SAME_ORIGIN, script.read_text(encoding="utf-8"))
            if count:
                script.write_text(text, encoding="utf-8")
                replaced += count
        if not replaced:
            raise SystemExit("The built scripts do not hold the websocket's address where it was expected.")
