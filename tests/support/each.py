"""One check of many things, which names every failure."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def check_each(things: Iterable[T], check: Callable[[T], object]) -> None:
    """Check each of them, and fail with all that failed; any error is a failure, and so is that there are none.

    They share the fixtures of the test, so no check may change what another one finds.
    """
    cases, wrong = list(things), []
    assert cases, "There is nothing to check."
    for thing in cases:
        try:
            check(thing)
        except (Exception, pytest.fail.Exception) as error:
            wrong.append(f"{thing!r:.200}: {error if isinstance(error, AssertionError) else repr(error)}")
    assert not wrong, f"{len(wrong)} of {len(cases)} are wrong:\n" + "\n".join(wrong)
