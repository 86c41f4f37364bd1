"""Pages as programs get them, without a browser."""

import urllib.error
import urllib.request
from html import unescape

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
