"""Runs the script in a network of its own, from which the internet can be reached: its ports are free."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.waiting import wait_for

_INSIDE = "GUIDE_NETWORK"
# The name server that slirp4netns has.
_NAME_SERVER = "nameserver 10.0.2.3\n"
_BEGIN = 'read -r _ && ip link set lo up && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"'


def is_inside() -> bool:
    """Whether this process is in that network already."""
    return _INSIDE in os.environ


def run_inside(module: str) -> int:
    """Run a module with the arguments of this command in a network of its own; returns its status."""
    if shutil.which("slirp4netns") is None:
        for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "slirp4netns"]):
            subprocess.run(["apt-get", *command], check=True, stdout=subprocess.DEVNULL)
    with tempfile.NamedTemporaryFile("w", prefix="resolv-") as resolver:
        resolver.write(_NAME_SERVER)
        resolver.flush()
        Path(resolver.name).chmod(0o644)
        again = [sys.executable, "-m", module, *sys.argv[1:]]
        child = subprocess.Popen(
            [
                "unshare",
                "--net",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                _BEGIN,
                "sh",
                resolver.name,
                *again,
            ],
            env={**os.environ, _INSIDE: "yes"},
            stdin=subprocess.PIPE,
            text=True,
        )
        assert child.stdin
        wait_for(lambda: _network(child.pid) != _network(os.getpid()), "unshare makes a network")
        ready, written = os.pipe()
        slirp = subprocess.Popen(
            ["slirp4netns", "--configure", "--mtu=65520", f"--ready-fd={written}", str(child.pid), "tap0"],
            pass_fds=[written],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(written)
        if not os.read(ready, 1):
            child.kill()
            raise RuntimeError("slirp4netns did not start")
        try:
            child.communicate("\n")
            return child.returncode
        finally:
            for process in (child, slirp):
                process.terminate()
                process.wait()


def _network(pid: int) -> str:
    return str(Path(f"/proc/{pid}/ns/net").readlink())
