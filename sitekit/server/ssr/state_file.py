"""The state of a rendered page as JSON: in the page if it is small, else in a separate file.

Only the page's scripts need it, and for most visitors they never start. The address of the file contains a hash of
its content, so that the scripts always get the state that the HTML was rendered from.
"""

import json

from ..framework.on_load import Vars
from ..http.responses import REVALIDATED, Document, make_file
from .renderer import Compress

PREFIX = "/page-state/"
# In bytes; below this a separate request would cost more.
INLINE_LIMIT = 1024


def state_json(vars: Vars) -> str:
    """The vars as JSON that is safe in a script element: every '<' is escaped."""
    return json.dumps(vars, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


async def make_state_file(vars: Vars, compress: Compress) -> Document | None:
    """The file for vars that are too large for the page, else None. Raises what `compress` raises."""
    text = state_json(vars)
    if len(text) <= INLINE_LIMIT:
        return None
    headers = {"cache-control": REVALIDATED, "x-robots-tag": "noindex"}
    return make_file(text.encode(), "application/json", await compress(text), headers)


def state_address(file: Document, page: str) -> str:
    """The address of the state file of the page at this path."""
    return f"{PREFIX}{file.etag}{page}"


def requested_state(path: str) -> tuple[str, str] | None:
    """The hash and the page's path in the address of a state file; None for other addresses."""
    if not path.startswith(PREFIX):
        return None
    tag, slash, page = path.removeprefix(PREFIX).partition("/")
    return tag, slash + page
