"""A build step: packs the server bundle and the renderer into one file that needs only Node."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import reflex as rx

from .page_state import SCRIPTS

RENDERER = Path("build/renderer.mjs")


class RendererPlugin(rx.plugins.Plugin):
    """After each production build, creates the file that `renderer.Renderer` runs."""

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str | bytes]]:
        """The two scripts, placed next to the build, where they find its packages."""
        names = ("render.mjs", "pack.mjs")
        return [(Path(name), (SCRIPTS / name).read_text(encoding="utf-8")) for name in names]

    def post_build(self, **context: Any) -> None:
        """Create the file; fails the build if it cannot be created."""
        web = Path(context["static_dir"]).absolute().parents[1]
        node = shutil.which("node") or "node"
        packing = subprocess.run(  # noqa: S603
            [node, "pack.mjs", str(RENDERER)], cwd=web, capture_output=True, text=True
        )
        if packing.returncode:
            raise SystemExit(f"The renderer could not be packed:\n{packing.stderr[-2000:]}")
