"""Reads deploy/compose.yaml by Debian's Docker Compose, which needs no Docker for this, with the guide's settings."""

import json
import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.checks.debian import make_root, run_in

# The first Debian that has Compose 2, in which the file is written.
SUITE = "trixie"
DURATION = re.compile(r"(?:(\d+)m)?(?:(\d+)s)?")


@dataclass(frozen=True)
class Service:
    """How Compose starts a container."""

    command: tuple[str, ...] | None
    environment: dict[str, str]
    # Pairs of a volume or a file of the host, and a path in the container.
    volumes: tuple[tuple[str, str], ...] = ()
    tmpfs: tuple[str, ...] = ()
    is_read_only: bool = False
    has_init: bool = False
    dropped: tuple[str, ...] = ()
    has_new_privileges: bool = True
    grace: float = 10
    memory: int = 0
    processors: float = 0
    processes: int = 0


def settings_of_the_guide(guide: str) -> str:
    """The file deploy/.env as the guide prints it, with secrets for its dots."""
    blocks = re.findall(r"```ini\n(SITE_ADDRESS=.*?)```", guide, re.DOTALL)
    assert len(blocks) == 1, "the guide prints one deploy/.env"
    return re.sub(r"=\.\.\.", lambda _found: f"={secrets.token_hex(32)}", blocks[0])


def read(compose: Path, settings: str, folder: Path) -> dict[str, Service]:
    """The services of a compose file by their names.

    `folder` is for the root in which Compose runs. In srv/init it then has what Docker runs first for `init: true`.
    """
    make_root(folder, SUITE, ("docker-compose", "tini"))
    (folder / "srv" / "init").mkdir()
    shutil.copy2(folder / "usr/bin/tini-static", folder / "srv/init/init")
    place = folder / "srv" / "deploy"
    place.mkdir(parents=True)
    shutil.copy(compose, place / "compose.yaml")
    (place / ".env").write_text(settings, encoding="utf-8")
    options = ["-f", "deploy/compose.yaml", "--env-file", "deploy/.env", "--profile", "*"]
    done = run_in(folder, ["docker-compose", *options, "config", "--format", "json"], cwd="/srv", online=False)
    assert done.returncode == 0, f"Compose refuses {compose.name}: {done.stderr}"
    assert not done.stderr, f"Compose warns of {compose.name}: {done.stderr}"
    return {name: _service(found) for name, found in json.loads(done.stdout)["services"].items()}


def _service(found: Mapping[str, Any]) -> Service:
    return Service(
        command=tuple(found["command"]) if found.get("command") else None,
        environment={name: value for name, value in found.get("environment", {}).items() if value is not None},
        volumes=tuple((volume["source"], volume["target"]) for volume in found.get("volumes", ())),
        tmpfs=tuple(found.get("tmpfs", ())),
        is_read_only=found.get("read_only", False),
        has_init=found.get("init", False),
        dropped=tuple(found.get("cap_drop", ())),
        has_new_privileges="no-new-privileges:true" not in found.get("security_opt", ()),
        grace=_seconds(found.get("stop_grace_period", "10s")),
        memory=int(found.get("mem_limit", 0)),
        processors=float(found.get("cpus", 0)),
        processes=int(found.get("pids_limit", 0)),
    )


def _seconds(duration: str) -> float:
    found = DURATION.fullmatch(duration)
    assert found, duration
    return 60 * int(found[1] or 0) + int(found[2] or 0)
