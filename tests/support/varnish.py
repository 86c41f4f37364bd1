"""Varnish on loopback with the file of deploy/, in front of a running site."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.support.ports import free_port

ROOT = Path(__file__).parents[2]


def varnishd() -> str | None:
    """The program, or None if it is not installed; asked anew, because `install_services.py` may install it."""
    return shutil.which("varnishd", path=os.environ["PATH"] + ":/usr/sbin")


class Varnish:
    """A cache for the site at a port; `more` is VCL that comes before ours."""

    def __init__(self, folder: Path, site_port: int, token: str, more: str = "", port: int | None = None) -> None:
        deployed = (ROOT / "deploy" / "varnish.vcl").read_text(encoding="utf-8")
        version, _, rest = deployed.replace('.port = "3000"', f'.port = "{site_port}"').partition("\n")
        self._file = folder / "varnish.vcl"
        self._file.write_text(f"{version}\n{more}\n{rest}", encoding="utf-8")
        self._folder, self._token = folder, token
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def command(self) -> list[str]:
        """The command that runs it."""
        # "-j none": as root it would run as another user, who cannot read the folders of tests.
        command = [varnishd() or "varnishd", "-j", "none", "-F", "-n", str(self._folder / "varnish")]
        command += ["-f", str(self._file), "-a", f"127.0.0.1:{self.port}", "-s", "default,64m"]
        return [*command, "-p", "http_gzip_support=off"]

    def start(self) -> None:
        """Start without waiting."""
        with (self._folder / "varnish.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, env={**os.environ, "PURGE_TOKEN": self._token}, stdout=log, stderr=subprocess.STDOUT
            )

    def stop(self) -> None:
        """Stop, and wait for it."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(30)
