"""The whole cluster on loopback: PostgreSQL, Redis, two backends and a proxy, each of which a test may break."""

import contextlib
import gc
import itertools
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.conftest import IS_CI, ROOT
from tests.support.ports import free_port
from tests.support.postgresql import PostgreSQL, binaries
from tests.support.waiting import wait_for

ADMIN_EMAIL = "admin@northstrait.example"
ADMIN_PASSWORD = "a-long-quiet-evening-42"
SECRET = "0123456789abcdefghijklmnopqrstuvwxyz-cluster"
REDIS_PASSWORD = "a-password-of-redis"
METRICS_TOKEN = "a-token-for-the-metrics"

FOLDER = Path(__file__).parent
HAS_ALL = bool(binaries() and shutil.which("redis-server") and shutil.which("caddy"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Crowds and outages take minutes by themselves, and a visitor whose server is killed has a socket left."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.timeout(600))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            if not HAS_ALL and not IS_CI:
                item.add_marker(pytest.mark.skip("PostgreSQL, Redis and Caddy are not all installed"))


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Let go of such sockets while their warning is still ignored."""
    yield
    gc.collect()


def answers(url: str) -> bool:
    """Whether an address answers with success."""
    try:
        with urllib.request.urlopen(url, timeout=60) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


class Program:
    """A process of the cluster that can be started, stopped and killed, any number of times."""

    def __init__(self, name: str, command: list[str], folder: Path, env: dict[str, str] | None = None) -> None:
        self.name, self.command, self.folder = name, command, folder
        self.env = {**os.environ, **(env or {})}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        path = self.folder / f"{self.name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def start(self) -> None:
        """Start, without waiting."""
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )

    def stop(self, seconds: float = 30) -> None:
        """Ask it to stop, as a supervisor would, and wait for it."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
                raise

    def kill(self) -> None:
        """End it and its children at once, as a power cut or the kernel would."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(60)

    def pause(self) -> None:
        """Let it fall silent: it holds its connections, and answers nobody."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGCONT)


class Backend(Program):
    """One process of the site."""

    def __init__(self, name: str, port: int, folder: Path, **settings: str) -> None:
        given = {"DATA_DIR": str(folder / name), **settings}
        env = {f"ADVISORY_{key}": value for key, value in given.items()}
        super().__init__(name, [sys.executable, "-m", "advisory_site", "run", "--port", str(port)], folder, env)
        self.url = f"http://127.0.0.1:{port}"

    @property
    def tabs(self) -> int:
        """How many tabs are connected to it now."""
        return self._count("advisory_sockets")

    @property
    def tab_states(self) -> int:
        """How many tabs have their state in its memory now."""
        return self._count("advisory_tab_states")

    @property
    def is_calm(self) -> bool:
        """Whether it works on no event now, and so holds nothing in Redis."""
        return self._count("advisory_events_in_flight") == 0

    def _count(self, name: str) -> int:
        asked = urllib.request.Request(f"{self.url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        with urllib.request.urlopen(asked, timeout=60) as reply:
            lines = reply.read().decode().splitlines()
        return int(float(next(line.split()[1] for line in lines if line.startswith(f"{name} "))))

    def wait(self) -> None:
        """Until it is ready for visitors."""
        try:
            wait_for(lambda: answers(f"{self.url}/readyz"), f"{self.name} is ready", 60)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.log[-3000:]}") from None


class Cluster:
    """Everything, started: `url` is what visitors see."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Data that survives a crash of the machine, as in earnest: nothing is switched off here.
        self.postgresql = PostgreSQL()
        self.postgresql.start()
        self.postgresql.execute("CREATE DATABASE firm")
        shared, first, second, proxy = (free_port() for _ in range(4))
        self.redis = Program("redis", self._redis_command(shared), folder)
        self.redis_url = f"redis://:{REDIS_PASSWORD}@127.0.0.1:{shared}/0"
        self.url = f"http://127.0.0.1:{proxy}"
        settings = {
            "DATABASE_URL": self.postgresql.url("firm"),
            "REDIS_URL": self.redis_url,
            "PUBLIC_URL": self.url,
            "ADMIN_EMAIL": ADMIN_EMAIL,
            "ADMIN_PASSWORD": ADMIN_PASSWORD,
            "SECRET_KEY": SECRET,
            "METRICS_TOKEN": METRICS_TOKEN,
            # The tests are the visitors' own last proxy: so each of them can have an address.
            "TRUSTED_PROXIES": "2",
        }
        self.backends = [
            Backend("first", first, folder, **settings),
            Backend("second", second, folder, **settings),
        ]
        self.database_url = self.postgresql.url("firm")
        self.proxy = self._proxy(proxy, first, second)

    def redis_answers(self) -> bool:
        """Whether Redis is there, and has read what it had written down."""
        with redis.Redis.from_url(self.redis_url) as connection, contextlib.suppress(redis.RedisError):
            return bool(connection.ping())
        return False

    def _redis_command(self, port: int) -> list[str]:
        """Redis as it is deployed, on loopback."""
        (self.folder / "redis").mkdir()
        compose = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
        lines = compose.partition("\n  redis:\n")[2].partition("    command:\n")[2].splitlines()
        deployed = [
            line[8:].strip('"') for line in itertools.takewhile(lambda line: line.startswith("      - "), lines)
        ]
        assert deployed[0] == "redis-server"
        filled = [word.replace("${REDIS_PASSWORD}", REDIS_PASSWORD) for word in deployed]
        return [*filled, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(self.folder / "redis")]

    def _proxy(self, port: int, *backends: int) -> Program:
        """The proxy as it is deployed, on loopback and without certificates."""
        shutil.copy(ROOT / "deploy" / "Caddyfile", self.folder / "Caddyfile")
        env = {
            "HOME": str(self.folder),
            "SITE_ADDRESS": f"http://127.0.0.1:{port}",
            "BACKENDS": " ".join(f"127.0.0.1:{backend}" for backend in backends),
        }
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]
        return Program("proxy", command, self.folder, env)

    def start(self) -> None:
        """Everything, in an order that a machine which boots would not keep either."""
        self.redis.start()
        self.proxy.start()
        for backend in self.backends:
            backend.start()
        for backend in self.backends:
            backend.wait()
        wait_for(lambda: answers(f"{self.url}/healthz"), "the proxy answers")

    def stop(self) -> None:
        """Everything, without ceremony."""
        for program in (self.proxy, *self.backends, self.redis):
            program.kill()
        self.postgresql.remove()


@pytest.fixture(scope="package")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster, started once: a test leaves it whole."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, whole before and after the test."""
    yield shared_cluster
    if shared_cluster.redis.process is None or shared_cluster.redis.process.poll() is not None:
        shared_cluster.redis.start()
    for backend in shared_cluster.backends:
        if backend.process is None or backend.process.poll() is not None:
            backend.start()
    for backend in shared_cluster.backends:
        backend.wait()
