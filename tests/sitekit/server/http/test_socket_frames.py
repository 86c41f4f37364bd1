"""Which frames of a websocket are a page's own."""

import json

import pytest

from sitekit.server.http.socket_frames import Frame, frame_of
from tests.support.each import check_each
from tests.support.frames import EVENT, UNKNOWN, packet


@pytest.mark.spec("ROLE-4")
def test_frames_sent_by_pages_are_recognised() -> None:
    def check(case: tuple[str, Frame]) -> None:
        text, frame = case
        assert frame_of(text) is frame

    cases: list[tuple[str, Frame]] = [
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
    ]
    check_each(cases, check)


@pytest.mark.spec("ROLE-4")
def test_other_frames_are_not_recognised() -> None:
    def check(text: str) -> None:
        assert frame_of(text) is None

    check_each(UNKNOWN, check)
