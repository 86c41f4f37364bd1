"""A slow network as a TCP proxy, because a browser's own throttling does not affect WebSocket frames."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PIECE = 2_000


@dataclass
class Line:
    """The round-trip time in seconds and the bandwidth in bits per second; may change at any time."""

    rtt: float = 0.0
    bits_per_second: float = 1e12


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: Line) -> None:
    """Forward bytes with half the round-trip time as delay, and at most at the bandwidth."""
    delay, rate = line.rtt / 2, line.bits_per_second / 8
    pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def deliver() -> None:
        free_at = 0.0
        while True:
            sent_at, piece = await pieces.get()
            free_at = max(free_at, sent_at) + len(piece) / rate
            await asyncio.sleep(max(0.0, free_at + delay - time.monotonic()))
            if not piece:
                writer.close()
                return
            writer.write(piece)

    delivering = asyncio.create_task(deliver())
    try:
        while piece := await reader.read(PIECE):
            pieces.put_nowait((time.monotonic(), piece))
    except OSError:
        pass
    pieces.put_nowait((time.monotonic(), b""))
    await delivering


@contextmanager
def open_line(target: int, line: Line) -> Iterator[int]:
    """Open a port that forwards to the target port over such a line; connections open one round trip late."""
    loop = asyncio.new_event_loop()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(line.rtt)  # stands for the TCP handshake, which the proxy answers at once
        there, back = await asyncio.open_connection("127.0.0.1", target)
        await asyncio.gather(_carry(reader, back, line), _carry(there, writer, line))

    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield server.sockets[0].getsockname()[1]
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
