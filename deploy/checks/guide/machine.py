"""A machine of the guide: a bare Debian in a folder, an operator's shell in it, and the stand-in for its systemd."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from deploy.checks.debian import entering, environment, make_root
from deploy.checks.guide.commands import all_commands, block_of, name_of
from deploy.checks.guide.not_run import NOT_RUN
from deploy.checks.guide.systemd import Systemd

ROOT = Path(__file__).parents[3]
SUITE = "bookworm"  # Debian 12, which the guide names
# What Debian's installer adds to the essential packages, as far as a package or the site might notice.
INSTALLED = ("systemd-sysv", "procps", "iproute2")
DOMAIN = "northstrait.localhost"  # Caddy signs certificates for it by itself
SOURCE = "/usr/local/src/northstrait"
TIMEOUT = 900.0
_END = "\036"


class Failed(Exception):
    """A command or a promise of the guide does not hold."""


class Guide:
    """What was run of the guide, and the log."""

    def __init__(self, log: TextIO) -> None:
        self.log = log
        self.ran: set[str] = set()
        self.slow: list[tuple[float, str]] = []
        self._started = time.monotonic()

    def say(self, text: str) -> None:
        """Print a line, with the seconds since the start."""
        line = f"{time.monotonic() - self._started:6.0f} s  {text}"
        print(line, flush=True)
        print(line, file=self.log, flush=True)

    def note(self, command: str, seconds: float) -> None:
        """Count a command of the guide as run."""
        self.ran.add(name_of(command))
        self.slow.append((seconds, name_of(command).splitlines()[0][:90]))

    def left_out(self) -> list[str]:
        """The commands that were neither run nor are on the list of those that cannot be run."""
        return [command for command in all_commands() if command not in self.ran and command not in NOT_RUN]


class Machine:
    """A Debian with nothing but the source of the site."""

    def __init__(self, guide: Guide, folder: Path, name: str) -> None:
        self.guide, self.root, self.name = guide, folder / name, name
        if not self.root.exists():
            guide.say(f"{name}: a bare Debian {SUITE}")
            make_root(self.root, SUITE, INSTALLED)
            self.copy_source()
        self.systemd = Systemd(self.root)
        self.shell = self._open_shell()

    def close(self) -> None:
        """Switch the machine off."""
        if self.shell.poll() is None:
            os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()
        self.systemd.close()

    def reboot(self) -> None:
        """Switch it off and on; /run and /tmp are empty then."""
        self.guide.say(f"{self.name}: reboot")
        self.close()
        for name in ("run", "tmp"):
            for path in (self.root / name).iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        # What systemd-tmpfiles does at the start of Debian.
        (self.root / "run" / "lock").mkdir(mode=0o1777)
        self.systemd = Systemd(self.root)
        self.shell = self._open_shell()
        self.run("[ ! -d /etc/postgresql ] || install -d -o postgres -g postgres -m 2775 /run/postgresql")
        self.systemd.boot()

    def copy_source(self) -> None:
        """Put this source into its folder, without what git ignores."""
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        folder = self.root / SOURCE.lstrip("/")
        shutil.rmtree(folder, ignore_errors=True)
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)

    def follow(
        self, section: str, number: int, values: Mapping[str, str] | None = None, *, without: str | None = None
    ) -> str:
        """Run the commands of a block of the guide, as they are printed; returns what they print.

        `values` replaces placeholders. A command with the text `without` is left out.
        """
        wanted = list(block_of(section, number).commands)
        if without is not None:
            kept = [command for command in wanted if without not in command]
            _check_values({without: ""} if kept == wanted else None, "")
            wanted = kept
        _check_values(values, "\n".join(wanted))
        return "".join(self._printed(command, values or {}) for command in wanted)

    def printed(
        self,
        command: str,
        values: Mapping[str, str] | None = None,
        *,
        typed: str = "",
        status: int = 0,
        in_background: bool = False,
    ) -> str:
        """Run one command that the guide prints; returns what it prints."""
        if name_of(command) not in all_commands():
            sys.exit(f"docs/deploy.md no longer prints: {command}")
        _check_values(values, command)
        end = " >/dev/null 2>&1 &" if in_background else ""
        return self._printed(command, values or {}, end, typed=typed, status=status)

    def _printed(
        self, command: str, values: Mapping[str, str], end: str = "", *, typed: str = "", status: int = 0
    ) -> str:
        text = command.replace("northstrait.example", DOMAIN) + end
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        self.guide.say(f"{self.name}$ {name_of(text).splitlines()[0]}")
        started = time.monotonic()
        output = self.run(text, typed=typed, status=status)
        self.guide.note(command, time.monotonic() - started)
        return output

    def run(self, text: str, *, typed: str = "", status: int = 0) -> str:
        """Run commands in the shell of the operator, which keeps its variables; raises `Failed` for another status."""
        assert self.shell.stdin and self.shell.stdout
        (self.root / "run" / "stand-in" / "command").write_text(text + "\n", encoding="utf-8")
        (self.root / "run" / "stand-in" / "typed").write_text(typed, encoding="utf-8")
        timer = threading.Timer(TIMEOUT, os.killpg, (self.shell.pid, signal.SIGKILL))
        timer.start()
        line = ". /run/stand-in/command </run/stand-in/typed; printf '%s%s\\n' $'\\036' $?\n"
        self.shell.stdin.write(line)
        self.shell.stdin.flush()
        output = ""
        for line in self.shell.stdout:
            before, found, after = line.partition(_END)
            output += before
            print(before, end="", file=self.guide.log, flush=True)
            if found:
                timer.cancel()
                if int(after) != status:
                    raise Failed(f"{self.name}: status {int(after)} and not {status}:\n{text}\n{output[-3000:]}")
                return output
        raise Failed(f"{self.name}: the shell ended, or took more than {TIMEOUT:.0f} s:\n{text}\n{output[-3000:]}")

    def path(self, name: str) -> Path:
        """A path of the machine, as it is seen from here."""
        return self.root / name.lstrip("/")

    def _open_shell(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            entering(self.root, ["bash", "--norc"], cwd=SOURCE),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )


def _check_values(values: Mapping[str, str] | None, text: str) -> None:
    """A placeholder that the guide no longer prints is an error."""
    if missing := [placeholder for placeholder in values or {} if placeholder not in text]:
        sys.exit(f"docs/deploy.md no longer prints {missing} in:\n{text}")
