"""The servers to measure, as context managers: the site, stock Reflex, and nginx with static files."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sitekit.ops.serve import ALLOCATORS
from sitekit.server.framework.built_site import SERVE_BUILD

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], port: int, environ: dict[str, str] | None = None, folder: Path = ROOT) -> Iterator[int]:
    """Run a server; yields its process id."""
    process = subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
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
def site(folder: Path, target: str, port: int, seen_at: int, **settings: str) -> Iterator[int]:
    """Run our app or the stock one with the demo firm; yields its process id."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {"ADVISORY_DATA_DIR": str(folder), "ADVISORY_PUBLIC_URL": f"http://localhost:{seen_at}"}
    environ |= {f"ADVISORY_{name}": value for name, value in settings.items()}
    for command in ("migrate", "seed"):
        prepare = [sys.executable, "-m", "advisory_site", command]
        subprocess.run(prepare, cwd=ROOT, env=environ, check=True, stdout=subprocess.DEVNULL)
    environ |= SERVE_BUILD | ALLOCATORS
    granian = [str(BIN / "granian"), "--interface", "asgi", "--factory", "--workers", "1", "--port", str(port)]
    with running([*granian, target], port, environ) as pid:
        get(port, "/")
        yield pid


@contextmanager
def static_files(folder: Path, port: int) -> Iterator[int]:
    """Run nginx on a folder, with one worker and without an access log; yields its process id."""
    config = folder.parent / "nginx.conf"
    config.write_text(
        f"worker_processes 1; daemon off; pid {folder.parent}/nginx.pid; error_log /dev/null;\n"
        "events { worker_connections 512; }\n"
        "http { access_log off; include /etc/nginx/mime.types; default_type text/html; keepalive_requests 1000000;\n"
        f"server {{ listen {port}; root {folder}; gzip on; gzip_types text/css image/svg+xml; gzip_comp_level 9;\n"
        "location / { try_files $uri $uri.html $uri/index.html =404; } } }\n"
    )
    with running([NGINX or "nginx", "-c", str(config)], port) as pid:
        yield pid


def get(port: int, path: str, encoding: str = "identity") -> bytes:
    """The body of a response, still encoded."""
    request = urllib.request.Request(f"http://localhost:{port}{path}", headers={"Accept-Encoding": encoding})
    with urllib.request.urlopen(request, timeout=30) as answer:
        body: bytes = answer.read()
    return body


def files_for(folder: Path, port: int, paths: list[str]) -> Path:
    """Write the build and the rendered pages without scripts to a folder for `static_files`."""
    files = folder / "files"
    shutil.copytree(ROOT / ".web" / "build" / "client", files)
    for path in paths:
        page = get(port, path).decode()
        name = path[1:] or "index"
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / f"{name}.html").write_text(_without_scripts(page))
        (files / f"{name}.bin").write_bytes(get(port, path, "br"))
    return files


def bare_files(folder: Path, files: Path) -> Path:
    """Write the same pages with system typefaces to another folder."""
    bare = folder / "bare" / "files"
    shutil.copytree(files, bare, ignore=shutil.ignore_patterns("*.woff2", "*.bin"))
    for page in bare.rglob("*.html"):
        page.write_text(re.sub(r"<link\b[^>]*\.woff2[^>]*>|@font-face\{[^}]*woff2[^}]*\}", "", page.read_text()))
    return bare


def _without_scripts(html: str) -> str:
    return re.sub(r"<script\b.*?</script>|<link disabled[^>]*>", "", html, flags=re.S)
