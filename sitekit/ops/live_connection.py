"""Opens the WebSocket of the back office at the public address, as the browser of somebody who signs in does."""

from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urljoin, urlunsplit
from uuid import uuid4

from ..base import paths
from ..base.urls import DEFAULT_PORTS, origin_of, split

TIMEOUT = 5
MOST_REDIRECTS = 5
ACCEPTED = 101
_UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "c2l4dGVlbiBieXRlcyBvZg==",
    "Sec-WebSocket-Version": "13",
}
# What python-engineio says; not to an Upgrade, which is answered with a status alone.
_WRONG_ORIGIN = "is not an accepted origin"


class NotReached(Exception):
    """The sign-in page cannot be had from this machine; says why."""


@dataclass(frozen=True)
class ConnectionAttempt:
    """Where the sign-in page is after all redirects, and what its WebSocket was answered with; nothing if accepted."""

    origin: str
    refusal: str
    is_origin_refused: bool


def attempt(public_url: str) -> ConnectionAttempt:
    """Try to open a WebSocket. Raises `NotReached`."""
    origin = _origin_of_sign_in(public_url)
    address = f"{origin}/_event/?EIO=4&transport=websocket&token={uuid4()}"
    try:
        status, _, _ = _get(address, {"Origin": origin} | _UPGRADE)
        text = "" if status == ACCEPTED else _get(address, {"Origin": origin})[2]
    except NotReached as error:
        return ConnectionAttempt(origin, str(error), False)
    return ConnectionAttempt(origin, "" if status == ACCEPTED else f"status {status}", _WRONG_ORIGIN in text)


def _origin_of_sign_in(public_url: str) -> str:
    address = public_url + paths.AUTH
    for _ in range(MOST_REDIRECTS):
        status, location, _ = _get(address, {})
        if not 300 <= status < 400:
            break
        address = urljoin(address, location)
    if status != 200:
        raise NotReached(f"status {status}")
    return origin_of(split(address))


def _get(address: str, headers: dict[str, str]) -> tuple[int, str, str]:
    """The status, the new location and the beginning of the text that a GET is answered with."""
    parts = split(address)
    if parts.scheme not in DEFAULT_PORTS:
        raise NotReached("a redirect to no web address")
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    try:
        with closing(connect(parts.netloc, timeout=TIMEOUT)) as connection:
            connection.request("GET", urlunsplit(("", "", parts.path, parts.query, "")), headers=headers)
            with connection.getresponse() as response:
                text = b"" if response.status == ACCEPTED else response.read(1000)
                return response.status, response.getheader("Location", ""), text.decode("utf-8", "replace")
    except (OSError, HTTPException, ValueError) as error:
        raise NotReached(type(error).__name__) from None
