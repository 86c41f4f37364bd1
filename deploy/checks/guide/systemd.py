"""Stands in for systemd in a root: starts and stops what the units say, as their user, with their environment.

What it knows of a unit: ExecStart, ExecReload, ExecStop, Type, User, Group, AmbientCapabilities, NoNewPrivileges,
WorkingDirectory, Environment, EnvironmentFile, StateDirectory and RuntimeDirectory with their modes, UMask, Restart,
RestartSec, TimeoutStopSec, WantedBy, and drop-ins. It sets neither limits nor sandboxes, does not know the order of
units, and timers start nothing.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deploy.checks.debian import entering, environment

CLIENT = Path(__file__).with_name("systemctl")
SEPARATOR = "\037"
_FOLDERS = ("etc/systemd/system", "lib/systemd/system")
_KINDS = r"\.(service|timer|target|socket|path|mount)$"
STOP_TIMEOUT = 90.0
# A program that ends at once has failed to start.
SETTLED = 0.3


@dataclass
class Unit:
    """A unit file with its drop-ins: the values of each key, in their order."""

    name: str
    values: dict[str, list[str]] = field(default_factory=dict)

    def all(self, key: str) -> list[str]:
        """The values of a key that may be set several times; an empty one drops those before it."""
        found: list[str] = []
        for value in self.values.get(key, []):
            found = [*found, value] if value else []
        return found

    def last(self, key: str, default: str = "") -> str:
        """The value of a key that counts once."""
        return (self.all(key) or [default])[-1]


@dataclass
class Service:
    """A service that was started."""

    process: subprocess.Popen[bytes] | None = None
    restarts: int = 0
    is_wanted: bool = True


class Systemd:
    """Answers the calls of `systemctl` and `journalctl` in a root, until it is closed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._services: dict[str, Service] = {}
        self._is_closed = False
        folder = root / "run" / "stand-in"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # Debian's packages look for this folder, and start their services by systemctl if it is there.
        (root / "run" / "systemd" / "system").mkdir(parents=True, exist_ok=True)
        self._logs = root / "var" / "log" / "stand-in"
        self._logs.mkdir(parents=True, exist_ok=True)
        for name in ("systemctl", "journalctl"):
            # In place of the real ones, because some packages call them by their path.
            (root / "usr" / "bin" / name).unlink(missing_ok=True)
            shutil.copy(CLIENT, root / "usr" / "bin" / name)
        self._calls = folder / "calls"
        os.mkfifo(self._calls)
        self._thread = threading.Thread(target=self._answer_calls, daemon=True)
        self._thread.start()

    def boot(self) -> None:
        """Start all units that are enabled."""
        wanted = self.root / "etc" / "systemd" / "system" / "multi-user.target.wants"
        for link in sorted(wanted.iterdir() if wanted.exists() else []):
            if link.suffix == ".service":
                self._start(link.name)

    def close(self) -> None:
        """Stop all services, and kill what is left in the root."""
        self._is_closed = True
        with suppress(OSError):
            self._calls.write_text("\n")
        self._thread.join(timeout=STOP_TIMEOUT)
        # Then a call fails, and does not wait for an answer.
        shutil.rmtree(self._calls.parent, ignore_errors=True)
        for name in list(self._services):
            with suppress(Exception):
                self._stop(name)
        for pid in self._inside():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def last_lines(self) -> Iterator[tuple[str, str]]:
        """The end of each service's log."""
        for log in sorted(self._logs.iterdir()):
            yield log.name, log.read_text(errors="replace")[-4000:]

    def _inside(self) -> list[int]:
        """The processes whose root is this folder."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (folder / "root").readlink() == self.root:
                    found.append(int(folder.name))
        return found

    def _answer_calls(self) -> None:
        # Also opened for writing, so that it does not end with the first caller.
        with os.fdopen(os.open(self._calls, os.O_RDWR), encoding="utf-8", errors="replace") as calls:
            while not self._is_closed:
                line = calls.readline().rstrip("\n")
                if not line:
                    continue
                answer, program, *arguments = line.removesuffix(SEPARATOR).split(SEPARATOR)
                try:
                    status, text = self._journal(arguments) if program == "journalctl" else self._call(arguments)
                except Exception as error:
                    status, text = 1, f"{program}: {error}\n"
                with suppress(OSError), (self.root / answer.lstrip("/")).open("w", encoding="utf-8") as reply:
                    reply.write(f"{status}\n{text}")

    def _call(self, arguments: list[str]) -> tuple[int, str]:
        text = re.sub(r"(-p|--property) (?=\w)", "--property=", " ".join(arguments))
        options = [word for word in text.split() if word.startswith("-")]
        verb, *names = [word for word in text.split() if not word.startswith("-")] or [""]
        names = [name if re.search(_KINDS, name) else f"{name}.service" for name in names]
        each: dict[str, Callable[[str], None]] = {
            "start": self._start,
            "stop": self._stop,
            "restart": self._restart,
            "try-restart": self._try_restart,
            "reload": self._reload,
            "reload-or-restart": self._restart,
            "enable": lambda name: self._enable(name, now="--now" in options),
            "preset": self._preset,
            "disable": lambda name: self._disable(name, now="--now" in options),
            "reset-failed": self._reset,
        }
        if verb == "show":
            return 0, "".join(self._shown(option, name) for name in names for option in options)
        if verb in ("is-active", "is-failed", "status"):
            states = ["active" if self._runs(name) else "inactive" for name in names]
            return (0 if "active" in states else 3), "".join(f"{state}\n" for state in states)
        if verb == "is-enabled":
            is_enabled = [bool(self._links(name)) for name in names]
            return (0 if all(is_enabled) else 1), "".join("enabled\n" if one else "disabled\n" for one in is_enabled)
        if verb in ("daemon-reload", "daemon-reexec", "unmask", "mask"):
            return 0, ""
        if verb not in each:
            raise ValueError(f"the stand-in does not know 'systemctl {' '.join(arguments)}'")
        for name in names:
            each[verb](name)
        return 0, ""

    def _journal(self, arguments: list[str]) -> tuple[int, str]:
        units, lines, rest = [], 0, list(arguments)
        while rest:
            word = rest.pop(0)
            if word == "-u":
                units.append(rest.pop(0))
            elif word == "-n":
                lines = int(rest.pop(0))
            elif word == "-o" and rest.pop(0) == "cat":
                continue
            else:
                raise ValueError(f"the stand-in does not know 'journalctl {' '.join(arguments)}'")
        logs = [self._logs / f"{unit.removesuffix('.service')}.log" for unit in units]
        found = [line for log in logs if log.exists() for line in log.read_text(errors="replace").splitlines()]
        return 0, "".join(f"{line}\n" for line in found[-lines:])

    def _shown(self, option: str, name: str) -> str:
        service = self._services.get(name, Service())
        known = {
            "NRestarts": str(service.restarts),
            "ActiveState": "active" if self._runs(name) else "inactive",
            "LoadState": "loaded" if self._files(name) else "not-found",
        }
        wanted = option.partition("=")[2].split(",") if option.startswith("--property=") else []
        return "".join(f"{known.get(one, '')}\n" for one in wanted)

    def _start(self, name: str) -> None:
        if self._runs(name):
            return
        if not name.endswith(".service"):
            self._unit(name)
            self._services[name] = Service()
            return
        unit, service = self._unit(name), Service()
        self._services[name] = service
        # In the journal of a unit are also systemd's own lines about it.
        self._note(name, f"Starting {name} - {unit.last('Description')}...")
        self._make_folders(unit)
        kind, commands = unit.last("Type", "simple"), unit.all("ExecStart")
        if kind in ("oneshot", "forking"):
            for command in commands:
                status = self._launch(unit, command).wait()
                if status and not command.startswith("-"):
                    raise RuntimeError(f"Job for {name} failed: '{command}' ended with {status}")
            service.is_wanted = kind == "forking"
        else:
            service.process = self._launch(unit, commands[0])
            with suppress(subprocess.TimeoutExpired):
                # What is to be restarted is; systemctl waits for nothing.
                service.process.wait(SETTLED)
            threading.Thread(target=self._watch, args=(unit, service), daemon=True).start()
        # Debian's postgresql.service is only a name for those of the clusters.
        for cluster in self._clusters(name):
            self._start(cluster)

    def _watch(self, unit: Unit, service: Service) -> None:
        """Start a service again whenever it ends, if its unit says so."""
        while service.process:
            status = service.process.wait()
            again = unit.last("Restart") == "always" or (unit.last("Restart") == "on-failure" and status)
            if not service.is_wanted or not again:
                return
            time.sleep(_seconds(unit.last("RestartSec", "100ms")))
            if service.is_wanted:
                service.restarts += 1
                service.process = self._launch(unit, unit.all("ExecStart")[0])

    def _stop(self, name: str) -> None:
        for cluster in self._clusters(name):
            self._stop(cluster)
        service = self._services.get(name)
        if service is None or not name.endswith(".service"):
            self._services.pop(name, None)
            return
        was_wanted, service.is_wanted = service.is_wanted, False
        unit, process = self._unit(name), service.process
        if was_wanted:
            for command in unit.all("ExecStop"):
                self._launch(unit, command).wait()
        if process:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_seconds(unit.last("TimeoutStopSec", str(STOP_TIMEOUT))))
            except subprocess.TimeoutExpired:
                self._note(name, f"{name}: State 'stop-sigterm' timed out. Killing.")
            # What the main process has left behind, and itself if it did not end.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        del self._services[name]

    def _restart(self, name: str) -> None:
        self._stop(name)
        self._start(name)

    def _try_restart(self, name: str) -> None:
        if self._runs(name):
            self._restart(name)

    def _reload(self, name: str) -> None:
        unit = self._unit(name)
        if not self._runs(name):
            raise RuntimeError(f"{name} is not active, cannot reload")
        for command in unit.all("ExecReload"):
            if status := self._launch(unit, command).wait():
                raise RuntimeError(f"Job for {name} failed: '{command}' ended with {status}")

    def _enable(self, name: str, *, now: bool) -> None:
        unit = self._unit(name)
        targets = " ".join(unit.all("WantedBy")).split()
        if not targets:
            raise RuntimeError(f"The unit files have no installation config ({name})")
        for target in targets:
            link = self.root / "etc" / "systemd" / "system" / f"{target}.wants" / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(f"/etc/systemd/system/{name}")
        if now:
            self._start(name)

    def _preset(self, name: str) -> None:
        """Debian enables what a package installs, if it can be enabled."""
        if self._unit(name).all("WantedBy"):
            self._enable(name, now=False)

    def _disable(self, name: str, *, now: bool) -> None:
        for link in self._links(name):
            link.unlink()
        if now:
            self._stop(name)

    def _reset(self, name: str) -> None:
        if service := self._services.get(name):
            service.restarts = 0

    def _runs(self, name: str) -> bool:
        service = self._services.get(name)
        return bool(service and service.is_wanted and (service.process is None or service.process.poll() is None))

    def _links(self, name: str) -> list[Path]:
        return list((self.root / "etc" / "systemd" / "system").glob(f"*.wants/{name}"))

    def _clusters(self, name: str) -> list[str]:
        if name != "postgresql.service":
            return []
        found = sorted((self.root / "etc" / "postgresql").glob("*/*/postgresql.conf"))
        return [f"postgresql@{path.parts[-3]}-{path.parts[-2]}.service" for path in found]

    def _files(self, name: str) -> list[Path]:
        template = re.sub(r"@[^.]+\.", "@.", name)
        files = [self.root / folder / one for folder in _FOLDERS for one in dict.fromkeys((name, template))]
        found = [path for path in files if path.is_file()][:1]
        drops = [path for folder in _FOLDERS for path in sorted((self.root / folder / f"{name}.d").glob("*.conf"))]
        return [*found, *drops] if found else []

    def _unit(self, name: str) -> Unit:
        if not (files := self._files(name)):
            raise FileNotFoundError(f"Unit {name} not found.")
        unit = Unit(name)
        instance = name.partition("@")[2].rpartition(".")[0]
        for file in files:
            for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
                key, found, value = line.partition("=")
                if found and not line.startswith(("#", ";", " ")):
                    unit.values.setdefault(key.strip(), []).append(value.strip().replace("%i", instance))
        return unit

    def _make_folders(self, unit: Unit) -> None:
        """The folders of StateDirectory and RuntimeDirectory, which belong to the unit's user."""
        for key, parent in (("StateDirectory", "/var/lib"), ("RuntimeDirectory", "/run")):
            for name in " ".join(unit.all(key)).split():
                mode, user = unit.last(f"{key}Mode", "0755"), unit.last("User", "root")
                command = [
                    "install",
                    "-d",
                    "-m",
                    mode,
                    "-o",
                    user,
                    "-g",
                    unit.last("Group") or user,
                    f"{parent}/{name}",
                ]
                done = subprocess.run(entering(self.root, command, online=False), capture_output=True, text=True)
                if done.returncode:
                    raise RuntimeError(f"{unit.name}: {done.stderr.strip()}")

    def _launch(self, unit: Unit, command: str) -> subprocess.Popen[bytes]:
        """Start a command of a unit, in a session of its own; what it prints is its log."""
        words = ["sh", "-c", f'umask {unit.last("UMask", "0022")} && exec "$@"', "sh"]
        words += shlex.split(command.lstrip("-+!@:"))
        folder = unit.last("WorkingDirectory", "/").removeprefix("-")
        with (self._logs / f"{unit.name.removesuffix('.service')}.log").open("ab") as log:
            return subprocess.Popen(
                entering(self.root, [*self._rights(unit), *words], cwd=folder, online=False),
                env=environment(online=False) | self._environ(unit) | self._account(unit),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _rights(self, unit: Unit) -> list[str]:
        """The command before a unit's own that drops the rights of root."""
        words = ["setpriv"]
        if (user := unit.last("User", "root")) != "root":
            words += [f"--reuid={user}", f"--regid={unit.last('Group') or self._person(user)[3]}", "--init-groups"]
        named = (name.lower().removeprefix("cap_") for name in " ".join(unit.all("AmbientCapabilities")).split())
        if kept := ",".join(f"+{name}" for name in named):
            words += [f"--inh-caps={kept}", f"--ambient-caps={kept}"]
        if unit.last("NoNewPrivileges") in ("yes", "true"):
            words += ["--no-new-privs"]
        return words if len(words) > 1 else []

    def _account(self, unit: Unit) -> dict[str, str]:
        user = unit.last("User", "root")
        return {"USER": user, "LOGNAME": user, "HOME": self._person(user)[5]}

    def _person(self, user: str) -> list[str]:
        """The fields of a user in the root."""
        for line in (self.root / "etc" / "passwd").read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{user}:"):
                return line.split(":")
        raise LookupError(f"there is no user {user}")

    def _environ(self, unit: Unit) -> dict[str, str]:
        """The variables of a unit; a file of settings goes before the unit's own lines."""
        found = dict(word.partition("=")[::2] for line in unit.all("Environment") for word in shlex.split(line))
        for name in unit.all("EnvironmentFile"):
            path = self.root / name.lstrip("-").lstrip("/")
            if name.startswith("-") and not path.exists():
                continue
            for line in path.read_text(encoding="utf-8").splitlines():
                if line.strip() and not line.startswith(("#", ";")):
                    key, _, value = line.partition("=")
                    found[key] = value[1:-1] if value[:1] == value[-1:] and value[:1] in ("'", '"') else value
        return found

    def _note(self, name: str, text: str) -> None:
        with (self._logs / f"{name.removesuffix('.service')}.log").open("a") as log:
            log.write(f"{text}\n")


def _seconds(text: str) -> float:
    """A time span of a unit: 30, 5s, 100ms, 1h."""
    units = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "": 1.0}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+) ?(ms|s|min|h)?", text))
