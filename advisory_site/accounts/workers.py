"""Hashes passwords in threads of their own, so that nobody else waits while one person signs in."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..core.threads import PASSWORDS, Overloaded
from .errors import Unavailable

P = ParamSpec("P")
T = TypeVar("T")


async def in_worker(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a slow call in a thread; `Unavailable` when so many wait that the answer would come too late."""
    try:
        return await PASSWORDS.run(call, *args, **kwargs)
    except Overloaded as error:
        raise Unavailable from error
