"""Pages as programs get them, without a browser."""

import re
import urllib.error
import urllib.request
from html import unescape
from html.parser import HTMLParser

from tests.e2e.conftest import Site


def read(site: Site, path: str) -> str:
    """The raw HTML, as a program gets it."""
    with urllib.request.urlopen(site.url + path, timeout=60) as answer:
        return unescape(answer.read().decode())


def status(site: Site, path: str) -> int:
    """The status of a page."""
    try:
        with urllib.request.urlopen(site.url + path, timeout=60) as answer:
            code: int = answer.status
            return code
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


class Words(HTMLParser):
    """The words of a page in one line, in their order.

    A heading begins with `# `. A link is `[words](address)`, with its target and relation if it has them, and begins
    with `> ` if it leads to the page itself. A control of a form is `{name}` or `{name required}`, a choice `{value}`.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._addresses: list[str] = []
        self._is_skipped = False
        self.feed(html.partition("</head>")[2])

    def __str__(self) -> str:
        return re.sub(r"(?<=\[) | (?=\])", "", " ".join("".join(self._parts).split()))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name.lower(): value or "" for name, value in attrs}
        self._is_skipped = tag in ("script", "style")
        if re.fullmatch("h[1-6]", tag):
            self._parts.append(" # ")
        elif tag == "a":
            self._addresses.append(" ".join(found[name] for name in ("href", "target", "rel") if name in found))
            self._parts.append(" > [" if "aria-current" in found else " [")
        elif tag in ("input", "select", "textarea", "option"):
            name = found.get("name", found.get("value", ""))
            self._parts.append(f" {{{name}{' required' * ('required' in found)}}} ")
        elif tag != "wbr":
            self._parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._is_skipped = False
        self._parts.append(f"]({self._addresses.pop()}) " if tag == "a" else " " * (tag != "wbr"))

    def handle_data(self, data: str) -> None:
        if not self._is_skipped:
            self._parts.append(data)
