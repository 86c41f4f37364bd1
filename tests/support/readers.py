"""Many readers of the public pages, over one connection."""

import itertools
import re
import socket
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from tests.support.public_pages import PUBLIC

ENCODINGS = ("gzip, deflate, br, zstd", "gzip, deflate, br", "br, gzip", "gzip, br", "gzip")


def readers(number: int, pages: Sequence[str] = PUBLIC) -> list[str]:
    """Requests of browsers that come from search engines and campaigns, with cookies of other programs."""
    browsers = itertools.islice(itertools.cycle(itertools.product(ENCODINGS, pages)), number)
    return [
        f"GET {page}?utm_source=mail&reader={one} HTTP/1.1\r\nHost: firm.example\r\n"
        f"Accept-Encoding: {encodings}\r\nCookie: _ga={one}; backend=abc\r\n\r\n"
        for one, (encodings, page) in enumerate(browsers)
    ]


def statuses(url: str, requests: Sequence[str]) -> Counter[int]:
    """Send requests over one connection, 50 at a time; returns how many responses had each status."""
    found: Counter[int] = Counter()
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), 30) as connection, connection.makefile("rb") as stream:
        for start in range(0, len(requests), 50):
            together = requests[start : start + 50]
            connection.sendall("".join(together).encode())
            for _ in together:
                found[int(stream.readline().split()[1])] += 1
                head = b"".join(iter(stream.readline, b"\r\n")).lower()
                length = re.search(rb"content-length: (\d+)", head)
                assert length, head
                stream.read(int(length[1]))
    return found
