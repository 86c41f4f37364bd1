"""A server on this machine that keeps what programs post to it."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .running import running


class Receiver(ThreadingHTTPServer):
    """The server; `received` has the path and the body of each post."""

    def __init__(self) -> None:
        self.received: list[tuple[str, bytes]] = []
        super().__init__(("127.0.0.1", 0), _Post)


class _Post(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        is_compressed = self.headers.get("content-encoding") == "gzip"
        self.server.received.append((self.path, gzip.decompress(body) if is_compressed else body))
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that runs during the block."""
    with running(Receiver()) as server:
        yield server
