"""Recognises the frames that pages of this site send over the WebSocket; for any other the socket is closed.

Engine.IO and Socket.IO log a traceback with the content for each frame that they cannot parse.
"""

import json
import re
from enum import Enum, auto
from typing import Any

# The page's location, sent with each event and kept in the state of the tab.
MAX_ROUTER_DATA = 16 * 1024
_PACKET = re.compile(r"4([012])/_event(?:,(.*))?", re.DOTALL)
# The acknowledgement id before an event.
_NUMBER = re.compile(r"\d{1,9}(?=\[)")


class Frame(Enum):
    """The kinds of frames. A page joins the namespace once, usually with its first event, and then sends events."""

    PONG = auto()
    CLOSE = auto()
    JOIN = auto()
    JOIN_WITH_EVENT = auto()
    LEAVE = auto()
    EVENT = auto()


def frame_of(text: str) -> Frame | None:
    """The kind of a text frame; None if no page of this site sends such a frame."""
    packet = _PACKET.fullmatch(text)
    if packet is None:
        return {"3": Frame.PONG, "1": Frame.CLOSE}.get(text)
    kind, content = packet.groups()
    if not content:
        return {"0": Frame.JOIN, "1": Frame.LEAVE}.get(kind)
    if kind == "2":
        content = _NUMBER.sub("", content, count=1) if _NUMBER.match(content) else content
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        return None
    match kind, sent:
        case "0", {"event": event}:
            return Frame.JOIN_WITH_EVENT if _is_event(event) else None
        case "0", dict():
            return Frame.JOIN
        case "2", ["event", event]:
            return Frame.EVENT if _is_event(event) else None
        case "2", ["client_error", dict()]:
            return Frame.EVENT
        case _:
            return None


def _is_event(event: Any) -> bool:
    """Whether this is an event in Reflex's format, for any handler."""
    match event:
        case {"name": str(), "router_data": dict() as router}:
            path, query = router.get("pathname", ""), router.get("query", {})
            is_short = len(json.dumps(router)) <= MAX_ROUTER_DATA
            # Events without arguments that our own components send have no payload.
            kinds = ((path, str), (query, dict), (event.get("payload", {}), dict))
            return is_short and all(isinstance(value, kind) for value, kind in kinds)
        case _:
            return False
