"""The state of a rendered page as JSON: inside the page while it is small, else a file beside it.

Only scripts that wake need it, and few visitors wake them. The address of the file holds a hash of its content, so
scripts never get another state than the one in the HTML they take over.
"""

import json

from ..framework.on_load import Vars
from ..http.responses import REVALIDATED, Document, make_file
from .renderer import Compress

PREFIX = "/page-state/"
# Up to here a request of its own would cost more than the bytes.
INLINE_LIMIT = 1024


def state_json(vars: Vars) -> str:
    """The vars as text that can stand inside a script element: every '<' is written as its code."""
    return json.dumps(vars, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


async def make_state_file(vars: Vars, compress: Compress) -> Document | None:
    """The file for vars too large for the page; None for others. Raises what `compress` raises."""
    text = state_json(vars)
    if len(text) <= INLINE_LIMIT:
        return None
    headers = {"cache-control": REVALIDATED, "x-robots-tag": "noindex"}
    return make_file(text.encode(), "application/json", await compress(text), headers)


def state_address(file: Document, page: str) -> str:
    """Where the file of the page at this path is found."""
    return f"{PREFIX}{file.etag}{page}"


def requested_state(path: str) -> tuple[str, str] | None:
    """The hash and the page's path that a state file's address names; None for other addresses."""
    if not path.startswith(PREFIX):
        return None
    tag, slash, page = path.removeprefix(PREFIX).partition("/")
    return tag, slash + page
