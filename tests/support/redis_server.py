"""A Redis server for tests, started on loopback in a temporary folder."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from redis import Redis, RedisError

from tests.support.ports import free_port
from tests.support.waiting import wait_for

PASSWORD = "secret-word"


def is_installed() -> bool:
    """Whether there is a Redis to start."""
    return shutil.which("redis-server") is not None


@contextmanager
def redis_server(folder: Path) -> Iterator[Redis]:
    """A connection to a new server with the password, which ends with the block."""
    port = free_port()
    listen = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    command = ["redis-server", *listen, "--requirepass", PASSWORD]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            with Redis(port=port, password=PASSWORD) as client:
                wait_for(lambda: _answers(client), "Redis answers")
                yield client
        finally:
            process.kill()


def url_of(client: Redis, password: str = PASSWORD, number: int = 0) -> str:
    """The URL of a server, as the setting takes it."""
    return f"redis://:{password}@127.0.0.1:{client.get_connection_kwargs()['port']}/{number}"


def send(client: Redis, command: str) -> None:
    """Send a command as it is written."""
    client.execute_command(*command.split())  # type: ignore[no-untyped-call]  # redis gives it no types


def _answers(client: Redis) -> bool:
    with suppress(RedisError):
        return bool(client.ping())
    return False


# What makes a server refuse to store, the word for it in the health check, and the sentence of the command `check`.
REFUSALS = (
    ("CONFIG SET maxmemory 1 maxmemory-policy noeviction", "full", "is full: command not allowed when used memory"),
    ("REPLICAOF 127.0.0.1 1", "read only", "is read only: You can't write against a read only replica"),
    ("CONFIG SET min-replicas-to-write 1", "refuses", "refuses to store: NOREPLICAS Not enough good replicas"),
    ("CONFIG SET requirepass another", "refuses", "refuses to store: invalid username-password pair"),
    ("CONFIG SET maxclients 1", "refuses", "refuses to store: max number of clients reached"),
    ("ACL SETUSER default -set", "refuses", "refuses to store: "),
)
