"""Ports for the servers of tests."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from random import randrange
from uuid import uuid4

# Below 32,768, from where on Linux takes the ports of outgoing connections.
FIRST, BLOCK, BLOCKS = 20_000, 400, 30


def _block() -> Iterator[int]:
    """The ports of this test process, from a random one on: the block of another run may be the same."""
    run = int(os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex, 16)
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    start, offset = FIRST + (run + worker) % BLOCKS * BLOCK, randrange(BLOCK)
    for number in range(BLOCK):
        yield start + (offset + number) % BLOCK


_ports = _block()


def free_port() -> int:
    """A port that nobody listens on, and that this process gives out once; raises `StopIteration` after 400."""
    while True:
        port = next(_ports)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
