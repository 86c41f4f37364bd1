"""One server at a port; a second one is refused with the reason, before it has done anything."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sitekit.ops.port import claim
from tests.conftest import ROOT
from tests.support.ports import free_port

HOST = "127.0.0.1"


def listening(port: int, option: int | None) -> socket.socket:
    """Another server; with SO_REUSEPORT it would share its port with whoever wants to."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if option is not None:
        server.setsockopt(socket.SOL_SOCKET, option, 1)
    server.bind((HOST, port))
    server.listen()
    return server


@pytest.mark.parametrize("option", [None, socket.SO_REUSEPORT])
@pytest.mark.parametrize("host", [HOST, "0.0.0.0"])
def test_a_port_in_use_is_refused(option: int | None, host: str) -> None:
    port = free_port()
    with listening(port, option), pytest.raises(SystemExit, match=f"Port {port} is taken"):
        claim(host, port)


@pytest.mark.skipif(sys.platform != "linux", reason="names of this kind are Linux's")
def test_one_of_two_concurrent_starts_gets_the_port() -> None:
    port = free_port()
    held = claim(HOST, port)
    assert held is not None
    with held, pytest.raises(SystemExit, match=f"Port {port} is taken"):
        claim(HOST, port)
    again = claim(HOST, port)
    assert again is not None
    again.close()


def test_a_refused_start_does_not_hold_the_port() -> None:
    port = free_port()
    with listening(port, None), pytest.raises(SystemExit) as refusal:
        claim(HOST, port)
    held = claim(HOST, port)
    assert held is not None, refusal
    held.close()


def test_a_recently_released_port_is_free() -> None:
    port = free_port()
    with listening(port, None) as server, socket.create_connection((HOST, port)) as visitor:
        accepted, _ = server.accept()
        accepted.close()  # the side that closes first waits
        visitor.recv(1)
    held = claim(HOST, port)
    assert held is not None
    held.close()


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_unusable_address_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    def look_up(name: str, *args: Any, **options: Any) -> Any:
        """Like the system's, which would ask the network for a name, and may wait for it."""
        if name == "nowhere.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return getaddrinfo(name, *args, **options)

    getaddrinfo = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(SystemExit, match=f"{host} is not an address of this machine"):
        claim(host, 40_000)


def test_a_second_run_is_refused_before_it_creates_anything(tmp_path: Path) -> None:
    port = free_port()
    environ = os.environ | {"ADVISORY_DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-m", "advisory_site", "run", "--port", str(port)]
    with listening(port, socket.SO_REUSEPORT):
        done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.strip().startswith(f"Port {port} is taken")
    assert "Serving" not in done.stdout
    assert not (tmp_path / "data").exists()


def test_the_link_for_the_first_admin_has_the_chosen_port(tmp_path: Path) -> None:
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {"ADVISORY_DATA_DIR": str(tmp_path / "data"), "ADVISORY_BCRYPT_COST": "4"}
    command = [sys.executable, "-m", "advisory_site", "run", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "sign in" in line or "Serving" in line)
        process.terminate()
        process.stdout.read()
    assert said.split()[-1] == f"http://localhost:{port}/auth"
