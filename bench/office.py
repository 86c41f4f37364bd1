"""Measures how soon the back office can be read, beside Wagtail: `.venv/bin/python -m bench.office`.

Needs a finished build and Chromium. It makes a Wagtail site with 24 records in a virtual environment of its own (from
PyPI, about a minute), with its production settings, compression and one worker, and takes ten minutes with both lines.
`--before FOLDER` measures another checkout with a finished build too. Each round measures all of them in turn; a figure
is the median. `content` is when the rows can be read, `fcp` the first contentful paint, in milliseconds; `kB` is what
came over the line until then, and `all kB` in all.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from bench.idle import wait_until_idle
from bench.page_loads import EXECUTABLE, SLOW, SLOWER_PROCESSOR, Figures, medians
from bench.servers import ROOT, free_port, running
from bench.slow_line import Line, open_line
from sitekit.ops.serve import ALLOCATORS
from sitekit.server.framework.built_site import SERVE_BUILD
from tests.cluster.conftest import ADMIN_EMAIL, ADMIN_PASSWORD

WAGTAIL = ("wagtail==8.0.1", "gunicorn==27.0.1", "whitenoise[brotli]==6.12.0")
RECORDS = 24
WINDOW: ViewportSize = {"width": 1280, "height": 800}
# What is seen last of each page, ours and Wagtail's.
OURS = {
    "/admin?tab=companies": "[data-row] .cell-title",
    "/admin": ".work-panel li a",
    "/admin/companies/toko-tally/edit": "[name=location]",
    "/admin/texts": "main iframe",
}
APP = "home"  # the app that `wagtail start` makes
THEIRS = {f"/admin/snippets/{APP}/company/": "tbody tr:nth-child(20) a"}
WATCH = """
window.seen = {fcp: 0, content: 0};
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) if (e.name === "first-contentful-paint") seen.fcp = e.startTime;
}).observe({type: "paint", buffered: true});
const look = () => {
  if (!document.querySelector(window.wanted)?.checkVisibility()) return;
  watcher.disconnect();
  // Read once it is painted: after the next frame.
  requestAnimationFrame(() => setTimeout(() => { seen.content = performance.now(); }));
};
const watcher = new MutationObserver(look);
watcher.observe(document, {subtree: true, childList: true, attributes: true});
"""
MODELS = """
from django.db import models
from wagtail.models import Page
from wagtail.snippets.models import register_snippet
from wagtail.snippets.views.snippets import SnippetViewSet

class HomePage(Page):
    pass

class Company(models.Model):
    name = models.CharField(max_length=200)
    industry = models.CharField(max_length=200)
    location = models.CharField(max_length=200)
    status = models.CharField(max_length=200)
    founded = models.IntegerField()

    def __str__(self):
        return self.name

class CompanyViewSet(SnippetViewSet):
    model = Company
    list_display = ["name", "industry", "location", "status", "founded"]
    list_per_page = 25

register_snippet(CompanyViewSet)
"""
SETTINGS = """
from .base import *
DEBUG = False
SECRET_KEY = "only-for-a-measurement"
ALLOWED_HOSTS = ["*"]
CSRF_TRUSTED_ORIGINS = ["http://localhost"]
MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", "whitenoise.middleware.WhiteNoiseMiddleware", *MIDDLEWARE]
STORAGES["staticfiles"] = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
"""
FILL = f"""
from home.models import Company
from django.contrib.auth import get_user_model
get_user_model().objects.create_superuser("admin", "admin@firm.example", "{ADMIN_PASSWORD}")
Company.objects.bulk_create(
    Company(name=f"Company {{n:02}}", industry="Logistics", location="Singapore", status="Active", founded=2000 + n)
    for n in range({RECORDS})
)
"""


@dataclass(frozen=True)
class Office:
    """A back office: the port of its line, what is opened of it, and how its sign-in page is filled in."""

    port: int
    pages: dict[str, str]
    sign_in: str
    fields: dict[str, str]


@contextmanager
def wagtail(folder: Path, port: int) -> Iterator[int]:
    """Run a Wagtail site with 24 records; yields its process id."""
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv" / "bin" / "python")
    environ = os.environ | {"DJANGO_SETTINGS_MODULE": "office.settings.production"}

    def run(*command: str, text: str | None = None, cwd: Path = folder) -> None:
        subprocess.run(command, cwd=cwd, env=environ, input=text, text=True, check=True, stdout=subprocess.DEVNULL)

    run(python, "-m", "pip", "install", "-q", *WAGTAIL)
    run(str(folder / "venv" / "bin" / "wagtail"), "start", "office")
    project = folder / "office"
    (project / APP / "models.py").write_text(MODELS)
    (project / "office" / "settings" / "production.py").write_text(SETTINGS)
    for command in (("makemigrations", APP), ("migrate",), ("collectstatic", "--noinput")):
        run(python, "manage.py", *command, cwd=project)
    run(python, "manage.py", "shell", text=FILL, cwd=project)
    server = [python, "-m", "gunicorn", "--chdir", str(project), "--bind", f"127.0.0.1:{port}", "--workers", "1"]
    with running([*server, "--threads", "4", "office.wsgi"], port, environ) as pid:
        yield pid


@contextmanager
def checkout(root: Path, folder: Path, port: int, seen_at: int) -> Iterator[int]:
    """Run another checkout of the site, which has its build; yields its process id."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    own |= {"ADVISORY_DATA_DIR": str(folder), "ADVISORY_PUBLIC_URL": f"http://localhost:{seen_at}"}
    for command in (["migrate"], ["seed"], ["create-admin", ADMIN_EMAIL]):
        prepare = [sys.executable, "-m", "advisory_site", *command]
        subprocess.run(
            prepare, cwd=root, env=own, input=ADMIN_PASSWORD, text=True, check=True, stdout=subprocess.DEVNULL
        )
    server = [sys.executable, "-m", "granian", "--interface", "asgi", "--factory", "--workers", "1"]
    app = ["--port", str(port), "advisory_site.advisory_site:app"]
    with running([*server, *app], port, own | SERVE_BUILD | ALLOCATORS, root) as pid:
        yield pid


def signed_in(browser: Browser, office: Office) -> Any:
    """What a browser keeps of a session."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    page.goto(f"http://localhost:{office.port}{office.sign_in}")
    for selector, text in office.fields.items():
        page.fill(selector, text)
    page.press(list(office.fields)[-1], "Enter")
    page.wait_for_url(lambda address: office.sign_in not in address)
    page.wait_for_load_state("networkidle")
    kept = context.storage_state()
    context.close()
    return kept


def load(context: BrowserContext, address: str, wanted: str, *, slow: bool) -> Figures:
    """One load of a page in a new tab: times in milliseconds, and kilobytes including headers."""
    page: Page = context.new_page()
    page.add_init_script(f"window.wanted = {wanted!r};" + WATCH)
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda e: sizes.append(e["encodedDataLength"]))
    wait_until_idle()
    if slow:  # only now, because throttling itself keeps a processor busy
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.seen?.content > 0", timeout=60_000)
    until = sum(sizes) / 1000
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    seen: Figures = page.evaluate("window.seen")
    page.close()
    return seen | {"kB": until, "all kB": sum(sizes) / 1000}


def measure(browser: Browser, offices: dict[str, Office], line: Line, rounds: int, chosen: list[str]) -> None:
    """Measure all of them in turn, first on a fast line, then on a slow one."""
    kept = {name: signed_in(browser, office) for name, office in offices.items()}
    for slow in (False, True):
        line.rtt, line.bits_per_second = (SLOW.rtt, SLOW.bits_per_second) if slow else (0.0, 1e12)
        found: dict[tuple[str, str, str], list[Figures]] = {}
        for _ in range(rounds):
            for name, office in offices.items():
                for path, wanted in office.pages.items():
                    if office.pages is OURS and path not in chosen:
                        continue
                    context = browser.new_context(viewport=WINDOW, storage_state=kept[name], bypass_csp=True)
                    for visit in ("first", "again"):
                        seen = load(context, f"http://localhost:{office.port}{path}", wanted, slow=slow)
                        found.setdefault((path, visit, name), []).append(seen)
                    context.close()
        print(f"\n{'150 ms, 1.6 Mbit/s, 4x processor' if slow else 'unthrottled'}")
        for (path, visit, name), seen_each in sorted(found.items()):
            figures = medians(seen_each)
            print(f"{path:36}{visit:7}{name:10}" + "".join(f"{key:>9} {value:6.0f}" for key, value in figures.items()))
        print(flush=True)


def main() -> None:
    """Measure, and print."""
    arguments = argparse.ArgumentParser(prog="python -m bench.office", description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--before", type=Path, help="another checkout with a finished build")
    arguments.add_argument("--pages", nargs="*", default=list(OURS), help="which of ours")
    options = arguments.parse_args()
    line = Line()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as servers:
        folder = Path(temporary)
        offices = {}
        staff = {"[name=email]": ADMIN_EMAIL, "[name=password]": ADMIN_PASSWORD}
        for name, root in {"ours": ROOT, "before": options.before}.items():
            if root is None:
                continue
            port = free_port()
            seen_at = servers.enter_context(open_line(port, line))
            servers.enter_context(checkout(root.resolve(), folder / name, port, seen_at))
            offices[name] = Office(seen_at, OURS, "/auth", staff)
        port = free_port()
        seen_at = servers.enter_context(open_line(port, line))
        servers.enter_context(wagtail(folder, port))
        there = {"[name=username]": "admin", "[name=password]": ADMIN_PASSWORD}
        offices["wagtail"] = Office(seen_at, THEIRS, "/admin/login/", there)
        playwright = servers.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox", "--disable-gpu"])
        measure(browser, offices, line, options.rounds, options.pages)
        browser.close()


if __name__ == "__main__":
    main()
