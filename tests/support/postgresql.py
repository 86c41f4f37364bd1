"""A PostgreSQL server for tests, started on loopback in a temporary folder."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from tests.support.ports import free_port

# Faster without fsync; tests of power loss enable it.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def binaries() -> Path | None:
    """The folder of PostgreSQL's programs, or None if it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    if debian:
        return debian[-1].parent
    found = shutil.which("pg_ctl")
    return Path(found).resolve().parent if found else None


def _die_with_parent() -> None:
    """Have Linux stop the server when the test process dies."""
    if os.uname().sysname == "Linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)


class PostgreSQL:
    """A server with its own data; can be started again after `stop` or `kill`."""

    def __init__(self, port: int | None = None, **options: str) -> None:
        found = binaries()
        if found is None:
            raise RuntimeError("PostgreSQL is not installed: 'apt install postgresql' brings it.")
        self.bin, self.port, self.options = found, port or free_port(), options
        self.folder = Path(tempfile.mkdtemp(prefix="advisory-pg-"))
        self.process: subprocess.Popen[bytes] | None = None
        self._kept: dict[str, psycopg.Connection] = {}
        # PostgreSQL refuses to run as root, so as root the server runs as an unprivileged user, who owns the folder.
        self._user = "postgres" if self._exists("postgres") else "nobody"
        if os.geteuid() == 0:
            person = pwd.getpwnam(self._user)
            os.chown(self.folder, person.pw_uid, person.pw_gid)
        command = ["initdb", "--username=advisory", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self.run([*command, f"--pgdata={self.data}"]).wait()

    @staticmethod
    def _exists(name: str) -> bool:
        return any(person.pw_name == name for person in pwd.getpwall())

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def url(self, name: str = "postgres") -> str:
        """The URL of a database of this server."""
        return f"postgresql://advisory@127.0.0.1:{self.port}/{name}"

    def run(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start one of PostgreSQL's programs, or another one by its path, as the user of the server."""
        as_root = os.geteuid() == 0
        with Path(self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self.bin / command[0]), *command[1:]],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                user=self._user if as_root else None,
                group=pwd.getpwnam(self._user).pw_gid if as_root else None,
                extra_groups=[] if as_root else None,
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )

    def start(self) -> None:
        """Start, and wait until the server accepts connections."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start without waiting. Call it from the main thread, because the server ends with the calling thread."""
        options = [f"-c{name}={value}" for name, value in self.options.items()]
        here = ["-D", str(self.data), "-k", str(self.folder), "-h", "127.0.0.1", "-p", str(self.port)]
        self.process = self.run(["postgres", *here, *options])

    def wait(self) -> None:
        """Wait until the server accepts connections."""
        assert self.process is not None
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            except psycopg.OperationalError as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL did not start:\n{self.log[-3000:]}") from error
                time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server in fast mode: connections are closed, committed data is kept."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop the server like a power cut."""
        self._end(signal.SIGQUIT)

    def pause(self) -> None:
        """Freeze the server: connections stay open but get no answers."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Continue after `pause`."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, how: signal.Signals) -> None:
        """Signal the server and its backend processes, each of which has its own process group."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for process in (self.process.pid, *map(int, children)):
            os.kill(process, how)

    def _end(self, how: signal.Signals) -> None:
        self.close()
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)

    def remove(self) -> None:
        """Stop the server and delete its data."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def kept(self, name: str) -> psycopg.Connection:
        """A connection to a database that stays open until `close`: connecting takes longer than most statements."""
        if name not in self._kept:
            self._kept[name] = psycopg.connect(self.url(name), autocommit=True)
        return self._kept[name]

    def close(self) -> None:
        """Close the connections that are kept."""
        while self._kept:
            self._kept.popitem()[1].close()

    def execute(self, *statements: str) -> None:
        """Run statements outside of transactions, such as CREATE DATABASE."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
