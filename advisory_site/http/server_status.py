"""What this server process is doing now: its open sockets, the events it works on, and whether it is stopping."""

import asyncio
from dataclasses import dataclass, field
from typing import Any


@dataclass
class ServerStatus:
    """Written by the middleware that opens sockets and starts events, read by health, metrics and the shutdown."""

    sockets: int = 0
    events: set[asyncio.Task[Any]] = field(default_factory=set)
    is_stopping: bool = False
