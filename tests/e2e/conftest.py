"""The real thing for browser tests: the production build served once for the whole run, and a watched page."""

import fcntl
import itertools
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.e2e.contexts import Contexts, note_lasting_changes
from tests.install_browser import installed
from tests.support.fetch import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_for

ROOT = Path(__file__).parents[2]
ADMIN_EMAIL = "admin@northstrait.example"
ADMIN_PASSWORD = "a-long-quiet-evening-42"
METRICS_TOKEN = "a-token-for-the-metrics"
Theme = Literal["light", "dark"]

expect.set_options(timeout=30_000)  # a busy machine stands still for ten seconds now and then
_versions = itertools.count(1_000, 1_000)  # of the content, more apart than any test changes records


@dataclass(frozen=True)
class Site:
    """A running server: where it answers, where its data lies, what it has logged."""

    url: str
    data_dir: Path
    log_file: Path
    process: subprocess.Popen[bytes]

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")


@contextmanager
def serving(
    data_dir: Path, port: int | None = None, root: Path = ROOT, *, confined_by: str = "", **settings: str
) -> Iterator[Site]:
    """Serve the finished build from a data folder, until the block ends; confined as by a systemd unit of this name.

    Further settings are given by their name without the prefix: `serving(folder, SMTP_URL="smtp://...")`.
    """
    try:
        site = _start(data_dir, port or free_port(), root, confined_by, settings)
    except RuntimeError as error:
        if port or "is taken by another program" not in str(error):
            raise
        site = _start(data_dir, free_port(), root, confined_by, settings)
    try:
        yield site
    finally:
        _end(site.process)


def _start(data_dir: Path, port: int, root: Path, unit: str, settings: dict[str, str]) -> Site:
    data_dir.mkdir(parents=True, exist_ok=True)
    log_file = data_dir.parent / f"server-{port}.log"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    ours = {
        "DATA_DIR": str(data_dir),
        "PUBLIC_URL": f"http://localhost:{port}",
        "ADMIN_EMAIL": ADMIN_EMAIL,
        "ADMIN_PASSWORD": ADMIN_PASSWORD,
        "BCRYPT_COST": "4",
        "METRICS_TOKEN": METRICS_TOKEN,
    } | settings
    with log_file.open("wb") as log:
        process = subprocess.Popen(
            [*confined(unit), sys.executable, "-m", "advisory_site", "run", "--port", str(port)],
            cwd=root,
            env=clean | {f"ADVISORY_{name}": value for name, value in ours.items()},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        # Not only an answer: another site may have the port.
        wait_until_it_answers(f"http://127.0.0.1:{port}/ping", process, log_file, announced="Serving at")
    except BaseException:
        _end(process)
        raise
    return Site(f"http://localhost:{port}", data_dir, log_file, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop a server, and end what it has started and left, also if it died by itself."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(60)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def confined(unit: str) -> list[str]:
    """The command that runs another one under what a unit of ours forbids; empty without a unit."""
    return [sys.executable, "-m", "tests.support.confined", f"deploy/{unit}.service"] if unit else []


def wait_until_it_answers(url: str, process: subprocess.Popen[bytes], log_file: Path, announced: str = "") -> None:
    """Return when a server answers and its log has what it announces.

    Raises `RuntimeError` with its log when it ends or stays silent for a minute.
    """

    def answers() -> bool:
        with suppress(OSError), urllib.request.urlopen(url, timeout=30):
            return announced in log_file.read_text(errors="replace")
        return False

    with suppress(AssertionError):
        wait_for(lambda: answers() or process.poll() is not None, "the server answers", 60)
    if not answers():
        raise RuntimeError(f"The server did not start:\n{log_file.read_text(errors='replace')[-4000:]}")


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo firm and a first admin, to copy from. The first test process makes it for all."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    seeded = folder / "seeded"
    with (folder / "seeding.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not seeded.exists():
            made = tmp_path_factory.mktemp("seeding") / "data"
            with serving(made):
                pass
            made.rename(seeded)
    return seeded


@pytest.fixture(scope="session")
def site(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with the demo firm, shared by the whole run: a test that changes records uses `fresh_site`."""
    with serving(_copy(seeded, tmp_path_factory.mktemp("site"))) as site:
        yield site


@pytest.fixture(scope="session")
def changing_site(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A second site, for tests that change records: use `fresh_site`, which undoes what the test before has changed."""
    with serving(_copy(seeded, tmp_path_factory.mktemp("changing"))) as site:
        yield site


@pytest.fixture
def fresh_site(changing_site: Site, seeded: Path) -> Site:
    """A site with the demo firm whose records this test may change. Starting a server takes seconds, this does not."""
    start_afresh(changing_site, seeded)
    return changing_site


def start_afresh(site: Site, seeded: Path) -> None:
    """Give a running site the database of a data folder again, and empty its outbox and backups."""
    # Tabs that the test before has closed may still be served.
    wait_for(lambda: "\nadvisory_events_in_flight 0.0\n" in metrics(site), "the events of the test before end", 60)
    with (
        closing(sqlite3.connect(seeded / "advisory.db")) as source,
        closing(sqlite3.connect(site.data_dir / "advisory.db", timeout=60)) as target,
    ):
        waiting = "SELECT count(*) FROM outgoing_mail WHERE due_at IS NOT NULL"
        wait_for(lambda: target.execute(waiting).fetchone() == (0,), "the mail of the test before is sent", 60)
        source.backup(target)
        # The site has cached pages of the versions before.
        target.execute("UPDATE content_version SET number = ?", (next(_versions),))
        target.commit()
    for folder in ("outbox", "backups"):
        shutil.rmtree(site.data_dir / folder, ignore_errors=True)


def metrics(site: Site) -> str:
    """What a site reports for Prometheus."""
    return fetch(f"{site.url}/metrics", authorization=f"Bearer {METRICS_TOKEN}").text


@pytest.fixture
def own_site(seeded: Path, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Starts a site for one test alone, with settings or to be stopped: `own_site(SMTP_URL=...)`."""
    opened: list[AbstractContextManager[Site]] = []

    def start(**settings: str) -> Site:
        block = serving(_copy(seeded, tmp_path / str(len(opened))), None, ROOT, **settings)
        opened.append(block)
        return block.__enter__()

    yield start
    for block in opened:
        block.__exit__(None, None, None)


def _copy(seeded: Path, folder: Path) -> Path:
    target = folder / "data"
    shutil.copytree(seeded, target)
    return target


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    executable = installed()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                # A page lives for a second: compiling its scripts better costs more than it saves, and so does
                # collecting its garbage early.
                "--js-flags=--no-opt --no-maglev --single-threaded-gc"
                " --min-semi-space-size=64 --max-semi-space-size=64 --initial-old-space-size=1024",
                "--num-raster-threads=1",  # more than cores would only wait for each other
                "--process-per-site",
            ],
        )
        yield browser
        browser.close()


def wait_until_painted(page: Page) -> None:
    """Wait for two frames: Chromium drops what the pointer does before a page's first paint."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


# What Chromium remarks on a busy machine: a page was left before its socket was open.
SLOW = re.compile("closed before the connection is established")


class Watch:
    """Collects what a page complains about; a test may say beforehand which complaints it provokes."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.allows_slowness = True
        self._expected: list[re.Pattern[str]] = []

    def expect(self, pattern: str) -> None:
        """This complaint is what the test is about."""
        self._expected.append(re.compile(pattern))

    @contextmanager
    def over(self, context: BrowserContext) -> Iterator[None]:
        """Listen to each page that is opened in a context until the block ends."""
        context.on("page", self.on)
        yield
        context.remove_listener("page", self.on)

    def on(self, page: Page) -> None:
        """Listen to one page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def check(self) -> None:
        """Fail on what was not expected."""
        expected = [*self._expected, *([SLOW] if self.allows_slowness else [])]
        unexpected = [c for c in self.complaints if not any(p.search(c) for p in expected)]
        assert not unexpected, "The browser's console was not clean:\n" + "\n".join(unexpected)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """The complaints of every page of this test; unexpected ones fail it."""
    watch = Watch()
    yield watch
    watch.check()


LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "locale": "en-SG"}


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Contexts:
    """Contexts that are used again."""
    note_lasting_changes()
    return Contexts(browser)


@pytest.fixture
def context(contexts: Contexts, site: Site, watch: Watch) -> Iterator[BrowserContext]:
    """A visitor on a laptop without cookies and storage, whose browser may have the site's files; it is watched."""
    with contexts.lent(site.url, {}, **LAPTOP) as context, watch.over(context):
        yield context


FirstVisits = Callable[[], AbstractContextManager[BrowserContext]]


@pytest.fixture
def first_visits(browser: Browser, watch: Watch) -> FirstVisits:
    """`with first_visits() as context:` a visitor on a laptop whose browser has no file of the site; it is watched."""

    @contextmanager
    def first_visit() -> Iterator[BrowserContext]:
        context = browser.new_context(**LAPTOP)
        try:
            with watch.over(context):
                yield context
        finally:
            context.close()

    return first_visit


@pytest.fixture
def first_visit(first_visits: FirstVisits) -> Iterator[BrowserContext]:
    """One such visitor."""
    with first_visits() as context:
        yield context


@pytest.fixture
def visit(context: BrowserContext, site: Site) -> Callable[[str], Page]:
    """Opens a path of the shared site in a new tab and waits until it is there."""

    def open_page(path: str) -> Page:
        page = context.new_page()
        page.goto(site.url + path, wait_until="load")
        return page

    return open_page
