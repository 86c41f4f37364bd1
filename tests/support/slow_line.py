"""The line between a browser and the site: a TCP forwarder that can be cut, held silent and mended."""

import contextlib
import socket
import threading
from collections.abc import Iterator

from tests.e2e.conftest import free_port

CHUNK = 65536


class Line:
    """Listens on a port of its own and passes bytes on to the site's, both ways."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._target = target
        self._open: set[socket.socket] = set()
        self._flows = threading.Event()
        self._flows.set()
        self._listener: socket.socket | None = None

    def mend(self) -> None:
        """Accept connections, and let bytes flow."""
        self._flows.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Break every connection and refuse new ones, as when the server is gone."""
        listener, self._listener = self._listener, None
        if listener is not None:
            # An accept that waits in another thread keeps the port until it is woken.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def hold(self) -> None:
        """Pass nothing on, and close nothing: a network that has gone without a word."""
        self._flows.clear()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    near.close()
                    continue
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        self._open.add(one)
        with contextlib.suppress(OSError):
            while data := one.recv(CHUNK):
                self._flows.wait()
                other.sendall(data)
        self._open.discard(one)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        one.close()


@contextlib.contextmanager
def line_to(port: int) -> Iterator[Line]:
    """A line to the site at this port, until the block ends."""
    line = Line(port)
    line.mend()
    try:
        yield line
    finally:
        line.mend()
        line.cut()
