"""The build of the tea shop: Reflex's own, and the renderer."""

import os
import sys
from pathlib import Path

os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
os.environ["REFLEX_USE_NPM"] = "1"
os.environ["REFLEX_CHECK_LATEST_VERSION"] = "false"

import reflex as rx

from sitekit.server.ssr.plugin import RendererPlugin

config = rx.Config(
    app_name="tea_shop",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    plugins=[RendererPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
