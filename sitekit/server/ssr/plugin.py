"""A build step: packs the renderer, so that it needs only Node, and minifies the loader and the stylesheets."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import reflex as rx

from .page_state import LOADER, SCRIPTS

RENDERER = Path("build/renderer.mjs")


class RendererPlugin(rx.plugins.Plugin):
    """After each production build, creates the files that `renderer.Renderer` runs and `DocumentBuilder` reads."""

    def get_static_assets(self, **context: Any) -> list[tuple[Path, str | bytes]]:
        """The scripts, placed next to the build, where they find its packages."""
        names = ("render.mjs", LOADER, "pack.mjs")
        return [(Path(name), (SCRIPTS / name).read_text(encoding="utf-8")) for name in names]

    def post_build(self, **context: Any) -> None:
        """Create the files; fails the build if they cannot be created."""
        client = Path(context["static_dir"]).absolute()
        web = client.parents[1]
        node = shutil.which("node") or "node"
        packing = subprocess.run(  # noqa: S603
            [node, "pack.mjs", str(RENDERER), str(RENDERER.with_name(LOADER)), *map(str, sorted(client.glob("*.css")))],
            cwd=web,
            capture_output=True,
            text=True,
        )
        if packing.returncode:
            raise SystemExit(f"The scripts could not be packed:\n{packing.stderr[-2000:]}")
