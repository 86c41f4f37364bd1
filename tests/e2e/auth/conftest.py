"""A site that sends its mail to a real server, and a browser to open its pages in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.e2e.auth.steps import OpenPage
from tests.e2e.conftest import Site, _copy, serving, start_afresh
from tests.support.mailbox import Mailbox


@pytest.fixture(scope="session")
def mail_server() -> Iterator[Mailbox]:
    """Where the site sends its mail."""
    box = Mailbox()
    box.start()
    yield box
    box.stop()


@pytest.fixture(scope="session")
def shared_site(seeded: Path, tmp_path_factory: pytest.TempPathFactory, mail_server: Mailbox) -> Iterator[Site]:
    """A site with a mail server, so that addresses have to be confirmed."""
    with serving(_copy(seeded, tmp_path_factory.mktemp("mailing")), SMTP_URL=mail_server.smtp_url) as site:
        yield site


@pytest.fixture(scope="module")
def mailing_site(shared_site: Site, seeded: Path, mail_server: Mailbox) -> Site:
    """That site, as new for one module of tests."""
    start_afresh(shared_site, seeded)
    mail_server.messages.clear()
    return shared_site


@pytest.fixture
def mailbox(mailing_site: Site, mail_server: Mailbox) -> Mailbox:
    """What the site has sent during this module."""
    return mail_server


@pytest.fixture
def go(context: BrowserContext, mailing_site: Site) -> OpenPage:
    """Opens a path of that site in a new tab."""

    def open_page(path: str) -> Page:
        page = context.new_page()
        page.goto(path if path.startswith("http") else mailing_site.url + path)
        return page

    return open_page
