"""Cache headers for a CDN or another shared cache in front of the site, and which pages it may keep."""

from .responses import NEVER_STORED, REVALIDATED, STALE_HEADERS, Document, with_headers

# The name under which all pages are removed from a shared cache, in the headers of Fastly and Varnish, and Cloudflare.
PAGES_KEY = "pages"
# In seconds: how long a page is fresh, may be sent stale while a new one is fetched, and instead of an error.
FRESH, REVALIDATING, INSTEAD_OF_ERROR = 60, 600, 86_400
# Not-found pages, and older versions that are sent while the current one cannot be rendered.
FRESH_BRIEFLY = 10

_NAMES = {"vary": "accept-encoding", "surrogate-key": PAGES_KEY, "cache-tag": PAGES_KEY}
_SHARED = (
    f"public, max-age=0, s-maxage={FRESH}, stale-while-revalidate={REVALIDATING}, stale-if-error={INSTEAD_OF_ERROR}"
)
_BRIEFLY = f"public, max-age=0, s-maxage={FRESH_BRIEFLY}"
_BY_STATUS = {200: _SHARED, 404: _BRIEFLY}


def shared_headers(status: int) -> dict[str, str]:
    """The headers with which shared caches may keep a page of this status; none for an error of the server."""
    return {"cache-control": _BY_STATUS[status], **_NAMES} if status in _BY_STATUS else {}


def is_shared(page: Document) -> bool:
    """Whether shared caches may keep this page."""
    return any(name == b"surrogate-key" for name, _ in page.headers[""])


def as_private(page: Document) -> Document:
    """The same page for one visitor, whose browser may keep it; unchanged if no shared cache may."""
    if not is_shared(page):
        return page
    cache_control = f"private, {REVALIDATED}" if page.status == 200 else NEVER_STORED
    changes = {"cache-control": cache_control, "vary": "accept-encoding, cookie"}
    return with_headers(page, changes, without=("surrogate-key", "cache-tag"))


def as_older_version(page: Document) -> Document:
    """The same page marked as possibly outdated: no cache keeps it, except briefly a shared one that may.

    Otherwise a shared cache would pass every request on while the database is down.
    """
    headers = STALE_HEADERS | ({"cache-control": _BRIEFLY} if is_shared(page) else {})
    return with_headers(page, headers, without=("etag",), is_stale=True)
