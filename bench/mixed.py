"""A mixed load for `bench.load`: readers, enquiries, sign-ins and edits at the same time."""

import asyncio
import sqlite3
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from bench.targets import Target
from tests.cluster.conftest import ADMIN_EMAIL, ADMIN_PASSWORD
from tests.cluster.crowd import quantile
from tests.cluster.traffic import SEND, page
from tests.support.visitor import Gone, Visitor

STATE = "reflex___state____state"
USER = f"{STATE}.sitekit___admin___current_user____current_user"
SIGN_IN = f"{STATE}.sitekit___accounts___sessions___auth_state____auth_page_state.sign_in"
SIGN_OUT = f"{USER}.sitekit___accounts___sessions___session_state____auth_state.sign_out"
FORM = f"{STATE}.advisory_site___companies___admin____company_form_state"
EDIT, EDITED = "/admin/companies/treacle-tech/edit", {"slug": "treacle-tech"}
PAGES = ("/", "/companies", "/companies/treacle-tech", "/advisors", "/contact")


class Hour:
    """The actions, the duration of each, and the number of failures."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.failed: dict[str, int] = defaultdict(int)

    async def timed(self, kind: str, work: Callable[[], Awaitable[object]]) -> None:
        """Run an action and record its duration."""
        started = time.perf_counter()
        try:
            await work()
        except (Gone, TimeoutError, OSError, AssertionError):
            self.failed[kind] += 1
        else:
            self.seconds[kind].append(time.perf_counter() - started)

    async def read(self, number: int) -> None:
        """Get a page."""
        assert await page(self.target.url + PAGES[number % len(PAGES)]) == 200

    async def write(self, number: int) -> None:
        """Open the form, fill it in, send it."""
        visitor = await self._visitor()
        filled = {"firstName": "Ann", "lastName": "Lim", "email": "ann@example.com", "message": f"Hour {number}"}
        await visitor.send(SEND, "/contact", form_data=filled | {"submission": f"hour-{number}"})
        await visitor.until("contact_state.times_sent", 1, seconds=20)
        await visitor.close()

    async def sign_in(self, _number: int) -> Visitor:
        """Sign in with the right password."""
        visitor = await self._visitor()
        await visitor.send(SIGN_IN, "/auth", form_data={"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD})
        await visitor.until("current_user.role", "admin", seconds=20)
        return visitor

    async def edit(self, staff: Visitor, number: int) -> None:
        """Open a company's form, change its tagline, save."""
        for var in ("company_form_state.shown", "notice_state.notices"):
            staff.vars.pop(var, None)
        await staff.send(f"{FORM}.open", EDIT, EDITED)
        await staff.until("company_form_state.shown", EDIT, seconds=20)
        form, entries = staff.vars["company_form_state.form"], staff.vars["company_form_state.entries"]
        typed = {**form["texts"], "record": str(form["id"]), "version": str(form["version"])}
        typed |= {
            f"{group}.{row['key']}.{field}": text
            for group, rows in entries.items()
            for row in rows
            for field, text in row["texts"].items()
        }
        typed["tagline"] = f"Edited {number} times"
        await staff.send(f"{FORM}.save", EDIT, EDITED, form_data=typed)
        notices = await staff.until("notice_state.notices", seconds=20)
        assert notices[-1]["level"] == "success", notices

    async def _visitor(self) -> Visitor:
        visitor = Visitor(self.target.url, self.target.address())
        await visitor.connect(20)
        return visitor


async def mixed(target: Target, visitors: int, seconds: float) -> None:
    """Run all actions at their rates, and print their durations."""
    hour, ended = Hour(target), time.monotonic() + seconds
    tabs = [await hour._visitor() for _ in range(visitors)]
    staff, editing = await hour.sign_in(0), asyncio.Lock()

    async def click(number: int) -> None:
        tab = tabs[number % visitors]
        tab.vars.pop(target.var, None)
        await tab.send(target.event, target.path)
        await tab.until(target.var, seconds=20)

    async def sign_in_and_leave(number: int) -> None:
        # Sign out again, because a user has at most 20 sessions, and the first one is the editor's.
        visitor = await hour.sign_in(number)
        await visitor.send(SIGN_OUT, "/admin")
        await visitor.until("current_user.role", "", seconds=20)
        await visitor.close()

    async def edit(number: int) -> None:
        async with editing:
            await hour.edit(staff, number)

    async def ask(_number: int) -> None:
        assert await page(f"{target.url}/healthz") == 200

    async def take_the_lock(_number: int) -> None:
        await asyncio.to_thread(_take_the_lock, target.database)

    work: dict[str, tuple[float, Callable[[int], Awaitable[object]]]] = {
        "a page": (20, hour.read),
        "an event of an open tab": (visitors / 10, click),
        "an enquiry, connecting included": (5, hour.write),
        "a sign-in": (1, sign_in_and_leave),
        "an edit in the back office": (1, edit),
        "/healthz": (4, ask),
        "the write lock of the database": (4, take_the_lock),
    }
    with target.watched() as busy:
        await asyncio.gather(*(_at_pace(hour, kind, rate, do, ended) for kind, (rate, do) in work.items()))
    print(f"{'':34}{'a second':>9}{'done':>7}{'failed':>8}{'p50':>9}{'p95':>9}")
    for kind, (rate, _) in work.items():
        took = hour.seconds[kind]
        times = f"{quantile(took, 0.5) * 1000:>6.0f} ms{quantile(took, 0.95) * 1000:>6.0f} ms"
        print(f"{kind:34}{rate:>9.0f}{len(took):>7}{hour.failed[kind]:>8}{times}")
    print("busy, of a core: " + ", ".join(f"{name} {share:.0%}" for name, share in busy.items()))
    await asyncio.gather(*(tab.close() for tab in [*tabs, staff]))


async def _at_pace(hour: Hour, kind: str, rate: float, do: Callable[[int], Awaitable[object]], ended: float) -> None:
    """Start an action `rate` times per second, without waiting for earlier ones."""
    begun = time.monotonic()
    async with asyncio.TaskGroup() as group:
        number = 0
        while time.monotonic() < ended:
            number += 1
            group.create_task(hour.timed(kind, lambda number=number: do(number)))  # type: ignore[misc]
            await asyncio.sleep(max(0, begun + number / rate - time.monotonic()))


def _take_the_lock(database: Path) -> None:
    """Take and release the write lock of the database, as another process would."""
    with closing(sqlite3.connect(database, timeout=20, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
