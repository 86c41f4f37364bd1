"""Lists what a version consists of in `sbom/`, as CycloneDX: `make sbom`.

One file has the Python packages of the site, one those for an error tracker and traces, and one the npm packages of the
pages, with those that build them. The versions and hashes are those of the pins.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from advisory_site import __version__

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "sbom"
PYTHON = ("requirements", "requirements-tracing")
NPM = "reflex.lock"
NAME = "advisory-site"

Pin = tuple[str, str]  # the name and the version of a package


def main() -> None:
    """Write the files; exits with a sentence if one lacks a package."""
    FOLDER.mkdir(exist_ok=True)
    for name in PYTHON:
        pins = ROOT / f"{name}.txt"
        write(name, json.loads(python_packages(pins)), pins_of_python(pins))
    write("npm", json.loads(npm_packages(ROOT / NPM)), pins_of_npm(ROOT / NPM))


def write(name: str, bill: dict[str, Any], pins: set[Pin]) -> None:
    """Write one file, with the site's version; exits if a pinned package is not in it."""
    if lacking := missing(bill, pins):
        sys.exit(f"sbom: {name} lacks {', '.join(lacking)}.")
    bill["metadata"]["component"]["version"] = __version__
    file = FOLDER / f"{name}.cdx.json"
    file.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
    print(f"sbom: {file.relative_to(ROOT)} lists {len(pins)} packages.")


def missing(bill: dict[str, Any], pins: set[Pin]) -> list[str]:
    """The pinned packages that are not listed in their version."""
    listed = {(component["name"], component["version"]) for component in bill["components"]}
    return [f"{package} {version}" for package, version in sorted(pins - listed)]


def python_packages(pins: Path) -> str:
    """What cyclonedx-py makes of a list of pins."""
    # It warns that a list of pins does not say what depends on what.
    return run("cyclonedx-py", "requirements", "--pyproject", ROOT / "pyproject.toml", pins, PYTHONWARNINGS="ignore")


def npm_packages(lock: Path) -> str:
    """What npm makes of the lock file that Reflex keeps.

    npm refuses a project without a version, and Chakra's packages, which ask for an older React than Reflex brings.
    """
    with TemporaryDirectory() as folder:
        copied = shutil.copytree(lock, Path(folder) / NAME)  # npm takes the name from the folder
        package = json.loads((copied / "package.json").read_text(encoding="utf-8"))
        package |= {"name": NAME, "version": __version__}
        (copied / "package.json").write_text(json.dumps(package), encoding="utf-8")
        options = ("--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", "--legacy-peer-deps")
        return run("npm", "sbom", "--prefix", copied, *options)


def pins_of_python(pins: Path) -> set[Pin]:
    """The names and versions in a list of pins."""
    return set(re.findall(r"^([\w.-]+)(?:\[.*?\])?==(\S+)", pins.read_text(encoding="utf-8"), re.MULTILINE))


def pins_of_npm(lock: Path) -> set[Pin]:
    """The names and versions in a lock file."""
    packages = json.loads((lock / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return {(place.rpartition("node_modules/")[2], package["version"]) for place, package in packages.items() if place}


def run(command: str, *arguments: str | Path, **environ: str) -> str:
    """The output of a command of this environment; exits if it fails, after what it said."""
    folder = Path(sys.executable).parent
    environ = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"} | environ
    done = subprocess.run(  # noqa: S603
        [folder / command, *arguments], env=environ, stdout=subprocess.PIPE, text=True
    )
    return done.stdout if not done.returncode else sys.exit(f"sbom: '{command}' failed.")


if __name__ == "__main__":
    main()
