"""The clock of a page that a test moves."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page


def pause_clock(page: Page) -> None:
    """Stop the clock of a page: from now on only `page.clock.run_for` and `fast_forward` move it.

    After `clock.install` alone it would go on. What is scheduled by timers and animation frames waits too.
    """
    now = datetime.now(UTC)
    # From an earlier time, because a clock can only be stopped ahead of its own.
    page.clock.install(time=now - timedelta(minutes=1))
    page.clock.pause_at(now)
