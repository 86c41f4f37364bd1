"""Packages: pinned with hashes, at least 14 days old when they are taken, listed and audited."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tools import sbom

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_pip_installs_only_packages_pinned_with_hashes() -> None:
    recipes = MAKEFILE + (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    installed = re.findall(r"pip install .*", recipes)
    assert installed and [line for line in installed if "--require-hashes --no-deps" not in line] == []


def test_the_pinned_version_is_installed_beside_a_newer_release(tmp_path: Path) -> None:
    """With the options of `make`: pip before 24 resolved a list anew when another package asked for an extra of one."""
    index = tmp_path / "index"
    index.mkdir()
    wheel(index, "reloader", "1.0")
    wheel(index, "reloader", "1.1")
    wheel(index, "site", "1.0", "Requires-Dist: reloader[extra]>=1.0\n")
    pins = [f"{name}==1.0 --hash=sha256:{sha256((index / f'{name}-1.0-py3-none-any.whl').read_bytes()).hexdigest()}"
            for name in ("reloader", "site")]  # fmt: skip
    (tmp_path / "requirements.txt").write_text("\n".join(pins), encoding="utf-8")
    (options,) = re.findall(r"^install = \$\(BIN\)/pip install (.*)$", MAKEFILE, re.MULTILINE)
    command = [sys.executable, "-m", "pip", "install", *options.split(), "--no-index", "--find-links", str(index)]
    target = tmp_path / "installed"
    subprocess.run([*command, "--target", str(target), "-r", "requirements.txt"], cwd=tmp_path, check=True)
    assert {path.name for path in target.glob("*.dist-info")} == {"reloader-1.0.dist-info", "site-1.0.dist-info"}


def wheel(folder: Path, name: str, version: str, more: str = "") -> None:
    """Write an empty package of one version."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", "")
        provides = "Provides-Extra: extra\n" if not more else ""
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{provides}{more}"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


def test_each_requirements_file_is_pinned_by_make_pins() -> None:
    lists = {path.stem for path in ROOT.glob("requirements*.in")}
    (named,) = re.findall(r"for set in ([a-z -]+);", MAKEFILE)
    assert set(named.split()) == lists == {path.stem for path in ROOT.glob("requirements*.txt")}


def test_package_versions_must_be_14_days_old() -> None:
    updates = (ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8").split("package-ecosystem:")[1:]
    assert updates and all("cooldown:\n      default-days: 14\n" in update for update in updates)
    assert "AGE ?= 14\n" in MAKEFILE and "UV_EXCLUDE_NEWER=\"$$(date -u -d '$(AGE) days ago' +%F)\"" in MAKEFILE


def test_actions_are_pinned_by_commit() -> None:
    workflows = "".join(path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").iterdir())
    used = re.findall(r"uses: (\S+)@(\S+)", workflows)
    assert used
    assert [name for name, at in used if not re.fullmatch("[0-9a-f]{40}", at)] == []
    # One commit for each version, which is named beside it.
    named = set(re.findall(r"uses: (\S+@\S+ # v\d+\.\d+\.\d+)$", workflows, re.MULTILINE))
    assert len(named) == len({name for name, _ in used})


def test_every_npm_package_of_the_site_is_listed_with_its_version() -> None:
    bill = json.loads(sbom.npm_packages(ROOT / "reflex.lock"))
    lock = json.loads((ROOT / "reflex.lock" / "package-lock.json").read_text(encoding="utf-8"))
    locked = {
        (path.split("node_modules/")[-1], package["version"]) for path, package in lock["packages"].items() if path
    }
    assert locked and {(component["name"], component["version"]) for component in bill["components"]} == locked


@pytest.mark.parametrize("name", sbom.PYTHON)
def test_the_sbom_must_list_each_pinned_package_and_version(name: str) -> None:
    file = ROOT / f"{name}.txt"
    heads = [line.split()[0] for line in file.read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    pins = [re.sub(r"\[.*\]", "", head).split("==") for head in heads]
    whole = [{"name": package, "version": version} for package, version in pins]
    assert whole and sbom.missing({"components": whole}, sbom.pins_of_python(file)) == []
    other = [whole[0] | {"version": "0"}, *whole[2:]]
    lacking = sbom.missing({"components": other}, sbom.pins_of_python(file))
    assert lacking == [" ".join(pin) for pin in pins[:2]]


def test_packages_are_pinned_with_the_extras_others_require() -> None:
    """Else pip refuses the whole list, as soon as the index has a newer version of that package."""
    pins = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("requirements*.txt"))
    pinned = dict(re.findall(r"^([\w.-]+)(?:\[(.*?)\])?==", pins, re.MULTILINE))
    asked = [one for package in distributions() for one in package.requires or () if "extra ==" not in one]
    needed = {match.groups() for one in asked if (match := re.match(r"([\w.-]+)\[([\w-]+)\]", one))}
    assert {name for name, _ in needed} >= {"coverage", "granian"}
    assert [(name, extra) for name, extra in needed if name in pinned and extra not in pinned[name]] == []


@pytest.mark.parametrize(
    ("failing", "named"),
    [([], []), (["pip-audit"], ["PyPI"]), (["npm"], ["npm"]), (["pip-audit", "npm"], ["PyPI", "npm"])],
)
def test_the_audit_queries_both_indexes_for_all_packages(tmp_path: Path, failing: list[str], named: list[str]) -> None:
    """Without --omit=dev: npm takes @emotion/react, which is in the pages, for a package of the build."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for file in (
        "requirements.txt",
        "requirements-tools.txt",
        ".venv/.site",
        ".venv/.tools",
        "reflex.lock/package.json",
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / ".venv/bin").mkdir()
    for name in ("python", "pip-audit", "npm"):
        command = tmp_path / ".venv/bin" / name
        command.write_text(f'#!/bin/sh\necho "{name} $*"\nexit {int(name in failing)}\n', encoding="utf-8")
        command.chmod(0o755)
    audit = subprocess.run(["make", "--no-print-directory", "audit"], cwd=tmp_path, capture_output=True, text=True)
    asked, about_npm = audit.stdout.splitlines()
    assert about_npm == "npm audit" and {"requirements.txt", "requirements-tracing.txt", "--strict"} <= {*asked.split()}
    assert bool(audit.returncode) == bool(failing)
    # With --strict it says nothing of the other packages once the index does not know one.
    again = [line.split() for line in audit.stderr.splitlines() if line.startswith("pip-audit")]
    assert again == ([[word for word in asked.split() if word != "--strict"]] if "pip-audit" in failing else [])
    assert re.findall("^audit: (\\w+) knows a weakness of a package, or gave no answer", audit.stderr, re.M) == named
