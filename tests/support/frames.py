"""WebSocket frames: as pages send them, and invalid ones."""

import json
from typing import Any

# An event as a page sends it.
EVENT = {
    "name": "reflex___state____state.x",
    "payload": {"a": [1]},
    "router_data": {"pathname": "/", "asPath": "/?q=é"},
}


def packet(kind: int, content: Any) -> str:
    """A packet of Socket.IO on the websocket of events: 0 connects, 2 is an event."""
    return f"4{kind}/_event,{json.dumps(content)}"


# Frames that no page sends.
UNKNOWN = [
    "",
    "2",
    "4",
    "49",
    "zzz",
    "b64",
    "42/_event,",
    "42/_event,[",
    "42/_event,[]",
    "42/_event,{}",
    "42/_event,7",
    "42/other,[]",
    "42/_event,-7" + json.dumps(["event", EVENT]),
    "42/_event,1234567890" + json.dumps(["event", EVENT]),
    "40/_event,7" + json.dumps({"event": EVENT}),
    "40/_event,[",
    "41/_event,[1]",
    '451-/_event,["event",{"_placeholder":true,"num":0}]',
    "42/_event," + "[" * 60_000,
    packet(0, "text"),
    packet(0, {"event": "text"}),
    packet(2, ["event"]),
    packet(2, ["event", "x\n19:00:00 info FORGED \x1b[31m"]),
    packet(2, ["event", ["FORGED"]]),
    packet(2, ["event", EVENT, "more"]),
    packet(2, ["other", EVENT]),
    packet(2, ["client_error", "text"]),
    packet(2, ["event", EVENT | {"name": ["FORGED"]}]),
    packet(2, ["event", EVENT | {"payload": 3}]),
    packet(2, ["event", EVENT | {"router_data": "FORGED"}]),
    packet(2, ["event", EVENT | {"router_data": {"pathname": {"FORGED": 1}}}]),
    packet(2, ["event", EVENT | {"router_data": {"query": ["FORGED"]}}]),
    packet(2, ["event", EVENT | {"router_data": {"asPath": "x" * 20_000}}]),
    packet(2, ["event", {"name": "x"}]),
    packet(3, []),
    packet(4, {"FORGED": 1}),
]
