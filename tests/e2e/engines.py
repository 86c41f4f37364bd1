"""WebKit and Firefox as Debian builds them, which Playwright cannot drive: a tab of each, by commands of WebDriver.

WebKit's driver takes them over HTTP (https://www.w3.org/TR/webdriver2/). Firefox takes them over a socket (Marionette);
for HTTP it needs geckodriver, which Debian lacks. Run as a program, this installs both engines.
"""

import json
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

from tests.e2e.conftest import Site, _end
from tests.install_services import install
from tests.support.fetch import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_for

Send = Callable[..., Any]
CONTROL = "\ue009"
SECONDS = 90  # the longest that a command may take
WAIT = 30  # less than a server may hang, which ends itself after a minute in which a test has frozen it
# Of WebKit: root cannot have a sandbox, nor the screen a graphics card.
VARIABLES = ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "WEBKIT_DISABLE_COMPOSITING_MODE", "LIBGL_ALWAYS_SOFTWARE"]
PATHS = {
    "NewSession": "",
    "Navigate": "/url",
    "Back": "/back",
    "ExecuteScript": "/execute/sync",
    "ElementClick": "/element/{id}/click",
    "ElementSendKeys": "/element/{id}/value",
}
# Runs before each script; what goes wrong before the first one is not noted. The storage outlives the page.
LISTEN = """for (const type of window.listens ? [] : ["error", "unhandledrejection", "securitypolicyviolation"])
    window.addEventListener(type, ({ message, reason, blockedURI, target }) => {
        sessionStorage.faults = [sessionStorage.faults, type, message ?? reason ?? blockedURI ?? target.outerHTML];
    }, true);
window.listens = true;"""
SHOWN = "[location.href, document.activeElement.outerHTML, document.body.innerText].join('\\n')"


@contextmanager
def running(home: Path, port: int, *command: str) -> Iterator[socket.socket]:
    """Run a program until the block ends, with a connection to its port; end it with all that it has started."""
    variables = os.environ | dict.fromkeys(("HOME", "TMPDIR"), str(home)) | dict.fromkeys(VARIABLES, "1")
    process = Popen(command, env=variables, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
    try:
        with socket.socket() as connection:
            wait_for(lambda: connection.connect_ex(("127.0.0.1", port)) == 0, f"{command[0]} starts")
            connection.settimeout(SECONDS)
            yield connection
    finally:
        _end(process)


@contextmanager
def webkit(folder: Path) -> Iterator[Send]:
    """MiniBrowser of WebKitGTK, on a screen without a monitor."""
    session = f"http://127.0.0.1:{(port := free_port())}/session"
    browser = {"binary": str(next(Path("/usr/lib").glob("*/webkit*/MiniBrowser"))), "args": ["--automation"]}

    def send(command: str, **body: Any) -> Any:
        reply = fetch(session + PATHS[command].format_map(body), json.dumps(body).encode(), SECONDS)
        if reply.status != 200:
            raise RuntimeError(reply.text)
        return json.loads(reply.text)["value"]

    with running(folder, port, "xvfb-run", "--auto-servernum", "WebKitWebDriver", f"--port={port}"):
        opened = send("NewSession", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": browser}})
        session += f"/{opened['sessionId']}"
        yield send


@contextmanager
def firefox(folder: Path) -> Iterator[Send]:
    """Firefox without a window."""
    (folder / "user.js").write_text(f'user_pref("marionette.port", {(port := free_port())});\n')
    command = ("firefox-esr", "--headless", "--marionette", "--profile", str(folder))
    with running(folder, port, *command) as connection, connection.makefile("rwb") as stream:

        def read() -> Any:
            length = b"".join(iter(lambda: stream.read(1), b":"))
            return json.loads(stream.read(int(length)))

        def send(command: str, **body: Any) -> Any:
            message = json.dumps([0, 1, f"WebDriver:{command}", body]).encode()
            stream.write(b"%d:%b" % (len(message), message))
            stream.flush()
            _, _, error, result = read()
            if error:
                raise RuntimeError(error)
            return result.get("value")

        read()  # its greeting
        send("NewSession")
        yield send


# The programs that each needs, by Debian's packages.
ENGINES = {
    webkit: {"webkit2gtk-driver": "WebKitWebDriver", "xvfb": "xvfb-run", "xauth": "xauth"},
    firefox: {"firefox-esr": "firefox-esr"},
}


def installed() -> list[Callable[..., Any]]:
    """The engines that have all their programs."""
    return [engine for engine, programs in ENGINES.items() if all(map(shutil.which, programs.values()))]


class Tab:
    """The tab of a browser with an empty profile, for the pages of one site."""

    def __init__(self, send: Send, site: Site) -> None:
        self.send, self.site = send, site

    def evaluate(self, expression: str) -> Any:
        """The value of an expression; raises `RuntimeError`, also while a page replaces another."""
        return self.send("ExecuteScript", script=f"{LISTEN} return {expression}", args=[])

    def wait(self, expression: str) -> Any:
        """Wait until an expression is true, on this page or the next, and return its value."""

        def value() -> Any:
            with suppress(RuntimeError):
                return self.evaluate(expression)

        try:
            return wait_for(value, expression, WAIT)
        except AssertionError as error:
            raise AssertionError(f"{error}, but: {self.evaluate(SHOWN)}") from None

    def go(self, path: str) -> None:
        """Open a path, and wait until its page is loaded."""
        self.send("Navigate", url=self.site.url + path)

    def find(self, css: str, text: str = "", condition: str = "one.checkVisibility() && !one.disabled") -> str:
        """Wait for an element that is visible and enabled, or as another condition says; returns its id."""
        matches = f"one => {condition} && one.textContent.includes({json.dumps(text)})"
        [element_id] = self.wait(f"[...document.querySelectorAll({json.dumps(css)})].find({matches})").values()
        return str(element_id)

    def press(self, css: str) -> None:
        """Press the mouse in the middle of an element."""
        self.send("ElementClick", id=self.find(css))

    def type(self, css: str, keys: str, **options: str) -> None:
        """Press keys in a field, or choose a file."""
        self.send("ElementSendKeys", id=self.find(css, **options), text=keys)


if __name__ == "__main__":
    for engine, packages in ENGINES.items():
        if engine not in installed():
            install([*packages])
        if engine not in installed():
            print(f"No tests in {engine.__name__}: Debian's {', '.join(packages)} could not be installed.")
