"""Sends an HTTP request to a running server; returns the response for any status."""

import urllib.error
import urllib.request
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """A response; header names are in lower case."""

    status: int
    headers: dict[str, str]
    text: str


def fetch(url: str, data: bytes | None = None, seconds: float = 30, **headers: str) -> Answer:
    """Send one request, a POST if there is data; underscores in header names stand for hyphens.

    Raises `OSError` if there is no response in time.
    """
    request = urllib.request.Request(url, data, {name.replace("_", "-"): value for name, value in headers.items()})
    try:
        reply = urllib.request.urlopen(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        found = {name.lower(): value for name, value in reply.headers.items()}
        return Answer(reply.status, found, reply.read().decode())
