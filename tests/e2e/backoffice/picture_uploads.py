"""What staff do with the field of a picture, and stand-ins for the endpoint that takes it."""

import base64
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import FilePayload, Locator, Page, Request, Route

from sitekit.base import paths

UPLOAD = f"**{paths.ADMIN_UPLOAD}"
ADDRESS = f"/media/{'ea' * 16}-960.jpg"
OTHER = ADDRESS.replace("ea", "eb")
DONE = json.dumps({"address": ADDRESS})
FILE = re.compile(r"/media/[0-9a-f]{32}-\d+\.(jpg|webp)$")
ADDED = "Uploaded. Save to publish it."
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PHOTO: FilePayload = {"name": "Mei Lin – portrait.jpg", "mimeType": "image/jpeg", "buffer": b"p" * 2000}

# With the text of the clipboard, the name, type and size of the file, and the event that brings it.
BRING = """(target, [event, name, type, text, size]) => {
    const brought = new DataTransfer();
    const content = new Uint8Array(size).map((_, place) => place);
    if (name) brought.items.add(new File([content], name, { type }));
    if (text) brought.setData("text/plain", text);
    const options = { bubbles: true, cancelable: true };
    const sent = event === "paste"
        ? new ClipboardEvent("paste", { ...options, clipboardData: brought })
        : new DragEvent(event, { ...options, dataTransfer: brought });
    return !target.dispatchEvent(sent);
}"""


def address(page: Page, name: str) -> Locator:
    """The address in the field of this name."""
    return page.locator(f"input[name='{name}']")


def field(page: Page, name: str) -> Locator:
    """The whole field of this name."""
    return page.locator(".backoffice-field").filter(has=address(page, name))


def button(page: Page, name: str, text: str = "Choose a picture") -> Locator:
    """A button of the field of this name."""
    return field(page, name).get_by_role("button", name=text)


def choose(page: Page, name: str, *files: FilePayload) -> None:
    """Choose a file, as in the dialog of the browser."""
    with page.expect_file_chooser() as opened:
        button(page, name).click()
    opened.value.set_files(list(files or [PHOTO]))


def bring(
    target: Locator, event: str, name: str = "mei.png", kind: str = "image/png", text: str = "", size: int = 2_000
) -> bool:
    """Drop or paste a file, a text, or both; whether the page took it."""
    return bool(target.evaluate(BRING, [event, name, kind, text, size]))


class Endpoint:
    """Responds to a page's uploads with `reply`; without one they wait, each for a call of `respond`."""

    def __init__(self, page: Page, status: int | None = 200, body: str = DONE) -> None:
        self.reply = None if status is None else (status, body)
        self.requests: list[Request] = []
        self._held: list[Route] = []
        self._due: list[tuple[int, str]] = []
        page.route(UPLOAD, self._received)
        page.route(FILE, lambda route: route.fulfill(body=PIXEL))

    @property
    def tokens(self) -> list[str]:
        return [one.headers["authorization"] for one in self.requests]

    def answer_with(self, address: str) -> None:
        """Respond from now on with this address."""
        self.reply = (200, json.dumps({"address": address}))

    def respond(self, status: int = 200, body: str = DONE) -> None:
        """Respond to the upload that has waited longest, or to the next one; with status 0 the connection breaks."""
        self._due.append((status, body))
        self._settle()

    def _received(self, route: Route) -> None:
        self.requests.append(route.request)
        self._held.append(route)
        if self.reply:
            self._due.append(self.reply)
        self._settle()

    def _settle(self) -> None:
        while self._held and self._due:
            route, (status, body) = self._held.pop(0), self._due.pop(0)
            if status:
                route.fulfill(status=status, body=body)
            else:
                route.abort("connectionreset")


class SlowServer:
    """Reads a part of what it is sent, and the rest when it may go on; then responds with an address."""

    def __init__(self, first: int) -> None:
        self.may_go_on = threading.Event()
        self.bodies: list[bytes] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                begun = self.rfile.read(min(first, size))
                server.may_go_on.wait(30)
                server.bodies.append(begun + self.rfile.read(size - len(begun)))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(DONE.encode())

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Small, so that the system does not take in the whole file before it is read.
        self.http.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        self.url = f"http://127.0.0.1:{self.http.server_port}/"


@contextmanager
def slow_server(page: Page, first: int) -> Iterator[SlowServer]:
    """Send a page's uploads to a server of their own."""
    server = SlowServer(first)
    threading.Thread(target=server.http.serve_forever, daemon=True).start()
    page.route(UPLOAD, lambda route: route.continue_(url=server.url))
    page.route(FILE, lambda route: route.fulfill(body=PIXEL))
    try:
        yield server
    finally:
        server.may_go_on.set()
        server.http.shutdown()
        server.http.server_close()
