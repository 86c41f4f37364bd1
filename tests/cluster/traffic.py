"""Visitors at work while something breaks: pages asked for, enquiries sent, and what became of each."""

import asyncio
import contextlib
import itertools
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import psycopg

from tests.support.visitor import Gone, Visitor

SEND = "reflex___state____state.advisory_site___enquiries___contact___state____contact_state.send"
_addresses = (f"198.{18 + third // 256}.{third % 256}.{last}" for third in range(512) for last in range(1, 255))
_numbers = itertools.count(1)
# Pages, each with a record or a word that it has to show.
PAGES = {"/": "Adeline Koh", "/companies": "Treacle", "/contact": "Adeline Koh", "/advisors": "Farah Nabila"}
READERS = 3


class Reply(NamedTuple):
    """A reply; header names are in lower case."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Seen:
    """What visitors have seen: enquiries they were thanked for, and when a page was an error or did not come."""

    thanked: list[str] = field(default_factory=list)
    pages: int = 0
    troubles: list[tuple[float, str]] = field(default_factory=list)
    broken_at: float = 0.0


def stored(database_url: str) -> dict[str, int]:
    """How often each enquiry is in a PostgreSQL database."""
    with psycopg.connect(database_url) as connection:
        return dict(connection.execute("SELECT message, count(*) FROM enquiries GROUP BY message").fetchall())


async def page(url: str) -> int:
    """The status of a page that came whole; 0 when it did not."""
    return (await ask(url)).status


async def ask(url: str, form: dict[str, str] | None = None, address: str = "", seconds: float = 60.0) -> Reply:
    """The reply to a request, a POST if there is a form, with status 0 if it did not come whole."""
    parts = urlsplit(url)
    body = urlencode(form).encode() if form else b""
    lines = [f"{'POST' if form else 'GET'} {parts.path or '/'} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
    if form:
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
    if address:
        lines.append(f"X-Forwarded-For: {address}")
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            try:
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
                return Reply(int(head[0].split()[1]), fields, (await _body(reader, fields)).decode())
            finally:
                writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError, IndexError):
        return Reply(0, {}, "")


async def _body(reader: asyncio.StreamReader, fields: dict[str, str]) -> bytes:
    """The body, which the proxy sends in chunks; raises `IncompleteReadError` if it ends early."""
    if fields.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(fields.get("content-length", 0)))
    body = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    return body


async def browse(url: str, seen: Seen) -> None:
    """Ask for page after page."""
    for path, record in itertools.cycle(PAGES.items()):
        asked_at = time.monotonic()
        reply = await ask(url + path)
        if reply.status == 200 and record in reply.text:
            seen.pages += 1
        else:
            seen.troubles.append((asked_at, f"{path}: {reply.status}"))
        await asyncio.sleep(0.02)


async def enquire(url: str, seen: Seen) -> None:
    """Send enquiry after enquiry, each by a visitor of its own, and again until it is thanked for."""
    while True:
        message = f"Enquiry {next(_numbers)}"
        await send_until_thanked(Visitor(url, next(_addresses), path="/contact"), message)
        seen.thanked.append(message)


async def send_until_thanked(visitor: Visitor, message: str, patience: float = 3) -> None:
    """What a patient person does: the button again, on the same form."""
    form = secrets.token_hex(16)
    filled = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com", "message": message}
    while True:
        with contextlib.suppress(Gone, TimeoutError):
            await visitor.connect()
            await visitor.send(SEND, "/contact", form_data=filled | {"submission": form})
            await visitor.until("contact_state.times_sent", 1, seconds=patience)
            await visitor.close()
            return
        with contextlib.suppress(Gone):
            await visitor.close()
        await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def traffic(url: str, senders: int = 3) -> AsyncIterator[Seen]:
    """Visitors who browse and write, until the block ends; those in the middle of a word finish it."""
    seen = Seen()
    for path in PAGES:
        # By each backend: a page that it has never read cannot be shown while the database is away.
        for _ in range(4):
            await ask(url + path)
    tasks = [asyncio.create_task(browse(url, seen)) for _ in range(READERS)]
    tasks += [asyncio.create_task(enquire(url, seen)) for _ in range(senders)]
    try:
        await asyncio.sleep(1)
        yield seen
        await asyncio.sleep(1)
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    failed = [result for result in results if not isinstance(result, asyncio.CancelledError)]
    assert failed == []
