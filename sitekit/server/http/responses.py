"""Prebuilt responses: pages and files as bytes with encodings, headers and entity tag."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response

from ...base.request_context import PLACEHOLDER, reference
from ...base.site import get_site
from .csp import content_security_policy

RawHeaders = list[tuple[bytes, bytes]]

REVALIDATED = "no-cache"
NEVER_STORED = "no-store"
RETRY_AFTER = "30"
# RFC 9211: served from our own cache without revalidation.
STALE_HEADERS = {"cache-control": NEVER_STORED, "cache-status": f"{get_site().package}; hit; detail=stale"}
# In order of preference.
ENCODINGS = ("br", "zstd", "gzip")


@dataclass(frozen=True, slots=True)
class Document:
    """One page or file in every encoding; the key "" is the uncompressed one."""

    status: int
    bodies: Mapping[str, bytes]
    headers: Mapping[str, RawHeaders]
    etag: str
    # The state of a page, if it is too large to be inlined.
    state: "Document | None" = None
    is_stale: bool = False

    @property
    def size(self) -> int:
        """Its size in memory in bytes."""
        return sum(map(len, self.bodies.values())) + (self.state.size if self.state else 0)

    @property
    def is_compressed(self) -> bool:
        """Whether it has compressed bodies."""
        return len(self.bodies) > 1


def make_document(
    html: str,
    status: int = 200,
    *,
    encoded: Mapping[str, bytes] | None = None,
    cache_control: str = REVALIDATED,
    headers: Mapping[str, str] | None = None,
) -> Document:
    """Make a page from its HTML and optional compressed bodies."""
    shared = {
        "content-type": "text/html; charset=utf-8",
        "cache-control": cache_control,
        "vary": "accept-encoding, cookie",
        "content-security-policy": content_security_policy(html),
        **(headers or {}),
    }
    return _document(html.encode(), encoded or {}, raw_headers(shared), status)


def with_html(page: Document, html: str, encoded: Mapping[str, bytes]) -> Document:
    """The same page with other HTML. Its scripts and styles must be the same, because the CSP is kept."""
    shared = [(name, value) for name, value in page.headers[""] if name not in (b"etag", b"content-length")]
    return _document(html.encode(), encoded, shared, page.status)


def with_headers(
    page: Document, changes: Mapping[str, str], without: Sequence[str] = (), *, is_stale: bool = False
) -> Document:
    """The same page with these headers in place of those of the same name, and without some."""
    replaced = {name.encode() for name in (*changes, *without)}
    headers = {
        encoding: [(name, value) for name, value in pairs if name not in replaced] + raw_headers(changes)
        for encoding, pairs in page.headers.items()
    }
    return replace(page, headers=headers, is_stale=is_stale)


def make_file(
    body: bytes, media_type: str, encoded: Mapping[str, bytes], headers: Mapping[str, str] | None = None
) -> Document:
    """Make a file that is not a page; `SecurityHeaders` adds the cache header if it has none."""
    shared = {"content-type": media_type, **(headers or {})}
    if encoded:
        shared["vary"] = "accept-encoding"
    return _document(body, encoded, raw_headers(shared), 200)


def raw_headers(headers: Mapping[str, str]) -> RawHeaders:
    """Headers as ASGI needs them."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _document(plain: bytes, encoded: Mapping[str, bytes], shared: RawHeaders, status: int) -> Document:
    tag = hashlib.sha256(plain).hexdigest()[:20]
    bodies = {"": plain, **encoded}
    headers = {}
    for name, body in bodies.items():
        own = {"etag": f'W/"{tag}"', "content-length": str(len(body))}
        if name:
            own["content-encoding"] = name
        headers[name] = shared + raw_headers(own)
    return Document(status, bodies, headers, tag)


@lru_cache(maxsize=256)
def accepted_encodings(header: str) -> tuple[str, ...]:
    """The encodings that an `Accept-Encoding` header allows, in our order of preference."""
    acceptable = {}
    for part in header.lower().split(","):
        name, _, parameter = part.partition(";")
        acceptable[name.strip()] = parameter.strip().removeprefix("q=").strip("0.") != "" if parameter else True
    anything = acceptable.get("*", False)
    return tuple(name for name in ENCODINGS if acceptable.get(name, anything))


def robots_headers(status: int) -> dict[str, str]:
    """The headers of an error page for crawlers: `noindex`, and `Retry-After` for 503."""
    if status == 200:
        return {}
    return {"x-robots-tag": "noindex"} | ({"retry-after": RETRY_AFTER} if status == 503 else {})


class PrebuiltResponse(Response):
    """A response whose body and headers are already bytes, so that nothing is encoded per request."""

    def __init__(self, status_code: int, raw_headers: RawHeaders, body: bytes = b"") -> None:
        self.status_code, self.raw_headers, self.body, self.background = status_code, raw_headers, body, None


def respond(document: Document, request: Request) -> Response:
    """The response to a GET or HEAD request: the document, or 304 if the browser has it.

    A page of an error of ours is not compressed, because each has the reference of its request.
    """
    if document.status >= 500:
        return _with_reference(document, request)
    headers = request.headers
    return prebuilt(document, request.method, headers.get("accept-encoding", ""), headers.get("if-none-match", ""))


def prebuilt(document: Document, method: str, accepted: str, etags: str) -> PrebuiltResponse:
    """The same by the method, the accepted encodings, and the entity tags that the browser knows."""
    best = next((name for name in accepted_encodings(accepted) if name in document.bodies), "")
    headers = document.headers[best]
    is_current = document.status == 200 and not document.is_stale
    if etags and is_current and (document.etag in etags or etags.strip() == "*"):
        validators = [(name, value) for name, value in headers if name not in (b"content-length", b"content-encoding")]
        return PrebuiltResponse(304, validators)
    return PrebuiltResponse(document.status, headers, b"" if method == "HEAD" else document.bodies[best])


def _with_reference(document: Document, request: Request) -> Response:
    body = document.bodies[""].replace(PLACEHOLDER.encode(), reference().encode())
    headers = [(name, value) for name, value in document.headers[""] if name not in (b"etag", b"content-length")]
    headers += raw_headers({"content-length": str(len(body))})
    return PrebuiltResponse(document.status, headers, b"" if request.method == "HEAD" else body)
