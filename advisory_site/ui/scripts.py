"""React components in files of their own: `ui/js`, which the build imports as `$/ui/<name>`."""

from pathlib import Path
from typing import Any

import reflex as rx

FOLDER = Path(__file__).with_name("js")


def script(name: str) -> str:
    """The `library` of a component whose code is the file of this name; raises FileNotFoundError without one."""
    if not (FOLDER / name).is_file():
        raise FileNotFoundError(FOLDER / name)
    return f"$/ui/{name}"


class ScriptsPlugin(rx.plugins.Plugin):
    """Copies the files to where the build finds them, so that a page imports each once and all pages share it."""

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str | bytes]]:
        """The files by their path below the build's folder."""
        return [(Path("ui") / file.name, file.read_text(encoding="utf-8")) for file in sorted(FOLDER.iterdir())]
