"""How fast public pages are, beside stock Reflex and a bare static file: `python -m bench.pages`.

Needs a finished build ('make build'), Chromium, and from Debian nginx and wrk; 'npm ci' in bench/ brings
Lighthouse. What is missing is skipped and said. Nothing here asserts anything: numbers of one machine are
for comparing with numbers of the same run.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.slow_line import Line, open_line
from tests.install_browser import installed

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
PAGES = {"/companies": 'a[href="/companies/treacle-tech"]', "/companies/treacle-tech": "main h1"}
SLOW = Line(rtt=0.150, bits_per_second=1_600_000)
SLOWER_PROCESSOR = 4
WATCH = """
window.seen = {lcp: 0, cls: 0, blocked: 0, content: 0};
new PerformanceObserver((list) => { for (const e of list.getEntries()) seen.lcp = e.startTime; })
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) seen.cls += e.value; })
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver((list) => { for (const e of list.getEntries()) seen.blocked += Math.max(0, e.duration - 50); })
  .observe({type: "longtask", buffered: true});
const look = () => {
  const found = document.querySelector(window.wanted);
  if (found && found.textContent.trim() && !/loading/i.test(found.textContent)) seen.content ||= performance.now();
};
new MutationObserver(look).observe(document, {subtree: true, childList: true, characterData: true});
"""


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(command: list[str], port: int, environ: dict[str, str] | None = None) -> Iterator[int]:
    """A server as long as the block lasts; gives its process id."""
    process = subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(15)


@contextmanager
def site(folder: Path, target: str, port: int, seen_at: int) -> Iterator[int]:
    """Our app, or the stock one, on the demo firm; gives the process id."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {"ADVISORY_DATA_DIR": str(folder), "ADVISORY_PUBLIC_URL": f"http://localhost:{seen_at}"}
    subprocess.run([sys.executable, "-m", "advisory_site", "migrate"], cwd=ROOT, env=environ, check=True)
    subprocess.run([sys.executable, "-m", "advisory_site", "seed"], cwd=ROOT, env=environ, check=True)
    environ |= {
        "REFLEX_ENV_MODE": "prod",
        "__REFLEX_SKIP_COMPILE": "true",
        "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    }
    granian = [str(BIN / "granian"), "--interface", "asgi", "--factory", "--workers", "1", "--port", str(port)]
    with running([*granian, target], port, environ) as pid:
        get(port, "/")
        yield pid


@contextmanager
def static_files(folder: Path, port: int) -> Iterator[None]:
    """nginx on a folder, with one worker."""
    config = folder.parent / "nginx.conf"
    config.write_text(
        f"worker_processes 1; daemon off; pid {folder.parent}/nginx.pid; error_log /dev/null;\n"
        "events { worker_connections 512; }\n"
        "http { access_log off; include /etc/nginx/mime.types; default_type text/html; keepalive_requests 1000000;\n"
        f"server {{ listen {port}; root {folder}; gzip on; gzip_types text/css image/svg+xml; gzip_comp_level 9;\n"
        "location / { try_files $uri $uri.html =404; } } }\n"
    )
    with running([NGINX or "nginx", "-c", str(config)], port):
        yield


def get(port: int, path: str, encoding: str = "identity") -> bytes:
    """The body of an answer, as it travelled."""
    request = urllib.request.Request(f"http://localhost:{port}{path}", headers={"Accept-Encoding": encoding})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


def visit(browser: Browser, port: int, path: str, *, slow: bool) -> dict[str, float]:
    """One cold visit: times in milliseconds, layout shift, and bytes by kind."""
    context = browser.new_context(viewport={"width": 412, "height": 823})
    context.add_init_script(f"window.wanted = {json.dumps(PAGES[path])};" + WATCH)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {}
    wire.on("Network.responseReceived", lambda e: kinds.update({e["requestId"]: e["type"]}))
    wire.on(
        "Network.loadingFinished",
        lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]}),
    )
    if slow:
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
    page.goto(f"http://localhost:{port}{path}", wait_until="load")
    page.locator(PAGES[path]).wait_for()
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("window.seen")
    for kind in ("Document", "Script", "Font", "Image", "Stylesheet"):
        seen[kind] = sum(size for request, size in sizes.items() if kinds.get(request) == kind) / 1000
    context.close()
    return seen


def medians(visits: list[dict[str, float]]) -> dict[str, float]:
    """The median of each figure."""
    return {name: statistics.median(visit[name] for visit in visits) for name in visits[0]}


def without_scripts(html: str) -> str:
    """The same page as a bare static file."""
    return re.sub(r"<script\b.*?</script>|<link disabled[^>]*>", "", html, flags=re.S)


def time_to_content(lines: dict[str, int], line: Line, rounds: int) -> None:
    """Cold visits to a list and a record, fast and slow, one kind of server after the other in each round."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox", "--disable-gpu"])
        for slow in (False, True):
            if slow:
                line.rtt, line.bits_per_second = SLOW.rtt, SLOW.bits_per_second
            for path in PAGES:
                visits: dict[str, list[dict[str, float]]] = {name: [] for name in lines}
                for _ in range(rounds):
                    for name, port in lines.items():
                        visits[name].append(visit(browser, port, path, slow=slow))
                _print_visits(path, slow, {name: medians(seen) for name, seen in visits.items()})
        browser.close()


def _print_visits(path: str, slow: bool, found: dict[str, dict[str, float]]) -> None:
    print(f"\n{path}, {'150 ms, 1.6 Mbit/s, 4x processor' if slow else 'unthrottled'}")
    print(f"{'':10}" + "".join(f"{name:>12}" for name in next(iter(found.values()))))
    for name, figures in found.items():
        print(
            f"{name:10}" + "".join(f"{value:12.3f}" if k == "cls" else f"{value:12.1f}" for k, value in figures.items())
        )
    ours, stock = found["rendered"], found["stock"]
    print(f"content: {ours['content'] / stock['content']:.2f} of stock", end="")
    if static := found.get("static"):
        print(f"; LCP: {ours['lcp'] / static['lcp']:.2f} of the static file", end="")
    print()


def throughput(ours: int, static: int | None) -> None:
    """Requests a second of one cached page, for the same bytes."""
    if not shutil.which("wrk"):
        print("\nwrk is not installed: no requests a second.")
        return
    rates = {"rendered": _rate(f"http://127.0.0.1:{ours}/companies", "br")}
    if static:
        rates["nginx"] = _rate(f"http://127.0.0.1:{static}/companies.bin", "identity")
    print("\nRequests a second, 32 connections: " + ", ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()))
    if static:
        print(f"{rates['rendered'] / rates['nginx']:.2f} of nginx")


def _rate(url: str, encoding: str) -> float:
    command = ["wrk", "-t1", "-c32", "-d5s", "-H", f"Accept-Encoding: {encoding}", url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


def rendering(folder: Path, port: int, pid: int) -> None:
    """The first page after a change, the cached one, and the memory of both processes."""
    change = "from advisory_site import tables\nfrom advisory_site.database import bump_content_version, transaction\n"
    change += "with transaction() as session: bump_content_version(session)"
    cold, warm = [], []
    for _ in range(10):
        subprocess.run([sys.executable, "-c", change], cwd=ROOT, env=os.environ | {"ADVISORY_DATA_DIR": str(folder)})
        cold.append(_timed(lambda: get(port, "/companies")))
        warm.append(_timed(lambda: get(port, "/companies")))
    print(f"\nAfter a change {statistics.median(cold):.0f} ms, cached {statistics.median(warm):.1f} ms (medians of 10)")
    started = time.perf_counter()
    for number in range(1_000):
        try:
            get(port, f"/companies/unknown-{number}")
        except urllib.error.HTTPError as error:
            error.close()
    print(f"1,000 unknown slugs one after the other: {time.perf_counter() - started:.1f} s")
    processes = subprocess.run(["ps", "-eo", "pgid,rss,args"], capture_output=True, text=True).stdout.splitlines()[1:]
    for line in processes:
        group, kilobytes, command = line.split(None, 2)
        if int(group) == pid:
            print(f"{int(kilobytes) / 1000:6.0f} MB  {' '.join(Path(part).name for part in command.split()[:3])}")


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def lighthouse(port: int, paths: list[str]) -> None:
    """The four categories, on a phone and on a desk."""
    program = ROOT / "bench" / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not program.exists():
        print("\nLighthouse is not installed: 'npm ci' in bench/ brings it.")
        return
    print("\nLighthouse: the score of each category, then LCP and blocking time in milliseconds, and layout shift")
    for path in paths:
        for device in ("mobile", "desktop"):
            command = [str(BIN / "node"), str(program), f"http://localhost:{port}{path}", "--output=json", "--quiet"]
            command += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
            command += ["--preset=desktop"] if device == "desktop" else []
            done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"CHROME_PATH": EXECUTABLE})
            report = json.loads(done.stdout)
            scores = " ".join(f"{name} {(c['score'] or 0) * 100:.0f}" for name, c in report["categories"].items())
            audits = report["audits"]
            lcp, tbt, cls = (
                audits[name]["numericValue"]
                for name in ("largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")
            )
            print(f"{path} {device}: {scores}; {lcp:.0f} {tbt:.0f} {cls:.3f}")
            for category in report["categories"].values():
                for part in category["auditRefs"]:
                    score = audits[part["id"]]["score"]
                    if part["weight"] and score is not None and score < 0.9:
                        print(f"    {category['id']}: {part['id']} {audits[part['id']].get('displayValue', '')}")


def main() -> None:
    """Everything, or what the command line asks for."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--lighthouse", nargs="*", default=list(PAGES), help="the pages to examine")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as servers:
        folder, line = Path(temporary), Line()
        folder.chmod(0o755)  # nginx's worker is somebody else
        ports = {name: free_port() for name in ("rendered", "stock", "static")}
        lines = {name: servers.enter_context(open_line(port, line)) for name, port in ports.items()}
        app = "advisory_site.advisory_site:app"
        pid = servers.enter_context(site(folder / "ours", app, ports["rendered"], lines["rendered"]))
        servers.enter_context(site(folder / "stock", "bench.stock:stock", ports["stock"], lines["stock"]))
        if NGINX:
            files = folder / "files"
            shutil.copytree(ROOT / ".web" / "build" / "client", files)
            for path in PAGES:
                page = get(ports["rendered"], path).decode()
                (files / f"{path[1:]}.html").write_text(without_scripts(page))
            (files / "companies.bin").write_bytes(get(ports["rendered"], "/companies", "br"))
            servers.enter_context(static_files(files, ports["static"]))
        else:
            print("nginx is not installed: no static file to compare with.")
            del lines["static"], ports["static"]
        time_to_content(lines, line, options.rounds)
        throughput(ports["rendered"], ports.get("static"))
        rendering(folder / "ours", ports["rendered"], pid)
        lighthouse(ports["rendered"], options.lighthouse)


EXECUTABLE = installed()
NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")

if __name__ == "__main__":
    main()
