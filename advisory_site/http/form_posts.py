"""A form sent without scripts: read with limits, and only from our own pages."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Vars = dict[str, dict[str, Any]]

MOST_BYTES = 64 * 1024
MOST_FIELDS = 50
_KIND = b"application/x-www-form-urlencoded"


class FormRejected(Exception):
    """The form is not read; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class FormRequest:
    """What a browser has sent, and from where."""

    fields: dict[str, str]
    client_address: str


@dataclass(frozen=True, slots=True)
class FormResponse:
    """The page that answers a form is the form's own, with these vars."""

    status: int
    vars: Vars = field(default_factory=dict)


Form = Callable[[FormRequest], Awaitable[FormResponse]]


async def read_form(scope: Mapping[str, Any], receive: Any, trusted_proxies: int) -> FormRequest:
    """The fields of a request's form; raises `FormRejected`: 403 from another site, 413 too long, 415 not a form."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    if not is_from_this_site(headers):
        raise FormRejected(403)
    if headers.get(b"content-type", b"").split(b";")[0].strip().lower() != _KIND:
        raise FormRejected(415)
    body = b""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise FormRejected(400)
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MOST_BYTES:
            raise FormRejected(413)
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise FormRejected(400) from None
    return FormRequest(dict(pairs), client_address(scope, headers, trusted_proxies))


def is_from_this_site(headers: Mapping[bytes, bytes]) -> bool:
    """Whether the page that holds the form is ours, as the browser itself testifies.

    Every browser of the last years sends one of the two headers with a form, and no page can forge them. What
    sends neither is no browser and carries nobody's cookies: there is nobody to protect.
    """
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is None or urlsplit(origin.decode("latin-1")).netloc == headers.get(b"host", b"").decode("latin-1")


def client_address(scope: Mapping[str, Any], headers: Mapping[bytes, bytes], trusted_proxies: int) -> str:
    """The visitor's address: the connection's, or what the outermost of our own proxies says of it."""
    said = [part.strip() for part in headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",") if part.strip()]
    if trusted_proxies and len(said) >= trusted_proxies:
        return said[-trusted_proxies]
    client = scope.get("client")
    return str(client[0]) if client else ""
