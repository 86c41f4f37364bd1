"""The React components in `ui/js`, which the build imports as `$/ui/<name>`."""

from pathlib import Path
from typing import Any

import reflex as rx

FOLDER = Path(__file__).with_name("js")


def script(file: str, tag: str) -> tuple[str, str]:
    """The `library` and `tag` of a component that a file of `ui/js` exports; raises ImportError if it does not."""
    if f"export function {tag}(" not in (FOLDER / file).read_text(encoding="utf-8"):
        raise ImportError(f"{file} exports no {tag}")
    return f"$/ui/{file}", tag


class ScriptsPlugin(rx.plugins.Plugin):
    """Copies the files into the build's folder, so that all pages share one copy of each."""

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str | bytes]]:
        """The files, by their path in the build's folder."""
        return [(Path("ui") / file.name, file.read_text(encoding="utf-8")) for file in sorted(FOLDER.iterdir())]
