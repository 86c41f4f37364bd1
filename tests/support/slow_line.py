"""A TCP proxy between a browser and the site that can cut and stall connections."""

import contextlib
import socket
import threading
from collections.abc import Iterator

from tests.support.ports import free_port

CHUNK = 65536


class Line:
    """Listens on its own port and forwards bytes in both directions."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._target = target
        self._open: set[socket.socket] = set()
        self._left: int | None = None
        self._flows = threading.Event()
        self._flows.set()
        self._listener: socket.socket | None = None

    def mend(self) -> None:
        """Accept connections and forward bytes."""
        self._flows.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Close all connections and refuse new ones, as if the server were down."""
        listener, self._listener = self._listener, None
        if listener is not None:
            # An `accept` that blocks in another thread keeps the port until it returns.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def cut_after(self, size: int) -> None:
        """Cut once so many more bytes have been forwarded."""
        self._left = size

    def hold(self) -> None:
        """Forward nothing and close nothing, like a network that drops packets."""
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
                if self._left is not None:
                    self._left -= len(data)
                    if self._left < 0:
                        self.cut()
                other.sendall(data)
        self._open.discard(one)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        one.close()


@contextlib.contextmanager
def line_to(port: int) -> Iterator[Line]:
    """Open a proxy to the site at this port."""
    line = Line(port)
    line.mend()
    try:
        yield line
    finally:
        line.mend()
        line.cut()
