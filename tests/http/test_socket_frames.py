"""Which frames of a websocket are a page's own."""

import json
from typing import Any

import pytest

from advisory_site.http.socket_frames import Frame, frame_of

EVENT = {
    "name": "reflex___state____state.x",
    "payload": {"a": [1]},
    "router_data": {"pathname": "/", "asPath": "/?q=é"},
}


def packet(kind: int, content: Any) -> str:
    return f"4{kind}/_event,{json.dumps(content)}"


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("3", Frame.PONG),
        ("1", Frame.CLOSE),
        ("40/_event,", Frame.JOIN),
        ("41/_event", Frame.LEAVE),
        (packet(0, {}), Frame.JOIN),
        (packet(0, {"event": EVENT, "state_schema": "abc"}), Frame.JOIN_WITH_EVENT),
        (packet(2, ["event", EVENT]), Frame.EVENT),
        (packet(2, ["event", EVENT | {"router_data": {}, "token": "x"}]), Frame.EVENT),
        (packet(2, ["event", {"name": "x", "router_data": {"pathname": "/"}}]), Frame.EVENT),
        ("42/_event,7" + json.dumps(["event", EVENT]), Frame.EVENT),
        (packet(2, ["client_error", {"message": "x"}]), Frame.EVENT),
    ],
)
def test_what_pages_send_is_known(text: str, frame: Frame) -> None:
    assert frame_of(text) is frame


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


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("text", UNKNOWN, ids=lambda text: text[:60])
def test_anything_else_is_not(text: str) -> None:
    assert frame_of(text) is None
