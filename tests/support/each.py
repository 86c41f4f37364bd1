"""One check of many things, which names every failure."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from playwright.sync_api import Error

T = TypeVar("T")


def check_each(things: Iterable[T], check: Callable[[T], object]) -> None:
    """Check each of them, and fail with all that failed; what a browser cannot do is a failure, too."""
    wrong = []
    for thing in things:
        try:
            check(thing)
        except (AssertionError, Error) as error:
            wrong.append(f"{thing}: {error}")
    assert not wrong, "\n".join(wrong)
