"""The React components in `ui/js`, which the build imports as `$/ui/<name>`, and stylesheets that consist of parts.

What they use of Reflex and its socket is in `server/framework/js`, which they import as `$/framework/<name>`.
"""

import re
from pathlib import Path
from typing import Any

import reflex as rx

from sitekit.server import framework

FOLDER = Path(__file__).with_name("js")
STYLES = Path(__file__).with_name("css") / "backoffice.css"
ASSETS = Path("assets")
SEAMS = Path(framework.__file__).with_name("js")
_IMPORT = re.compile(r'@import "([^"]+)";\n')


def script(file: str, tag: str) -> tuple[str, str]:
    """The `library` and `tag` of a component that a file of `ui/js` exports; raises ImportError if it does not."""
    if f"export function {tag}(" not in _text(FOLDER / file):
        raise ImportError(f"{file} exports no {tag}")
    return f"$/ui/{file}", tag


def stylesheet(*more: Path) -> str:
    """The stylesheet of the back office in one text: the parts of the kit in their order, then `more` of the site."""
    return joined(STYLES) + "".join(map(_text, more))


def joined(sheet: Path) -> str:
    """A stylesheet with the texts of the parts that it imports, in their order."""
    return _IMPORT.sub(lambda line: _text(sheet.parent / line[1]), _text(sheet))


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


class ScriptsPlugin(rx.plugins.Plugin):
    """Copies the files into the build, so that all pages share one copy of each.

    `styles` are the stylesheets of the site's own screens in the back office. Reflex itself copies the stylesheets of
    the public pages, but not the parts that they import.
    """

    def __init__(self, *styles: Path) -> None:
        self._styles = styles

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str | bytes]]:
        """The files, by their path in the build's folder."""
        scripts = [
            (Path(name) / file.name, _text(file))
            for name, folder in (("ui", FOLDER), ("framework", SEAMS))
            for file in sorted(folder.iterdir())
        ]
        parts = [
            (Path("styles", part), _text(ASSETS / part))
            for sheet in sorted(ASSETS.glob("*.css"))
            for part in _IMPORT.findall(_text(sheet))
        ]
        return [*scripts, *parts, (Path("public", STYLES.name), stylesheet(*self._styles))]
