"""Waiting in tests for what cannot announce itself."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Page

T = TypeVar("T")

INTERVAL = 0.05  # seconds


def wait_for(question: Callable[[], T], what: str, seconds: float = 30, *, page: "Page | None" = None) -> T:
    """Ask until the answer is true, and return it; fails with `what` after `seconds`.

    Tests with a browser pass its `page`, because Playwright handles events only while it is called.
    """
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        if page is None:
            time.sleep(INTERVAL)
        else:
            page.wait_for_timeout(1000 * INTERVAL)
    return answer
