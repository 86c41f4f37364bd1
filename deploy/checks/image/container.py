"""Runs a container of an image without Docker: namespaces, a user without rights, a read-only root, limits."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from deploy.checks.debian import SETTINGS, entering
from deploy.checks.image.builder import Image
from deploy.checks.image.compose import Service
from tests.support.waiting import wait_for

CGROUPS = Path("/sys/fs/cgroup")
# What Docker mounts for `tmpfs:` without options.
TMPFS = "rw,nosuid,nodev,noexec,mode=1777"


class Limits:
    """A control group with the limits of a service, for which Linux ends or delays what exceeds them."""

    def __init__(self, name: str, service: Service) -> None:
        self.is_second = (CGROUPS / "cgroup.controllers").exists()
        period = 100_000
        values = {
            ("memory", "memory.max" if self.is_second else "memory.limit_in_bytes"): service.memory,
            ("pids", "pids.max"): service.processes,
            ("cpu", "cpu.max" if self.is_second else "cpu.cfs_quota_us"): int(service.processors * period),
        }
        if self.is_second:
            (CGROUPS / "cgroup.subtree_control").write_text("+cpu +memory +pids")
        self.folders: dict[str, Path] = {}
        for (controller, file), value in values.items():
            folder = (CGROUPS if self.is_second else CGROUPS / controller) / f"northstrait-{os.getpid()}-{name}"
            folder.mkdir(exist_ok=True)
            self.folders[controller] = folder
            if value:
                (folder / file).write_text(f"{value} {period}" if file == "cpu.max" else str(value))

    def joining(self) -> str:
        """The commands by which a shell joins the group."""
        return " && ".join(f"echo $$ > {folder}/cgroup.procs" for folder in dict.fromkeys(self.folders.values()))

    def most(self) -> tuple[int, int]:
        """The most memory in bytes, and the present number of processes and threads."""
        peak = "memory.peak" if self.is_second else "memory.max_usage_in_bytes"
        return self._number("memory", peak), self._number("pids", "pids.current")

    def refused(self) -> int:
        """How often a limit of memory or processes was reached so that something failed."""
        ended = self._events("memory", "memory.events" if self.is_second else "memory.oom_control", "oom_kill")
        return ended + self._events("pids", "pids.events", "max")

    def _number(self, controller: str, file: str) -> int:
        return int((self.folders[controller] / file).read_text())

    def _events(self, controller: str, file: str, name: str) -> int:
        lines = (self.folders[controller] / file).read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.split()[0] == name), 0)

    def remove(self) -> None:
        """Remove the group, whose processes have ended."""
        for folder in dict.fromkeys(self.folders.values()):
            folder.rmdir()


class Container:
    """A container of an image as Compose starts it; the volumes are folders of the host by their names.

    A volume that is new gets what the image has at its place, with its owner, as Docker does.
    """

    def __init__(
        self, image: Image, service: Service, volumes: Path, logs: Path, *, init: Path, hosts: Mapping[str, str]
    ) -> None:
        self.image, self.service, self.volumes, self.logs, self.init = image, service, volumes, logs, init
        self.logs.mkdir(parents=True, exist_ok=True)
        self.hosts = self.logs / "hosts"
        lines = ("127.0.0.1 localhost", *(f"{address} {name}" for name, address in hosts.items()))
        self.hosts.write_text("\n".join(lines) + "\n")
        self.process: subprocess.Popen[bytes] | None = None
        self.limits: Limits | None = None
        # Everything that Docker or Compose would set; nothing else of this machine's environment.
        self.env = {"HOME": image.home, "HOSTNAME": "container", **image.env, **service.environment}

    @property
    def log(self) -> str:
        """What the container has printed, in all of its starts."""
        return (self.logs / "log").read_text(encoding="utf-8", errors="replace")

    def start(self, command: Sequence[str] | None = None) -> None:
        """Start the image's command or, as "docker compose run" does, another one."""
        words = command or self.service.command or self.image.command
        whole = [*self.image.entrypoint, *words]
        if self.service.has_init:
            whole = [f"{SETTINGS}/init", "--", *whole]
        self.limits = Limits(self.logs.name, self.service)
        entered = entering(
            self.image.root,
            [*self._dropping(), *whole],
            cwd=self.image.folder,
            online=False,
            mounts=self._mounts(),
            unshare=["--pid", "--fork", "--kill-child", "--ipc", "--uts"],
            read_only=self.service.is_read_only,
        )
        with (self.logs / "log").open("ab") as log:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", f'{self.limits.joining()} && exec "$@"', "sh", *entered],
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _dropping(self) -> list[str]:
        """What gives up rights, run in the container."""
        uid, gid = self.image.numbers_of(self.image.user)
        capabilities = ["--bounding-set=-all", "--inh-caps=-all"] if "ALL" in self.service.dropped else []
        privileges = [] if self.service.has_new_privileges else ["--no-new-privs"]
        return ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *capabilities, *privileges]

    def _mounts(self) -> list[list[str]]:
        mounts = [["--bind", str(self.hosts), "/etc/hosts"], ["--bind", str(self.init), SETTINGS]]
        mounts += [["-t", "tmpfs", "-o", TMPFS, "tmpfs", path] for path in self.service.tmpfs]
        named = {target: source for source, target in self.service.volumes}
        # The image's own volumes are there without being named, too.
        for target in dict.fromkeys((*named, *self.image.volumes)):
            mounts.append(["--bind", str(self._volume(named.get(target, "unnamed"), target)), target])
        return mounts

    def _volume(self, name: str, target: str) -> Path:
        folder = self.volumes / name
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cp", "--archive", self.image.root / target.lstrip("/"), folder], check=True)
        return folder

    @property
    def main(self) -> int:
        """The number that the first process of the container has on this machine."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(wait_for(lambda: children.read_text().split(), "the container has a process")[0])

    def exec(self, command: Sequence[str], seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """Run a command in the running container, as "docker exec" does."""
        entered = ["nsenter", f"--target={self.main}", "--mount", "--pid", "--ipc", "--uts", "--root"]
        found = shutil.which("nsenter") or "nsenter"
        moved = ["/usr/bin/env", f"--chdir={self.image.folder}", *self._dropping(), *command]
        return subprocess.run(
            [found, *entered[1:], *moved], env=self.env, capture_output=True, text=True, timeout=seconds
        )

    def wait_until_healthy(self) -> float:
        """Ask as Docker asks, and return the seconds until the first success."""
        began, times = time.monotonic(), self.image.health_times

        def is_healthy() -> bool:
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"the container ended with {self.process.returncode}:\n{self.log[-4000:]}")
            if self.exec(self.image.healthcheck, times["timeout"] + 5).returncode == 0:
                return True
            time.sleep(1)  # more often than Docker asks, but each question costs half a second
            return False

        # Docker tolerates failures while the container starts, and then as many as the retries.
        wait_for(is_healthy, "the container is healthy", times["start-period"] + times["interval"] * times["retries"])
        return time.monotonic() - began

    def wait(self, seconds: float) -> int:
        """Until it ends by itself; its exit status."""
        assert self.process is not None and self.limits is not None
        status = self.process.wait(seconds)
        self.limits.remove()
        return status

    def stop(self) -> tuple[int, float]:
        """Stop as Docker does; the exit status, and how many seconds it took of the grace period."""
        assert self.process is not None and self.limits is not None
        began = time.monotonic()
        os.kill(self.main, getattr(signal, self.image.stop_signal))
        try:
            status = self.process.wait(self.service.grace)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"not stopped within {self.service.grace} s:\n{self.log[-4000:]}") from None
        self.limits.remove()
        return status, time.monotonic() - began

    def kill(self) -> None:
        """End it at once, if it still runs."""
        if self.process and self.process.poll() is None:
            os.kill(self.main, signal.SIGKILL)
            self.process.wait(10)
        if self.limits:
            with suppress(OSError):  # removed before, or its last process is not gone yet
                self.limits.remove()
