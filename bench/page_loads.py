"""Measures cold page loads in a browser: content, headline typeface, layout shift, blocking time, bytes."""

import json
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from bench.idle import wait_until_idle
from bench.slow_line import Line
from tests.install_browser import installed

EXECUTABLE = installed()
# For each page, the selector of the last part of its main content.
PAGES = {
    "/": "#strategic-support li:last-child",
    "/companies": 'a[href="/companies/treacle-tech"]',
    "/companies/treacle-tech": "main h1",
}
SLOW = Line(rtt=0.150, bits_per_second=1_600_000)
SLOWER_PROCESSOR = 4
WATCH = """
window.seen = {content: 0, fcp: 0, lcp: 0, face: NaN, cls: 0, blocked: 0};
window.largest = "";
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) {
    seen.lcp = e.startTime;
    largest = e.url && new URL(e.url).pathname;
  }
}).observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) seen.cls += e.value; })
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver((list) => { for (const e of list.getEntries()) seen.blocked += Math.max(0, e.duration - 50); })
  .observe({type: "longtask", buffered: true});
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) if (e.name === "first-contentful-paint") seen.fcp = e.startTime;
}).observe({type: "paint", buffered: true});
// The headline face is shown in the next frame after it has loaded.
document.addEventListener("DOMContentLoaded", () => {
  const ours = (face) => face.family.includes("Newsreader") && face.style === "normal";
  const shown = () => requestAnimationFrame(() => { seen.face = performance.now(); });
  for (const face of document.fonts) if (ours(face)) face.loaded.then(shown, () => {});
});
const look = () => {
  const found = document.querySelector(window.wanted);
  if (found && found.textContent.trim() && !/loading/i.test(found.textContent)) {
    seen.content = performance.now();
    watcher.disconnect();
  }
};
const watcher = new MutationObserver(look);
watcher.observe(document, {subtree: true, childList: true, characterData: true});
"""
EARLY_FACES = """performance.getEntriesByType("resource")
  .filter((one) => one.name.endsWith(".woff2") && one.responseEnd <= seen.lcp)
  .reduce((sum, one) => sum + one.encodedBodySize, 0) / 1000"""
KINDS = ("Document", "Script", "Font", "Image", "Stylesheet")
Figures = dict[str, float]


@dataclass(frozen=True)
class Screen:
    """The size of a window in CSS pixels, and how many pixels of the screen one of them has."""

    width: int
    height: int
    ratio: float = 1


@dataclass(frozen=True)
class Visit:
    """What was measured on a page load; `largest` is the path of the picture that is its largest paint, if one is.

    `pictures` are the kilobytes of each picture by path.
    """

    figures: Figures
    largest: str
    pictures: dict[str, float]


PHONE = Screen(412, 823)


class _Elsewhere(BaseHTTPRequestHandler):
    """A server of another site, with one small page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title>")

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def elsewhere() -> Iterator[str]:
    """Serve a page of another site; yields its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def visit(browser: Browser, origin: str, address: str, wanted: str, *, slow: bool, screen: Screen = PHONE) -> Visit:
    """One cold page load: times in milliseconds, layout shift, and kilobytes by kind, including headers.

    `wanted` is the selector of the last part of the main content. `face` is the time at which the headline typeface is
    shown, NaN if it is not; `early` the kilobytes of typefaces that were loaded before the largest paint.

    The browser navigates from another site, as from a search engine, so that it starts a new process for every page.
    From an empty page it would only do so for pages with isolation headers, such as ours.
    """
    context = browser.new_context(
        viewport={"width": screen.width, "height": screen.height}, device_scale_factor=screen.ratio
    )
    context.add_init_script(f"window.wanted = {json.dumps(wanted)};" + WATCH)
    page = context.new_page()
    page.goto(origin)
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    kinds: dict[str, str] = {}
    paths: dict[str, str] = {}
    sizes: dict[str, float] = {}

    def note(response: dict[str, Any]) -> None:
        kinds[response["requestId"]] = response["type"]
        paths[response["requestId"]] = urlsplit(response["response"]["url"]).path

    wire.on("Network.responseReceived", note)
    wire.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}))
    wait_until_idle()
    if slow:  # only now, because throttling itself keeps a processor busy
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
    page.goto(address, wait_until="load")
    page.locator(wanted).wait_for()
    page.wait_for_load_state("networkidle")
    seen: Figures = page.evaluate("window.seen")
    seen["early"] = page.evaluate(EARLY_FACES)
    for kind in KINDS:
        seen[kind] = sum(size for request, size in sizes.items() if kinds.get(request) == kind) / 1000
    pictures = {paths[request]: size / 1000 for request, size in sizes.items() if kinds.get(request) == "Image"}
    largest: str = page.evaluate("window.largest")
    context.close()
    return Visit(seen, largest, pictures)


def compare(lines: dict[str, int], line: Line, rounds: int) -> None:
    """Compare cold page loads, on a fast and a slow line; each round measures all servers in turn."""
    with elsewhere() as origin, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox", "--disable-gpu"])
        for slow in (False, True):
            if slow:
                line.rtt, line.bits_per_second = SLOW.rtt, SLOW.bits_per_second
            for path in PAGES:
                visits: dict[str, list[Figures]] = {name: [] for name in lines}
                for _ in range(rounds):
                    for name, port in lines.items():
                        address = f"http://localhost:{port}{path}"
                        visits[name].append(visit(browser, origin, address, PAGES[path], slow=slow).figures)
                _print(path, slow, {name: medians(seen) for name, seen in visits.items()})
        browser.close()


def medians(visits: list[Figures]) -> Figures:
    """The median of each figure."""
    return {name: statistics.median(visit[name] for visit in visits) for name in visits[0]}


def _print(path: str, slow: bool, found: dict[str, Figures]) -> None:
    print(f"\n{path}, {'150 ms, 1.6 Mbit/s, 4x processor' if slow else 'unthrottled'}")
    print(f"{'':10}" + "".join(f"{name:>12}" for name in next(iter(found.values()))))
    for name, figures in found.items():
        values: list[Any] = [f"{value:.3f}" if key == "cls" else f"{value:.1f}" for key, value in figures.items()]
        print(f"{name:10}" + "".join(f"{value:>12}" for value in values))
    ours, stock = found["rendered"], found["stock"]
    said = f"content: {ours['content'] / stock['content']:.2f} of stock"
    if static := found.get("static"):
        said += f", {ours['content'] / static['content']:.2f} of the static file"
        said += f"; LCP: {ours['lcp'] / static['lcp']:.2f} of the static file"
    if bare := found.get("bare"):
        said += f", {ours['lcp'] / bare['lcp']:.2f} of the bare page with system typefaces"
    print(said, flush=True)
