"""A form sent without scripts: read with limits, and only from our own pages."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection, Request

Vars = dict[str, dict[str, Any]]

MAX_BYTES = 64 * 1024
MAX_FIELDS = 50


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


async def read_form(request: Request, trusted_proxies: int) -> FormRequest:
    """The fields of a form; raises `FormRejected`: 403 from another site, 413 too long, 415 not a form, else 400.

    Starlette's own `request.form()` sets no limit to the length of a body.
    """
    if not is_from_this_site(request.headers):
        raise FormRejected(403)
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise FormRejected(415)
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                raise FormRejected(413)
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except (ClientDisconnect, ValueError):
        raise FormRejected(400) from None
    return FormRequest(dict(pairs), client_address(request, trusted_proxies))


def is_from_this_site(headers: Headers) -> bool:
    """Whether the page that holds the form is ours, as the browser itself testifies.

    Every browser of the last years sends one of the two headers with a form, and no page can forge them. What
    sends neither is no browser and carries nobody's cookies: there is nobody to protect.
    """
    if (site := headers.get("sec-fetch-site")) is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def client_address(connection: HTTPConnection, trusted_proxies: int) -> str:
    """The visitor's address: the connection's, or what the outermost of our own proxies says of it."""
    said = [part.strip() for part in connection.headers.get("x-forwarded-for", "").split(",") if part.strip()]
    if trusted_proxies and len(said) >= trusted_proxies:
        return said[-trusted_proxies]
    return connection.client.host if connection.client else ""
