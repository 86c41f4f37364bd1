"""What visitors held is given back when they have left, and not while the crowd goes on."""

import asyncio
import gc
import math
import weakref
from collections.abc import Iterator

import pytest

from sitekit.base.observability import memory


class Over(Exception):
    """No more looks."""


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Leave the process's garbage collection as it was."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("looks", "tidied_at"),
    [
        ((0, 0, 0), []),
        ((100, 80, 60, 51, 51), []),
        ((100, 100, 50), []),
        ((100, 50, 80, 50), []),
        ((100, 50, 45), [2]),
        ((100, 0, 0, 0, 0), [2]),
        ((100, 40, 40, 30, 20, 20), [2, 5]),
        ((19, 0, 0), []),
    ],
)
def test_memory_is_trimmed_once_half_of_the_clients_have_left(
    looks: tuple[int, ...], tidied_at: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    number = -1
    tidied: list[int] = []

    async def next_look(seconds: float) -> None:
        nonlocal number
        number += 1
        if number == len(looks):
            raise Over

    async def trim() -> None:
        tidied.append(number)

    monkeypatch.setattr(asyncio, "sleep", next_look)
    monkeypatch.setattr(memory, "trim", trim)
    with pytest.raises(Over):
        asyncio.run(memory.trim_memory_task(lambda: looks[number]))
    assert tidied == tidied_at


def test_full_garbage_collections_are_rare() -> None:
    async def begin() -> None:
        task = asyncio.create_task(memory.trim_memory_task(lambda: 0))
        await asyncio.sleep(0)
        task.cancel()
        assert math.prod(gc.get_threshold()) >= 10_000_000

    asyncio.run(begin())


def test_trimming_collects_reference_cycles() -> None:
    class Circle:
        def __init__(self) -> None:
            self.itself = self

    gc.disable()
    try:
        left = weakref.ref(Circle())
        assert left() is not None
        asyncio.run(memory.trim())
        assert left() is None
    finally:
        gc.enable()
