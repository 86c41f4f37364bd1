"""A finished page or file as bytes: its encodings, headers and entity tag, ready to be sent any number of times."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from .csp import content_security_policy

Scope = Mapping[str, Any]
Headers = list[tuple[bytes, bytes]]

REVALIDATED = b"no-cache"
NEVER_STORED = b"no-store"
RETRY_AFTER = b"30"
# RFC 9211: answered from our own cache, without asking whether it is still current.
STALE_HEADERS: Headers = [(b"cache-control", NEVER_STORED), (b"cache-status", b"advisory_site; hit; detail=stale")]
# What we like to send, best first, by its name in the header.
ENCODINGS = ("br", "zstd", "gzip")


@dataclass(frozen=True, slots=True)
class Document:
    """One page or file under every encoding; the empty name is how it is without one."""

    status: int
    bodies: Mapping[str, bytes]
    headers: Mapping[str, Headers]
    etag: bytes
    # What the scripts of a page start from, where it is too large to stand in the page.
    state: "Document | None" = None
    is_stale: bool = False

    @property
    def size(self) -> int:
        """The bytes it holds in memory."""
        return sum(map(len, self.bodies.values())) + (self.state.size if self.state else 0)

    @property
    def is_compressed(self) -> bool:
        """Whether there is more of it than the plain body."""
        return len(self.bodies) > 1


def make_document(
    html: str,
    status: int = 200,
    *,
    encoded: Mapping[str, bytes] | None = None,
    cache_control: bytes = REVALIDATED,
    more: Headers | None = None,
) -> Document:
    """A page from its HTML and, where somebody has compressed it already, the compressed bodies."""
    headers: Headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", cache_control),
        (b"vary", b"accept-encoding, cookie"),
        (b"content-security-policy", content_security_policy(html)),
        *(more or []),
    ]
    return _made(html.encode(), encoded or {}, headers, status)


def with_html(page: Document, html: str, encoded: Mapping[str, bytes]) -> Document:
    """The same page with other words in it, but with none in its scripts and styles: its policy stays."""
    shared = [(name, value) for name, value in page.headers[""] if name not in (b"etag", b"content-length")]
    return _made(html.encode(), encoded, shared, page.status)


def as_stale(page: Document) -> Document:
    """The same page, marked as perhaps out of date: nobody stores it or takes it for current."""
    changed = (b"cache-control", b"etag")
    headers = {
        encoding: [(name, value) for name, value in known if name not in changed] + STALE_HEADERS
        for encoding, known in page.headers.items()
    }
    return replace(page, headers=headers, is_stale=True)


def make_file(body: bytes, media: bytes, encoded: Mapping[str, bytes], more: Headers | None = None) -> Document:
    """A file that is no page; without a header that says so, `SecurityHeaders` decides how long it may be kept."""
    headers: Headers = [(b"content-type", media), *(more or [])]
    if encoded:
        headers.append((b"vary", b"accept-encoding"))
    return _made(body, encoded, headers, 200)


def _made(plain: bytes, encoded: Mapping[str, bytes], shared: Headers, status: int) -> Document:
    tag = hashlib.sha256(plain).hexdigest()[:20].encode()
    bodies = {"": plain, **encoded}
    headers = {}
    for name, body in bodies.items():
        own: Headers = [(b"etag", b'W/"' + tag + b'"'), (b"content-length", str(len(body)).encode())]
        if name:
            own.append((b"content-encoding", name.encode()))
        headers[name] = shared + own
    return Document(status, bodies, headers, tag)


@lru_cache(maxsize=256)
def accepted_encodings(header: bytes) -> tuple[str, ...]:
    """Which of our encodings an `Accept-Encoding` header allows, the one we like best first."""
    wanted = {}
    for part in header.decode("latin-1").lower().split(","):
        name, _, parameter = part.partition(";")
        wanted[name.strip()] = parameter.strip().removeprefix("q=").strip("0.") != "" if parameter else True
    anything = wanted.get("*", False)
    return tuple(name for name in ENCODINGS if wanted.get(name, anything))


def robots_headers(status: int) -> Headers:
    """What programs are to make of a page that is not the one asked for: no index entry, and when to ask again."""
    if status == 200:
        return []
    return [(b"x-robots-tag", b"noindex"), *([(b"retry-after", RETRY_AFTER)] if status == 503 else [])]


async def send_document(document: Document, scope: Scope, send: Any) -> None:
    """Answer a GET or HEAD request with it, or with 304 where the browser has it already."""
    encoding = known = b""
    for name, value in scope["headers"]:
        if name == b"accept-encoding":
            encoding = value
        elif name == b"if-none-match":
            known = value
    best = next((name for name in accepted_encodings(encoding) if name in document.bodies), "")
    headers = document.headers[best]
    is_current = document.status == 200 and not document.is_stale
    if known and is_current and (document.etag in known or known.strip() == b"*"):
        kept = [(name, value) for name, value in headers if name not in (b"content-length", b"content-encoding")]
        await send({"type": "http.response.start", "status": 304, "headers": kept})
        await send({"type": "http.response.body", "body": b""})
        return
    body = b"" if scope["method"] == "HEAD" else document.bodies[best]
    await send({"type": "http.response.start", "status": document.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_plain(
    send: Any,
    scope: Scope,
    text: str,
    *,
    status: int = 200,
    headers: Headers | None = None,
    media: bytes = b"text/plain; charset=utf-8",
) -> None:
    """A short answer that is not a page."""
    body = text.encode()
    all_headers = [(b"content-type", media), (b"content-length", str(len(body)).encode()), *(headers or [])]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
