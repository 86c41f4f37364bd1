"""Hashes passwords in separate threads, so that a sign-in delays no other request."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ...base.errors import Unavailable
from ...base.threads import PASSWORDS, Overloaded

P = ParamSpec("P")
T = TypeVar("T")


async def in_worker(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a slow call in a thread; raises `Unavailable` if the queue is so long that it would be too late."""
    try:
        return await PASSWORDS.run(call, *args, **kwargs)
    except Overloaded as error:
        raise Unavailable from error
