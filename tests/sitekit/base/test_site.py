"""The facts about a site: handed over once, before the kit reads them."""

import subprocess
import sys

import pytest

from sitekit.base import site
from tests.conftest import ROOT


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kit that knows no site yet."""
    monkeypatch.setattr(site, "_site", None)


@pytest.mark.usefixtures("fresh")
def test_the_registered_site_is_used() -> None:
    tea_shop = site.Site(brand=site.Brand("Tea Shop", "Tea Shop Ltd.", "tea.example", "us@tea.example"))
    site.use(tea_shop)
    assert site.get_site() is tea_shop
    assert site.get_site().brand.email_href == "mailto:us@tea.example"


@pytest.mark.usefixtures("fresh")
def test_a_second_site_is_refused() -> None:
    site.use(site.Site())
    with pytest.raises(RuntimeError):
        site.use(site.Site(package="tea_shop"))


@pytest.mark.usefixtures("fresh")
def test_a_site_cannot_be_registered_after_its_facts_were_read() -> None:
    assert site.get_site() == site.Site()
    with pytest.raises(RuntimeError):
        site.use(site.Site())


def test_importing_the_kit_before_the_site_stops_the_start() -> None:
    wrong = [sys.executable, "-c", "import sitekit.base.settings; import advisory_site"]
    done = subprocess.run(wrong, cwd=ROOT, capture_output=True, text=True)
    assert "Import the site's package before any module of the kit." in done.stderr
