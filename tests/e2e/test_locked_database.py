"""A database that another program keeps locked: readers do not notice, writers are refused early and honestly."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import pytest

from sitekit.base.threads import MOST_BEHIND_A_STALL, MOVING, WRITERS
from tests.e2e.conftest import Site, _copy, serving
from tests.support.fetch import Answer, fetch
from tests.support.waiting import wait_for

POSTS = 40


@pytest.fixture(scope="module")
def site(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that believes a proxy who its visitors are."""
    with serving(_copy(seeded, tmp_path_factory.mktemp("locked")), TRUSTED_PROXIES="1") as site:
        yield site


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
    return fetch(f"{site.url}/contact", urlencode(form).encode(), 30, **{"X-Forwarded-For": f"192.0.2.{number}"})


@pytest.mark.spec("CON-4", "DATA-4")
def test_readers_do_not_wait_for_writers_and_blocked_writers_fail_early(site: Site) -> None:
    with ThreadPoolExecutor(POSTS) as visitors, locked(site):
        waiting = [visitors.submit(post, site, number) for number in range(POSTS)]
        wait_for(lambda: any(task.running() for task in waiting), "they have been sent")
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
def test_requests_behind_a_stalled_queue_are_refused_at_once(site: Site) -> None:
    crowd = WRITERS.threads + MOST_BEHIND_A_STALL
    with ThreadPoolExecutor(crowd) as visitors, locked(site):
        waiting = [visitors.submit(post, site, number) for number in range(crowd)]
        time.sleep(2 * MOVING)  # until the queue is known to stand still
        answer = post(site, crowd + 1)
        assert (answer.status, "retry-after" in answer.headers) == (503, True)
        assert "Hello" in answer.text, "what was typed is lost"
        assert not any(task.done() for task in waiting), "it waited like the others"
        for task in waiting:
            task.result()
