"""A server whose database file is taken away under it: nothing is acknowledged that would be lost."""

import json
import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from tests.e2e.conftest import ROOT, Site, serving
from tests.support.fetch import fetch
from tests.support.public_pages import PUBLIC
from tests.support.waiting import wait_for

# Pages of records; the list of companies is read before.
WITH_RECORDS = [path for path in PUBLIC if path.startswith(("/companies/", "/team", "/meet", "/advisor", "/insights"))]
FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hello"}


def post(site: Site, message: str) -> int:
    """Send the contact form as a browser without scripts does; the status of the answer."""
    return fetch(f"{site.url}/contact", urlencode(FORM | {"message": message}).encode()).status


@pytest.mark.spec("AD-2", "CON-4", "DATA-3")
def test_a_removed_database_refuses_writes_and_is_reported(own_site: Callable[..., Site]) -> None:
    site = own_site()
    before = fetch(f"{site.url}/companies")
    assert post(site, "stored") == 200
    file = site.data_dir / "advisory.db"
    hidden = file.rename(site.data_dir / "hidden.db")
    assert [post(site, f"refused {number}") for number in range(5)] == [503] * 5
    wait_for(lambda: fetch(f"{site.url}/readyz").status == 503, "an answer of before is kept for a second", 60)
    assert json.loads(fetch(f"{site.url}/readyz").text)["database"] == "file replaced or removed"
    stale = fetch(f"{site.url}/companies")
    assert (stale.status, stale.text) == (200, before.text)
    # What was not read before has a reference, which leads to the log.
    for path in WITH_RECORDS:
        answer = fetch(f"{site.url}{path}")
        mentioned = re.findall(r"Please mention ([0-9a-f]{12}) if", answer.text.replace("<!-- -->", ""))
        assert (path, answer.status, mentioned) == (path, 503, [answer.headers["x-request-id"]])
        assert f"[{mentioned[0]}]" in site.log
        assert "does not exist" not in answer.text and "Nothing is published yet" not in answer.text
        # The profile of an advisor has a sentence of its own, and lists are shown as being updated.
        assert "This page could not be loaded" in answer.text or not path.startswith(("/companies/", "/team-profile/"))
        assert "Failed to load advisor profile" in answer.text or not path.startswith("/advisor/")
    assert not file.exists(), "an empty database was made"
    # Put back, it is the same file, and all goes on.
    hidden.rename(file)
    assert post(site, "stored again") == 200


@pytest.mark.spec("DATA-3")
def test_production_does_not_start_with_a_lost_database(own_site: Callable[..., Site]) -> None:
    settings = {
        "ENV": "production",
        "BCRYPT_COST": "10",
        "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
        "SIGN_UP": "closed",
    }
    first = own_site(**settings)
    lines = [json.loads(line) for line in first.log.splitlines()]  # each one from the first on
    assert lines[0]["message"].startswith("Upgrading the database")
    for path in first.data_dir.glob("advisory.db*"):
        path.unlink()
    with pytest.raises(RuntimeError, match="There was a database"), serving(first.data_dir, None, ROOT, **settings):
        pass
    assert not (first.data_dir / "advisory.db").exists()
