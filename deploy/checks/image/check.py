"""Builds the image and runs it as deploy/compose.yaml says, without Docker, and says what it found. Needs root.

    make image-check
    make image-check ARGS="--build-arg TRACING=yes --keep FOLDER"

docs/deploy.md says what this does not prove.
"""

import argparse
import ctypes
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode, urljoin

from deploy.checks.image import compose
from deploy.checks.image.builder import BuildFailed, Image, build
from deploy.checks.image.compose import Service
from deploy.checks.image.container import Container
from deploy.checks.image.containerfile import NotKnown
from deploy.checks.image.contents import inspect, lay_context
from tests.support.postgresql import PostgreSQL
from tests.support.release import COLUMN_MIGRATION
from tests.support.waiting import wait_for

ROOT = Path(__file__).parents[3]
SITE = "http://127.0.0.1:3000"
DOMAIN = "northstrait.example"
# As the proxy passes requests on.
PROXIED = {"Host": DOMAIN, "X-Forwarded-For": "192.0.2.10", "X-Forwarded-Proto": "https"}
NEW_NETWORK = 0x40000000  # CLONE_NEWNET
TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "webp": "image/webp",
    "avif": "image/avif",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ico": "image/",
    "woff2": "font/woff2",
    "jpg": "image/jpeg",
    "webmanifest": "application/manifest+json",
}


def say(text: str) -> None:
    print(text, flush=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Print a step, and afterwards how long it took."""
    began = time.monotonic()
    say(f"{title} ...")
    yield
    say(f"  done in {time.monotonic() - began:.1f} s")


def next_version(image: Image, root: Path, head: str) -> Image:
    """The image of a version that moves the schema; it shares the other files, which no container can change."""
    subprocess.run(["cp", "--archive", "--link", image.root, root], check=True)
    (root / "site/alembic/versions/9999_next.py").write_text(COLUMN_MIGRATION.format(head=head))
    return replace(image, root=root)


class Cluster:
    """What containers are started with: the services of the compose file, and the volumes of one installation."""

    def __init__(self, folder: Path, init: Path, services: Mapping[str, Service]) -> None:
        self.folder, self.init, self.services = folder, init, services
        self.number = 0

    def container(self, image: Image, name: str) -> Container:
        """A container of a service, which is not started yet."""
        self.number += 1
        hosts = dict.fromkeys(("database", "redis"), "127.0.0.1")
        logs = self.folder / f"{self.number}-{name}"
        return Container(image, self.services[name], self.folder / "volumes", logs, init=self.init, hosts=hosts)

    def run(self, image: Image, name: str, *command: str) -> str:
        """Run a command as "docker compose run --rm" does, or that of the service; what it printed."""
        container = self.container(image, name)
        try:
            container.start(command)
            status = container.wait(300)
        finally:
            container.kill()
        assert status == 0, f"'{' '.join(command)}' in {name} ended with {status}:\n{container.log[-4000:]}"
        return container.log


@dataclass(frozen=True)
class Answer:
    """A response of the site."""

    status: int
    kind: str
    text: str


def ask(path: str, data: bytes | None = None, **more: str) -> Answer:
    """Send a request as the proxy does, a POST if there is data."""
    headers = {**PROXIED, **{name.replace("_", "-"): value for name, value in more.items()}}
    try:
        reply = urllib.request.urlopen(urllib.request.Request(f"{SITE}{path}", data, headers), timeout=30)
    except urllib.error.HTTPError as error:
        reply = error
    except OSError as error:
        return Answer(0, "", str(error))
    with reply:
        return Answer(reply.status, reply.headers["Content-Type"] or "", reply.read().decode("utf-8", "replace"))


def read_pages() -> int:
    """Read pages, and all files that they name; the number of files."""
    files: set[str] = set()
    for path in ("/", "/companies", "/team", "/advisors", "/contact", "/auth"):
        answer = ask(path)
        assert answer.status == 200 and "</html>" in answer.text, f"{path}: {answer.status}"
        assert path == "/auth" or "<h1" in answer.text, f"{path} has no headline without scripts"
        named = re.findall(r'(?:src|href)="([^"#?]+\.\w+)[^"]*"', answer.text)
        files |= {name for name in (urljoin(path, name) for name in named) if name.startswith("/")}
    for name in sorted(files):
        answer, kind = ask(name), TYPES.get(name.rpartition(".")[2], "")
        assert answer.status == 200, f"{name}: {answer.status}"
        assert answer.kind.startswith(kind), f"{name} is {answer.kind}, and not {kind}"
    return len(files)


def enquire(email: str) -> None:
    """Send the contact form as a browser without scripts does."""
    filled = {"firstName": "Ann", "lastName": "Lim", "email": email, "message": "Do you invest in kelp?"}
    origin = {"Origin": f"https://{DOMAIN}", "Content_Type": "application/x-www-form-urlencoded"}
    answer = ask("/contact", urlencode(filled).encode(), **origin)
    assert answer.status == 200 and "Your message has reached us" in answer.text, f"the enquiry: {answer.status}"


def is_stored(container: Container, email: str) -> bool:
    """Whether the site has the enquiry, by its own command."""
    done = container.exec([".venv/bin/python", "-m", "advisory_site", "personal-data", email])
    assert done.returncode == 0, done.stdout + done.stderr
    return "1  Enquiries" in done.stdout


def look_at(container: Container) -> None:
    """The rights of all processes of a container, and its file system."""
    service = container.service
    status = container.exec(["/bin/sh", "-c", "cat /proc/[0-9]*/status"]).stdout
    expected = {"Uid": str(container.image.numbers_of(container.image.user)[0]), "CapEff": "0" * 16}
    if "ALL" in service.dropped:
        expected["CapBnd"] = "0" * 16
    if not service.has_new_privileges:
        expected["NoNewPrivs"] = "1"
    for name, value in expected.items():
        found = set(re.findall(rf"^{name}:\t(\w+)", status, re.MULTILINE))
        assert found == {value}, f"a process has {name} {found}, and not {value}"
    if service.is_read_only:
        refused = container.exec(["/bin/sh", "-c", "touch /site/x ~/x /var/tmp/x"]).stderr
        assert refused.count("Read-only file system") == 3, f"the file system is not read-only: {refused}"


def started(container: Container, title: str) -> None:
    """Start a container, and say when it was healthy and ready."""
    began = time.monotonic()
    container.start()
    healthy = container.wait_until_healthy()
    wait_for(lambda: ask("/readyz").status == 200, "the site is ready", 60)
    ready = time.monotonic() - began
    say(f"  {title}: healthy after {healthy:.1f} s, ready after {ready:.1f} s")


def stopped(container: Container) -> None:
    """Stop a container, and say what it has used."""
    assert container.limits is not None
    (memory, processes), refused = container.limits.most(), container.limits.refused()
    assert refused == 0, f"a limit of memory or processes was reached {refused} times"
    status, seconds = container.stop()
    assert status == 0, f"ended with {status}:\n{container.log[-4000:]}"
    assert "Traceback" not in container.log and '"level": "ERROR"' not in container.log, container.log[-8000:]
    limits = f"{memory / 1e6:.0f} of {container.service.memory / 1e6:.0f} MB"
    processes_of = f"{processes} of {container.service.processes} processes and threads"
    say(f"  stopped after {seconds:.1f} of {container.service.grace:.0f} s; it took {limits}, {processes_of}")


def live(cluster: Cluster, image: Image, newer: Image, *, is_cluster: bool) -> None:
    """The life of an installation: first start, enquiries, restart, backup, upgrade."""
    first, second = (f"{name}-{secrets.token_hex(4)}@kelp.example" for name in ("first", "second"))
    container = cluster.container(image, "first")
    try:
        started(container, "first start")
        assert re.search(r"First admin: \S+@northstrait\.example", container.log), container.log
        look_at(container)
        say(f"  pages and {read_pages()} files read")
        enquire(first)
        assert is_stored(container, first)
        checked = container.exec([".venv/bin/python", "-m", "advisory_site", "check"])
        assert checked.returncode == 0, checked.stdout + checked.stderr
        stopped(container)
        started(container, "restart")
        assert is_stored(container, first), "the enquiry is lost after a restart"
        if is_cluster:
            cluster.run(image, "backup")
            said = cluster.run(image, "backup", ".venv/bin/python", "-m", "advisory_site", "rehearse")
            say(f"  backup and rehearsal: {said.strip().splitlines()[-1][:100]}")
            # As deploy/release-containers does, while the older version is served.
            command = (".venv/bin/python", "-m", "advisory_site")
            cluster.run(newer, "backup", *command, "check", "--start")
            cluster.run(newer, "backup", *command, "migrate")
            enquire(second)
        stopped(container)
        container = cluster.container(newer, "first")
        started(container, "upgrade")
        assert is_stored(container, first), "the enquiry is lost after an upgrade"
        assert is_stored(container, second) == is_cluster
        kept = container.exec(["ls", "/data/backups"]).stdout.split()
        assert kept and all(name.startswith("schema-") for name in kept), "no backup was made before the migration"
        stopped(container)
    finally:
        container.kill()


def head_of(cluster: Cluster, image: Image) -> str:
    """The schema that the image needs, as deploy/release-containers asks for it."""
    script = (ROOT / "deploy/release-containers").read_text(encoding="utf-8")
    [question] = re.findall(r"^head_of\(\) \{\n[^\n]* -c '(.*?)'$", script, re.MULTILINE | re.DOTALL)
    return cluster.run(image, "asked", ".venv/bin/python", "-c", question).strip()


def without_cluster(service: Service) -> Service:
    """The same container by "docker run" without Compose's init, with SQLite in the image's own volume."""
    emptied = {"ADVISORY_DATABASE_URL": "", "ADVISORY_REDIS_URL": ""}
    return replace(service, environment=service.environment | emptied, volumes=(), has_init=False)


@contextmanager
def servers(folder: Path, redis: Service) -> Iterator[None]:
    """PostgreSQL and Redis of this machine, at the addresses of those of the compose file."""
    postgresql = PostgreSQL(5432)
    assert redis.command
    command = [shutil.which("redis-server") or "", *redis.command[1:], "--dir", str(folder), "--bind", "127.0.0.1"]
    store = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        postgresql.start()
        postgresql.execute("CREATE DATABASE advisory")
        yield
    finally:
        postgresql.remove()
        store.terminate()
        store.wait(30)


def check(folder: Path, arguments: Mapping[str, str]) -> None:
    """Everything, in a folder."""
    (folder / "context").mkdir()
    lay_context(folder / "context")
    with step("Reading deploy/compose.yaml by Docker Compose"):
        guide = (ROOT / "docs/deploy.md").read_text(encoding="utf-8")
        tools = folder / "tools"
        services = compose.read(ROOT / "deploy/compose.yaml", compose.settings_of_the_guide(guide), tools)
    with step("Building deploy/Containerfile"):
        text = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")
        image = build(folder / "context", text, folder / "stages", arguments, say)
    with step("Looking for what does not belong into the image"):
        inspect(image)
        assert image.ports == (3000,) and image.volumes and image.healthcheck
    # From here on the containers have a network of their own, with the ports and without the internet.
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "no network of its own")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    alone = {"first": without_cluster(services["first"]), "asked": Service(None, {})}
    init = tools / "srv/init"
    one = Cluster(folder / "one", init, alone)
    with step("Making the image of a version with a newer schema"):
        newer = next_version(image, folder / "newer", head_of(one, image))
    with step("Running it with SQLite"):
        live(one, image, newer, is_cluster=False)
    (folder / "redis").mkdir()
    with step("Running it with PostgreSQL and Redis"), servers(folder / "redis", services["redis"]):
        live(Cluster(folder / "cluster", init, services), image, newer, is_cluster=True)


def main() -> None:
    """Read the arguments, and check; the exit status is 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-arg", action="append", default=[], metavar="NAME=VALUE", help="as of docker build")
    parser.add_argument("--keep", type=Path, help="a new folder for roots, volumes and logs, which is not deleted")
    given = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("This needs root: it mounts file systems, and runs the image as its own user.")
    began = time.monotonic()
    arguments = dict(argument.split("=", 1) for argument in given.build_arg)
    made = given.keep or Path(tempfile.mkdtemp(prefix="northstrait-image-"))
    made.mkdir(exist_ok=True)
    made.chmod(0o755)  # the user of the image passes through it
    try:
        check(made, arguments)
    except (AssertionError, BuildFailed, NotKnown) as error:
        sys.exit(f"\nThe image is wrong: {error}")
    finally:
        if not given.keep:
            shutil.rmtree(made, ignore_errors=True)
    say(f"The image is fine ({time.monotonic() - began:.0f} s).")


if __name__ == "__main__":
    main()
