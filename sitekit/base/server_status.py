"""The status of this server process: open sockets, running events, whether it is stopping."""

import asyncio
from dataclasses import dataclass, field
from typing import Any


@dataclass
class ServerStatus:
    """Written by the middleware that handles sockets and events; read by health, metrics and the shutdown."""

    sockets: int = 0
    events: set[asyncio.Task[Any]] = field(default_factory=set)
    is_stopping: bool = False
