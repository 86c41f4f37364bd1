"""A database that another program keeps locked: readers do not notice, writers are refused early and honestly."""

import contextlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest

from sitekit.base.threads import MOST_BEHIND_A_STALL, MOVING, WRITERS
from tests.e2e.conftest import Site, metrics
from tests.support.fetch import Answer, fetch
from tests.support.waiting import wait_for

POSTS = 40


@contextlib.contextmanager
def locked(site: Site) -> Iterator[None]:
    """Somebody else is in the middle of writing."""
    with contextlib.closing(sqlite3.connect(site.data_dir / "advisory.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def post(site: Site, number: int) -> Answer:
    """Send the contact form, from an address of its own."""
    form = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": f"Hello {number}"}
    return fetch(f"{site.url}/contact", urlencode(form).encode(), 60, **{"X-Forwarded-For": f"192.0.2.{number}"})


def waiting_writers(site: Site) -> int:
    """How many wait for a thread that writes."""
    (found,) = re.findall(r'^advisory_calls_waiting\{pool="writers"\} (\d+)', metrics(site), re.MULTILINE)
    return int(found)


@pytest.mark.spec("CON-4", "DATA-4")
def test_readers_do_not_wait_for_writers_and_blocked_writers_fail_early(own_site: Callable[..., Site]) -> None:
    site = own_site(TRUSTED_PROXIES="1")
    with ThreadPoolExecutor(POSTS) as visitors, locked(site):
        waiting = [visitors.submit(post, site, number) for number in range(POSTS)]
        wait_for(lambda: waiting_writers(site) > 0, "all threads that write are busy")
        # None of these was drawn before.
        assert "Toko Tally" in fetch(f"{site.url}/companies/toko-tally", seconds=60).text
        assert fetch(f"{site.url}/companies/nobody", seconds=60).status == 404
        assert fetch(f"{site.url}/sitemap.xml", seconds=60).status == 200
        ready = fetch(f"{site.url}/readyz", seconds=60)
        assert json.loads(ready.text)["mail"] == "ok", "reading works"
        answers = [task.result() for task in waiting]
    assert {answer.status for answer in answers} == {503}
    assert {int(answer.headers["retry-after"]) > 0 for answer in answers} == {True}
    assert post(site, POSTS + 1).status == 200
    with contextlib.closing(sqlite3.connect(site.data_dir / "advisory.db")) as database:
        assert database.execute("SELECT count(*) FROM enquiries").fetchone() == (1,)


@pytest.mark.spec("CON-4")
def test_requests_behind_a_stalled_queue_are_refused_at_once(own_site: Callable[..., Site]) -> None:
    site = own_site(TRUSTED_PROXIES="1", LOCK_TIMEOUT_MS="60000")  # no writer gives up before the end
    crowd = WRITERS.threads + MOST_BEHIND_A_STALL
    with ThreadPoolExecutor(crowd) as visitors, locked(site):
        waiting = [visitors.submit(post, site, number) for number in range(crowd)]
        wait_for(lambda: waiting_writers(site) >= MOST_BEHIND_A_STALL, "all of them wait")
        time.sleep(2 * MOVING)  # after which the queue counts as standing still
        answer = post(site, crowd + 1)
        assert (answer.status, "retry-after" in answer.headers) == (503, True)
        assert "Hello" in answer.text, "what was typed is lost"
        assert not any(task.done() for task in waiting), "it waited like the others"
