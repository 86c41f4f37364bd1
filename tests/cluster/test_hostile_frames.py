"""A stranger sends frames that no page sends: the socket ends, and the log holds no word of theirs."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Site, serving
from tests.support.frames import EVENT, UNKNOWN, packet
from tests.support.raw_socket import NOTICE
from tests.support.visitor import Visitor

PRODUCTION = {
    "ENV": "production",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    "SIGN_UP": "closed",
    "BCRYPT_COST": "10",
}


@pytest.fixture(scope="module", params=[{}, PRODUCTION], ids=["local", "production"])
def attacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose log is read."""
    with serving(tmp_path_factory.mktemp("frames") / "data", **request.param) as site:
        yield site


async def is_ended_by(url: str, *frames: str) -> bool:
    """Whether the server ends a socket that sends these."""
    visitor = Visitor(url)
    await visitor.connect()
    for frame in frames:
        await visitor._write(frame)
    assert visitor._listener is not None
    await asyncio.wait([visitor._listener], timeout=60)
    await visitor.close()
    return visitor.lost_at is not None


@pytest.mark.spec("ROLE-4")
def test_unreadable_frames_close_the_socket_and_are_not_logged(attacked: Site) -> None:
    async def run() -> list[str]:
        return [text for text in UNKNOWN if not await is_ended_by(attacked.url, text)]

    before = len(attacked.log)
    assert asyncio.run(run()) == []
    written = attacked.log[before:]
    assert "Ended a socket: a frame that no page of this site sends." in written
    assert "FORGED" not in written
    assert "Traceback" not in written
    assert len(written) < 200 * len(UNKNOWN)


@pytest.mark.spec("ROLE-4")
def test_a_socket_can_join_only_once(attacked: Site) -> None:
    assert asyncio.run(is_ended_by(attacked.url, packet(0, {"event": EVENT})))


@pytest.mark.spec("ROLE-4")
def test_a_flood_of_unknown_events_does_not_fill_the_log(attacked: Site) -> None:
    async def run() -> None:
        for _ in range(2):
            visitor = Visitor(attacked.url)
            await visitor.connect()
            for _ in range(70):
                await visitor.send("no_such_state.no_such_event_FORGED")
            await visitor.send("reflex___state____state.is_nothing")
            await visitor.send(NOTICE, level="success", text="the end")
            await visitor.until("notice_state.notices")  # all before it was handled
            await visitor.close()

    before = len(attacked.log)
    asyncio.run(run())
    written = attacked.log[before:]
    assert "FORGED" not in written
    assert 0 < written.count("Error processing event queue") <= 30
