"""Removes the pages from a shared cache when public content has changed; a save does not wait for it."""

import asyncio
import json
import logging
import urllib.request
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from ...base.db import rate_limits
from ...base.db.database import transaction
from ...base.observability import metrics
from ...base.threads import BACKGROUND
from ..http.shared_cache import PAGES_KEY
from .content_version import DatabaseAway, VersionSource

log = logging.getLogger(__name__)

# In seconds.
POLL_INTERVAL = 1.0
# Changes within this time share one purge: Cloudflare allows 5 per minute on its free plan.
PURGE_INTERVAL = 15.0
PURGE_TIMEOUT = 5.0
# After the last one the pages have expired by themselves.
RETRY_DELAYS = (1.0, 5.0, 15.0, 60.0)
# Processes that see a change at about the same time share one purge.
CLAIM = timedelta(minutes=1)
_BUCKET = "cache purge"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an error, because the token must not be sent anywhere else."""

    def redirect_request(self, *_arguments: Any, **_more: Any) -> None:
        return None


class CachePurge:
    """Posts to the purge address of a CDN.

    The request names the pages and has the token in the ways that Cloudflare, Fastly and deploy/varnish.vcl read.
    """

    def __init__(self, url: str, token: str, version_source: VersionSource) -> None:
        self._url, self._token = url, token
        self._version_source = version_source

    async def watch(self) -> None:
        """Purge when the process starts, because its build may be new, and whenever the content version has changed."""
        last_version: int | None = None
        while True:
            version = await self._version(last_version)
            if version == last_version:
                await asyncio.sleep(POLL_INTERVAL)
                continue
            if last_version is None:
                await self._purge()
            elif await _is_first(version):
                await self._purge()
                await asyncio.sleep(PURGE_INTERVAL)
            last_version = version

    async def _version(self, last_version: int | None) -> int | None:
        """The content version; the last one while the database is down."""
        try:
            return await self._version_source.version()
        except DatabaseAway:
            return last_version

    async def _purge(self) -> None:
        """Try until it has succeeded, or all tries have failed."""
        for delay in (*RETRY_DELAYS, None):
            try:
                await BACKGROUND.run(self._send)
            except Exception as error:
                metrics.cache_purges.labels("failed").inc()
                host = urlsplit(self._url).hostname
                log.warning("Pages were not removed from the cache at %s: %s", host, type(error).__name__)
                if delay is None:
                    return
                await asyncio.sleep(delay)
            else:
                metrics.cache_purges.labels("done").inc()
                return

    def _send(self) -> None:
        headers = {"content-type": "application/json", "surrogate-key": PAGES_KEY}
        if self._token:
            headers |= {"authorization": f"Bearer {self._token}", "fastly-key": self._token}
        body = json.dumps({"tags": [PAGES_KEY]}).encode()
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310  checked at start
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=PURGE_TIMEOUT):
            pass


async def _is_first(version: int | None) -> bool:
    """Whether no other process purges for this version; also true if the database cannot tell."""
    try:
        return await BACKGROUND.run(_claim, str(version))
    except Exception:
        return True


def _claim(version: str) -> bool:
    with transaction() as session:
        return rate_limits.claim(session, _BUCKET, version, CLAIM)
