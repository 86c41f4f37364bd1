"""`deploy/release-containers`: one backend after the other, and back to the former image. Docker has a stand-in."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

# Keeps which image each tag names and each backend runs on, and which schema an image needs. STATE is its file.
DOCKER = """#!{python}
import json, os, sys
from pathlib import Path

path = Path(os.environ["STATE"])
state = json.loads(path.read_text())
tags, backends, heads, fails = state["tags"], state["backends"], state["heads"], state["fails"]
words = [word for word in sys.argv[1:] if not word.startswith("-")]
if words[0] == "compose":
    words = words[3:]  # the files of the options
state["done"].append(" ".join(words))
ok = True
match words:
    case ["build", "first"]:
        tags["northstrait"] = state["source"]
    case ["ps", name]:
        print(name if name in backends else "")
    case ["inspect", _, name]:
        print(backends[name])
    case ["image", "inspect", _, tag]:
        ok = tag in tags
        print(tags.get(tag, ""))
    case ["tag", image, tag]:
        tags[tag] = tags.get(image, image)
    case ["run", "none", tag, *_]:
        print(heads[tags[tag]])
    case ["run", "backup", _, "advisory_site", command, *_]:
        state["done"][-1] = f"{{command}} by {{tags['northstrait']}}"
        ok = command not in fails
    case ["stop", *names]:
        pass
    case ["up", _, name]:
        backends[name] = tags["northstrait"]
        state["done"][-1] = f"up {{name}} on {{backends[name]}}"
    case ["exec", name, *_]:
        ok = backends[name] not in fails
    case _:
        sys.exit(f"not expected: {{words}}")
path.write_text(json.dumps(state))
sys.exit(not ok)
"""
STEPS = ("build", "check", "migrate", "up", "stop", "tag")


class Cluster:
    """Two backends on the image `old`, and a source that is built into the image `new`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state = folder, folder / "state"
        shutil.copytree(ROOT / "deploy", folder / "deploy")
        (folder / "deploy" / ".env").touch()
        (folder / "bin").mkdir()
        docker = folder / "bin" / "docker"
        docker.write_text(DOCKER.format(python=sys.executable))
        docker.chmod(0o755)
        self.set(
            tags={"northstrait": "old"},
            backends={"first": "old", "second": "old"},
            heads={"old": "0016", "new": "0017"},
            source="new",
            fails=[],
            done=[],
        )

    def set(self, **changes: Any) -> None:
        known = json.loads(self.state.read_text()) if self.state.exists() else {}
        self.state.write_text(json.dumps(known | changes))

    def get(self, name: str) -> Any:
        return json.loads(self.state.read_text())[name]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        self.set(done=[])
        environ = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "STATE": str(self.state)}
        command = [str(self.folder / "deploy" / "release-containers"), *arguments]
        return subprocess.run(
            command, env=environ | {"NORTHSTRAIT_WAIT": "1"}, cwd="/", capture_output=True, text=True, timeout=60
        )

    @property
    def done(self) -> list[str]:
        """What was changed, in order."""
        return [step for step in self.get("done") if step.startswith(STEPS)]

    @property
    def serves(self) -> str:
        """The image that both backends run on, and that a start of the cluster would take."""
        [image] = {*self.get("backends").values(), self.get("tags")["northstrait"]}
        return str(image)


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    return Cluster(tmp_path)


def test_the_schema_is_migrated_and_backends_are_replaced_in_turn(cluster: Cluster) -> None:
    done = cluster.run()
    assert done.returncode == 0, done.stderr
    assert cluster.done == [
        "build first",
        "tag old northstrait:former",
        "check by new",
        "migrate by new",
        "up first on new",
        "up second on new",
    ]
    assert cluster.serves == "new"
    assert cluster.run().returncode == 0
    assert cluster.get("tags")["northstrait:former"] == "old"


@pytest.mark.parametrize("step", ["check", "migrate"])
def test_a_failure_before_the_first_replacement_changes_nothing(cluster: Cluster, step: str) -> None:
    cluster.set(fails=[step])
    done = cluster.run()
    assert (done.returncode, cluster.serves) == (1, "old")
    assert done.stderr.splitlines()[-1] == "release: What is served stays as it is."
    assert not any(step.startswith("up") for step in cluster.done)


@pytest.mark.parametrize("head", ["0016", "0017"])
def test_a_backend_that_does_not_become_ready_returns_to_the_former_image(cluster: Cluster, head: str) -> None:
    cluster.set(fails=["new"], heads={"old": "0016", "new": head})
    done = cluster.run()
    assert (done.returncode, cluster.serves) == (1, "old")
    down = ["stop first", "migrate-down by new"] if head == "0017" else []
    assert cluster.done[4:] == ["up first on new", *down, "tag northstrait:former northstrait", "up first on old"]
    assert done.stderr.splitlines()[-1] == "release: The new version is not served; the former image is again."


def test_an_interrupted_release_continues_and_knows_the_former_image(cluster: Cluster) -> None:
    cluster.set(tags={"northstrait": "new"}, backends={"first": "new", "second": "old"}, fails=["new"])
    assert cluster.run().returncode == 1
    assert cluster.serves == "old"


def test_a_manual_rollback_is_possible_later_and_twice(cluster: Cluster) -> None:
    assert cluster.run("--back").returncode == 1
    cluster.run()
    assert cluster.run("--back").returncode == 0
    assert cluster.done == [
        "stop first second",
        "migrate-down by new",
        "tag northstrait:former northstrait",
        "up first on old",
        "up second on old",
    ]
    assert cluster.run("--back").returncode == 0
    assert cluster.done == ["tag northstrait:former northstrait"]
    assert cluster.serves == "old"


def test_the_version_being_served_is_never_rolled_back_automatically(cluster: Cluster) -> None:
    cluster.run()
    cluster.set(fails=["new"])
    done = cluster.run()
    assert (done.returncode, cluster.serves) == (1, "new")
    assert "Backend first is not ready" in done.stdout


def test_concurrent_releases_are_refused(cluster: Cluster) -> None:
    with (cluster.folder / "deploy" / ".env").open() as settings:
        fcntl.flock(settings, fcntl.LOCK_EX)
        done = cluster.run()
    assert (done.returncode, done.stderr) == (1, "release: Another release is running; nothing was done.\n")
    assert cluster.get("done") == []
