"""The React components in `ui/js`, which the build imports as `$/ui/<name>`, and the stylesheet of the back office.

What they use of Reflex and its socket is in `server/framework/js`, which they import as `$/framework/<name>`.
"""

from pathlib import Path
from typing import Any

import reflex as rx

from sitekit.server import framework

FOLDER = Path(__file__).with_name("js")
STYLES = Path(__file__).with_name("css")
SEAMS = Path(framework.__file__).with_name("js")


def script(file: str, tag: str) -> tuple[str, str]:
    """The `library` and `tag` of a component that a file of `ui/js` exports; raises ImportError if it does not."""
    if f"export function {tag}(" not in (FOLDER / file).read_text(encoding="utf-8"):
        raise ImportError(f"{file} exports no {tag}")
    return f"$/ui/{file}", tag


class ScriptsPlugin(rx.plugins.Plugin):
    """Copies the files into the build, so that all pages share one copy of each."""

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str | bytes]]:
        """The files, by their path in the build's folder."""
        return [
            (Path(name) / file.name, file.read_text(encoding="utf-8"))
            for name, folder in (("ui", FOLDER), ("framework", SEAMS), ("public", STYLES))
            for file in sorted(folder.iterdir())
        ]
