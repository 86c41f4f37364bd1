"""One HTTP request to a running server: status, headers and text, whatever the status."""

import urllib.error
import urllib.request
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """What a program gets; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    text: str


def fetch(url: str, data: bytes | None = None, seconds: float = 30, **headers: str) -> Answer:
    """Ask once, by POST where there is data. Raises `OSError` where nobody answers in time."""
    request = urllib.request.Request(url, data, headers)
    try:
        reply = urllib.request.urlopen(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        found = {name.lower(): value for name, value in reply.headers.items()}
        return Answer(reply.status, found, reply.read().decode())
