"""Claims the site's port before anything else starts, or exits with the reason."""

import errno
import socket
import sys
from contextlib import ExitStack

from ..base.site import get_site

_REASONS = {
    errno.EADDRINUSE: "Port {port} is taken by another program or by this site; choose another with '--port'.",
    errno.EACCES: "Only root may use port {port}; choose one from 1024 on with '--port'.",
    errno.EADDRNOTAVAIL: "{host} is not an address of this machine; choose another with '--host'.",
}


def claim(host: str, port: int) -> socket.socket | None:
    """Make sure that no other server has the port; raises `SystemExit` with the reason.

    The server sets SO_REUSEPORT, so a second site could share its port, and requests would be divided between two
    databases. While the returned socket is open, also after `execve`, a second site cannot claim the port. Returns None
    on systems other than Linux.
    """
    with ExitStack() as on_refusal:
        lock = _hold_name(port, on_refusal)
        try:
            family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind, protocol) as probe:
                # Ignore connections in TIME_WAIT of a server that has just ended.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except socket.gaierror:
            raise SystemExit(_REASONS[errno.EADDRNOTAVAIL].format(host=host)) from None
        except OSError as error:
            reason = _REASONS.get(error.errno or 0, f"Port {{port}} cannot be used: {error.strerror}.")
            raise SystemExit(reason.format(host=host, port=port)) from None
        on_refusal.pop_all()
    return lock


def _hold_name(port: int, on_refusal: ExitStack) -> socket.socket | None:
    """Bind an abstract Unix socket: only one process can, and the system frees it when the process ends."""
    if sys.platform != "linux":
        return None
    lock = on_refusal.enter_context(socket.socket(socket.AF_UNIX))
    try:
        lock.bind(f"\0{get_site().package}:{port}")
    except OSError:
        raise SystemExit(_REASONS[errno.EADDRINUSE].format(port=port)) from None
    lock.set_inheritable(True)
    return lock
