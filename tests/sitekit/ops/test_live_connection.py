"""`check` opens a live connection as a browser would, and says when nobody could sign in."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sitekit.base.observability.checks import Severity
from sitekit.base.observability.log_format import TAB_TOKEN
from sitekit.base.settings import Settings
from sitekit.ops import check
from tests.support.ports import free_port
from tests.support.running import running

Serve = Callable[..., str]
ITSELF = "itself"


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server that answers as the site, or a proxy before it, does; returns its address."""

    def start(*, accepts: str = ITSELF, passes_upgrade: bool = True, status: int = 200, redirect: str = "") -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_accepted = self.headers.get("Origin") == (address if accepts == ITSELF else accepts)
                if not self.path.startswith("/_event/"):
                    self.reply(302 if redirect else status)
                elif self.headers.get("Upgrade") == "websocket" and passes_upgrade:
                    has_key = "Sec-WebSocket-Key" in self.headers and TAB_TOKEN.search(self.path)
                    self.reply(101 if is_accepted and has_key else 403)
                else:
                    origin = self.headers.get("Origin")
                    self.reply(
                        400, "Invalid websocket upgrade" if is_accepted else f"{origin} is not an accepted origin."
                    )

            def reply(self, status: int, text: str = "") -> None:
                self.send_response(status)
                self.send_header("Location", redirect + self.path)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        server = opened.enter_context(running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)))
        address = f"http://127.0.0.1:{server.server_port}"
        return address

    with ExitStack() as opened:
        yield start


def said(address: str, env: str = "production") -> tuple[Severity, str]:
    environ = {"ENV": env, "SECRET_KEY": "0123456789abcdef" * 2, "SIGN_UP": "closed", "PUBLIC_URL": address}
    settings = Settings.from_environment({f"ADVISORY_{name}": value for name, value in environ.items()})
    (result,) = check.sign_in_results(settings)
    return result.severity, result.text


def test_an_accepted_connection_is_fine(serve: Serve) -> None:
    address = serve()
    assert said(address) == (Severity.FINE, f"{address} opens live connections, which it needs.")


def test_an_address_that_redirects_elsewhere_is_reported_with_the_right_one(serve: Serve) -> None:
    arrived = serve(accepts="http://firm.example")
    address = serve(redirect=arrived)
    severity, text = said(address)
    assert (severity, text) == (
        Severity.WRONG,
        f"nobody can sign in at {arrived}: its live connections are refused, because ADVISORY_PUBLIC_URL is {address},"
        f" which leads there. Set it to {arrived}.",
    )
    assert said(address, "local") == (Severity.NOTE, text)


def test_a_site_that_runs_with_another_address_is_reported(serve: Serve) -> None:
    severity, text = said(serve(accepts="http://firm.example"))
    assert severity is Severity.WRONG
    assert text.endswith("refused, because the site was started with another ADVISORY_PUBLIC_URL. Restart it.")


def test_a_proxy_that_drops_upgrades_is_reported(serve: Serve) -> None:
    severity, text = said(serve(passes_upgrade=False))
    assert severity is Severity.WRONG
    assert text.endswith("answered with status 400. A proxy has to pass on the WebSockets of /_event.")


def test_an_address_that_is_not_reached_is_a_note(serve: Serve) -> None:
    silent, broken = f"http://127.0.0.1:{free_port()}", serve(status=502)
    text = "was not tried, because {0}/auth does not answer here ({1})."
    assert said(silent) == (Severity.NOTE, text.format(silent, "ConnectionRefusedError"))
    assert said(broken) == (Severity.NOTE, text.format(broken, "status 502"))
    lost = f"http://127.0.0.1:{free_port()}"
    assert said(serve(redirect="ftp:"))[1].endswith("(a redirect to no web address).")
    assert said(serve(redirect=lost))[1].endswith("(ConnectionRefusedError).")
