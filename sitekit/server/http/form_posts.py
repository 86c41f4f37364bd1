"""Forms posted without scripts: read with limits, and only from our own pages."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from ...base.urls import split

Vars = dict[str, dict[str, Any]]

# What a WebSocket takes of a visitor, in percent-encoding; also in ui/js/delivery.jsx.
MAX_BYTES = 3 * 64 * 1024
MAX_FIELDS = 50
# In seconds. A whole form is one packet or a few; a body that drips would keep its connection for as long as it likes.
BODY_TIMEOUT = 10.0


class FormRejected(Exception):
    """A form that is refused with `status`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class FormRequest:
    """The fields that a browser has posted, and its address."""

    fields: dict[str, str]
    client_address: str


@dataclass(frozen=True, slots=True)
class FormResponse:
    """The response to a form: its own page with these vars."""

    status: int
    vars: Vars = field(default_factory=dict)


Form = Callable[[FormRequest], Awaitable[FormResponse]]


async def read_form(request: Request, trusted_proxies: int) -> FormRequest:
    """Read the fields of a form; raises `FormRejected`: 403 from another site, 408 too slow, 413 too long, 415 not a
    form, else 400.

    Starlette's `request.form()` does not limit the length of the body.
    """
    if not is_from_this_site(request.headers):
        raise FormRejected(403)
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        raise FormRejected(415)
    body = b""
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise FormRejected(413)
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except TimeoutError:
        raise FormRejected(408) from None
    except (ClientDisconnect, ValueError):
        raise FormRejected(400) from None
    return FormRequest(dict(pairs), client_address(request, trusted_proxies))


def is_from_this_site(headers: Headers) -> bool:
    """Whether the form was posted by a page of this site, by the Sec-Fetch-Site or Origin header.

    Current browsers send one of the two headers with a form, and no page can forge them. A client that sends neither is
    not a browser, so cross-site request forgery is not possible.
    """
    if (site := headers.get("sec-fetch-site")) is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or split(origin).netloc == headers.get("host", "")


def client_address(connection: HTTPConnection, trusted_proxies: int) -> str:
    """The visitor's address: that of the connection, or the one that the outermost trusted proxy has recorded.

    A proxy may add a header of its own to one that the visitor has sent: together they are one list (RFC 9110, 5.3).
    """
    forwarded = [part.strip() for part in ",".join(connection.headers.getlist("x-forwarded-for")).split(",")]
    forwarded = [part for part in forwarded if part]
    if trusted_proxies and len(forwarded) >= trusted_proxies:
        return forwarded[-trusted_proxies]
    return connection.client.host if connection.client else ""
