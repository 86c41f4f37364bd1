"""A private PostgreSQL server for tests: found on this machine, started on loopback in a temporary folder."""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

# Tests may lose their data with the machine; what they prove about lost power they prove with fsync on.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def binaries() -> Path | None:
    """The folder of PostgreSQL's programs, or None where it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    if debian:
        return debian[-1].parent
    found = shutil.which("pg_ctl")
    return Path(found).resolve().parent if found else None


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _die_with_parent() -> None:
    """Ask Linux to stop the server when the tests are killed, so that none is ever left behind."""
    if os.uname().sysname == "Linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)


class PostgreSQL:
    """One server with its own data; `start`, `stop` and `kill` may follow one another."""

    def __init__(self, port: int | None = None, **options: str) -> None:
        found = binaries()
        if found is None:
            raise RuntimeError("PostgreSQL is not installed: 'apt install postgresql' brings it.")
        self.bin, self.port, self.options = found, port or free_port(), options
        self.folder = Path(tempfile.mkdtemp(prefix="advisory-pg-"))
        self.process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root, so root lends the folder to a person without rights.
        self._user = "postgres" if self._exists("postgres") else "nobody"
        if os.geteuid() == 0:
            person = pwd.getpwnam(self._user)
            os.chown(self.folder, person.pw_uid, person.pw_gid)
        command = ["initdb", "--username=advisory", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self._run([*command, f"--pgdata={self.data}"]).wait()

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
        """Where a database of this server answers."""
        return f"postgresql://advisory@127.0.0.1:{self.port}/{name}"

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
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
        """Start, and wait until the server takes connections."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start without waiting; from the main thread, with which the server shall end."""
        options = [f"-c{name}={value}" for name, value in self.options.items()]
        here = ["-D", str(self.data), "-k", str(self.folder), "-h", "127.0.0.1", "-p", str(self.port)]
        self.process = self._run(["postgres", *here, *options])

    def wait(self) -> None:
        """Until the server takes connections."""
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
        """Stop as an administrator would: connections are cut, nothing committed is lost."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop as a power cut would."""
        self._end(signal.SIGQUIT)

    def pause(self) -> None:
        """Let it fall silent: it holds its connections, and answers nobody."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, how: signal.Signals) -> None:
        """Signal the server and its processes for connections, each of which leads a group of its own."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for process in (self.process.pid, *map(int, children)):
            os.kill(process, how)

    def _end(self, how: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)

    def remove(self) -> None:
        """Stop and forget everything."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, *statements: str) -> None:
        """Run statements that stand outside of transactions, such as CREATE DATABASE."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
