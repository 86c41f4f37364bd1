"""The frames that a page of this site sends over its websocket: anything else ends the socket, unread.

Engine.IO and Socket.IO log a traceback, with what was sent, for each frame that they cannot read.
"""

import json
import re
from enum import Enum
from typing import Any

# Where a page is, as it says with each event. It is kept in the state of the tab.
MAX_ROUTER_DATA = 16 * 1024
_PACKET = re.compile(r"4([012])/_event(?:,(.*))?", re.DOTALL)


class Frame(Enum):
    """What a frame is for. A page joins once, with its first event, and then sends events."""

    PONG = "3"
    CLOSE = "1"
    JOIN = "40"
    LEAVE = "41"
    EVENT = "42"


def frame_of(text: str) -> Frame | None:
    """What a text frame is for; None when no page of this site sends such a frame."""
    if text in (Frame.PONG.value, Frame.CLOSE.value):
        return Frame(text)
    packet = _PACKET.fullmatch(text)
    if packet is None:
        return None
    frame, content = Frame(f"4{packet[1]}"), packet[2]
    if not content:
        return frame if frame is not Frame.EVENT else None
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return frame if _fits(frame, sent) else None


def _fits(frame: Frame, sent: Any) -> bool:
    match frame, sent:
        case Frame.JOIN, {"event": event}:
            return _is_event(event)
        case Frame.JOIN, dict():
            return True
        case Frame.EVENT, ["event", event]:
            return _is_event(event)
        case Frame.EVENT, ["client_error", dict()]:
            return True
        case _:
            return False


def _is_event(event: Any) -> bool:
    """Whether this is an event as Reflex reads it, whichever handler it names."""
    match event:
        case {"name": str(), "router_data": dict() as router}:
            path, query = router.get("pathname", ""), router.get("query", {})
            is_short = len(json.dumps(router)) <= MAX_ROUTER_DATA
            # An event of a component of our own, without arguments, comes without a payload.
            kinds = ((path, str), (query, dict), (event.get("payload", {}), dict))
            return is_short and all(isinstance(value, kind) for value, kind in kinds)
        case _:
            return False
