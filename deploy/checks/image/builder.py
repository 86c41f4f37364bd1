"""Builds the image of a Containerfile without Docker: carries out its instructions in Debian roots."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from deploy.checks.debian import PATH, make_root, run_in
from deploy.checks.image.containerfile import Instruction, NotKnown, Stage, ignored, pairs, parse, substitute

# Stands in for python:X.Y-slim-SUITE: what that image has on top of Debian, with Debian's build of the same Python.
BASE = re.compile(r"(?:docker\.io/library/)?python:(\d+\.\d+)-slim-([a-z]+)")
BASE_PACKAGES = ("ca-certificates", "netbase", "tzdata")


class BuildFailed(Exception):
    """A step failed; the message has what it printed."""


@dataclass
class Image:
    """A root with what a container of it runs, and as whom."""

    root: Path
    env: dict[str, str]
    # What the base image has: paths in the root.
    inherited: frozenset[str] = frozenset()
    user: str = "root"
    folder: str = "/"
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    healthcheck: tuple[str, ...] = ()
    # Seconds, and the number of retries, by the names of HEALTHCHECK's options.
    health_times: dict[str, float] = field(default_factory=dict)
    volumes: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    stop_signal: str = "SIGTERM"

    def numbers_of(self, owner: str) -> tuple[int, int]:
        """The numbers of `user`, `user:group` or numbers in this root."""
        user, _, group = owner.partition(":")
        users, groups = (self._names(name) for name in ("passwd", "group"))
        uid = int(user) if user.isdigit() else int(users[user][2])
        if group:
            return uid, int(group) if group.isdigit() else int(groups[group][2])
        return uid, next((int(fields[3]) for fields in users.values() if int(fields[2]) == uid), 0)

    @property
    def home(self) -> str:
        """The home of the user, as Docker sets HOME."""
        uid, _ = self.numbers_of(self.user)
        return next((fields[5] for fields in self._names("passwd").values() if int(fields[2]) == uid), "/")

    def _names(self, file: str) -> dict[str, list[str]]:
        lines = (self.root / "etc" / file).read_text(encoding="utf-8").splitlines()
        return {line.split(":")[0]: line.split(":") for line in lines}


def build(
    source: Path, containerfile: str, folder: Path, arguments: Mapping[str, str], say: Callable[[str], None]
) -> Image:
    """Build the image of a Containerfile with a folder as its context; its stages are made in `folder`."""
    is_ignored = ignored((source / ".dockerignore").read_text(encoding="utf-8"))
    context = [path for path in _files(source) if not is_ignored(path)]
    stages: dict[str, _Building] = {}
    for number, stage in enumerate(parse(containerfile)):
        building = _Building(stage, folder / str(number), source, context, stages, arguments, say)
        building.run()
        stages[stage.name] = building
    return building.image


def paths(root: Path) -> Iterable[str]:
    """All files and folders in a root, as they are named there."""
    for folder, folders, files in os.walk(root):
        yield from (str(Path("/", Path(folder, name).relative_to(root))) for name in (*folders, *files))


def _files(folder: Path) -> Iterable[str]:
    for path, folders, names in os.walk(folder):
        links = (name for name in folders if (Path(path) / name).is_symlink())
        yield from (str((Path(path) / name).relative_to(folder)) for name in (*names, *links))


def size(root: Path) -> int:
    """The bytes of all files below a folder; those with several names count once."""
    listed = subprocess.run(["du", "--bytes", "--summarize", "--one-file-system", root], capture_output=True, text=True)
    return int(listed.stdout.split()[0])


class _Building:
    """One stage while it is built."""

    def __init__(
        self,
        stage: Stage,
        root: Path,
        source: Path,
        context: list[str],
        stages: dict[str, "_Building"],
        arguments: Mapping[str, str],
        say: Callable[[str], None],
    ) -> None:
        self.stage, self.source, self.context, self.stages = stage, source, context, stages
        self.given, self.say = arguments, say
        self.arguments: dict[str, str] = {}
        self.image = Image(root, {"PATH": PATH, "LANG": "C.UTF-8"})

    def run(self) -> None:
        """Carry out all instructions."""
        began = time.monotonic()
        self._begin()
        base = size(self.image.root)
        self.say(f"  FROM {self.stage.base} AS {self.stage.name}: {_mb(base)}, {time.monotonic() - began:.0f} s")
        for instruction in self.stage.instructions:
            began, before = time.monotonic(), size(self.image.root)
            try:
                self._carry_out(instruction)
            except NotKnown as error:
                raise BuildFailed(f"line {instruction.line}: {error}") from error
            if instruction.name in ("RUN", "COPY"):
                more = _mb(size(self.image.root) - before)
                text = " ".join(instruction.text.split())
                self.say(f"  {instruction.name} {text[:70]}: {more}, {time.monotonic() - began:.0f} s")
        whole = size(self.image.root)
        self.say(f"  Stage {self.stage.name}: {_mb(whole)}, of which {_mb(whole - base)} on top of its base.")

    def _begin(self) -> None:
        if found := BASE.fullmatch(self.stage.base):
            version, suite = found.groups()
            python = f"python{version}"
            make_root(self.image.root, suite, (*BASE_PACKAGES, python, f"{python}-venv"))
            for name in ("python", "python3", python):
                (self.image.root / "usr/local/bin" / name).symlink_to(f"/usr/bin/{python}")
            # Debian's Python brings this file, the image does not have it, and Python reads it.
            (self.image.root / "etc/mime.types").unlink()
            self.image.inherited = frozenset(paths(self.image.root))
        elif self.stage.base in self.stages:
            earlier = self.stages[self.stage.base].image
            subprocess.run(["cp", "--archive", "--reflink=auto", earlier.root, self.image.root], check=True)
            self.image = Image(self.image.root, dict(earlier.env), earlier.inherited, earlier.user, earlier.folder)
        else:
            raise BuildFailed(f"the base image {self.stage.base}, for which nothing stands in here")

    def _carry_out(self, instruction: Instruction) -> None:
        image = self.image
        values = {**self.arguments, **image.env}
        text = instruction.text if instruction.name == "RUN" else substitute(instruction.text, values)
        command = instruction.listed or ("/bin/sh", "-c", instruction.text)
        match instruction.name:
            case "ARG":
                for name, default in pairs(text).items():
                    self.arguments[name] = self.given.get(name, default)
            case "ENV":
                image.env |= pairs(text)
            case "WORKDIR":
                image.folder = str(PurePosixPath(image.folder) / text)
                (image.root / image.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "USER":
                image.user = text
            case "RUN":
                self._run(command, values)
            case "COPY":
                options = {name: substitute(value, values) for name, value in instruction.options.items()}
                self._copy(shlex.split(text) if instruction.listed is None else list(instruction.listed), options)
            case "CMD":
                image.command = command
            case "ENTRYPOINT":
                image.entrypoint, image.command = command, ()
            case "HEALTHCHECK":
                image.healthcheck = () if text == "NONE" else command
                image.health_times = {name: _seconds(value) for name, value in instruction.options.items()}
            case "VOLUME":
                image.volumes += instruction.listed or tuple(text.split())
            case "EXPOSE":
                image.ports += tuple(int(port.removesuffix("/tcp")) for port in text.split())
            case "STOPSIGNAL":
                image.stop_signal = text
            case "LABEL":
                pass  # says nothing to a container
            case _:
                raise NotKnown(f"the instruction {instruction.name}")

    def _run(self, command: tuple[str, ...], values: Mapping[str, str]) -> None:
        done = run_in(
            self.image.root,
            command,
            env={"HOME": self.image.home, **values},
            user=self.image.user,
            cwd=self.image.folder,
        )
        if done.returncode != 0:
            raise BuildFailed(f"'{command[-1]}' ended with {done.returncode}:\n{(done.stdout + done.stderr)[-4000:]}")

    def _copy(self, words: list[str], options: Mapping[str, str]) -> None:
        *names, target = words
        place = self.image.root / str(PurePosixPath(self.image.folder) / target).lstrip("/")
        is_folder = target.endswith(("/", ".")) or len(names) > 1
        owner = self.image.numbers_of(options.get("chown", "0:0"))
        if "from" in options and "chown" not in options:
            raise NotKnown("COPY --from without --chown, whose owners depend on the builder")
        for name in names:
            if set("*?[") & set(name):
                raise NotKnown(f"a pattern in COPY: {name}")
            if "from" in options:
                source, listed = self.stages[options["from"]].image.root / name.lstrip("/"), None
            else:
                source, listed = self.source / name, self._in_context(name.strip("/"))
            if not source.exists() or listed == []:
                raise BuildFailed(f"COPY {name}: not in the context, or kept out by .dockerignore")
            if source.is_dir():
                _copy_folder(source, listed, place, owner)
            else:
                copied = place / source.name if is_folder else place
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, copied)
                os.chown(copied, *owner)

    def _in_context(self, name: str) -> list[str]:
        """The files of the context in a folder, relative to it; for a file an empty path."""
        if name in self.context:
            return [""]
        return [path.removeprefix(f"{name}/") for path in self.context if path.startswith(f"{name}/")]


def _copy_folder(source: Path, listed: list[str] | None, place: Path, owner: tuple[int, int]) -> None:
    """Copy what is in a folder, or those of its files that are listed."""
    place.mkdir(parents=True, exist_ok=True)
    pack = ["tar", "--create", f"--owner=:{owner[0]}", f"--group=:{owner[1]}", f"--directory={source}"]
    if listed is None:
        pack.append(".")
        given = ""
    else:
        files = {PurePosixPath(path) for path in listed}
        folders = {parent for path in files for parent in path.parents}
        given = "\n".join(sorted(map(str, files | folders)))
        pack += ["--no-recursion", "--files-from=-"]
    unpack = ["tar", "--extract", "--same-permissions", "--numeric-owner", f"--directory={place}"]
    with tempfile.TemporaryFile() as archive:
        subprocess.run(pack, input=given.encode(), stdout=archive, check=True)
        archive.seek(0)
        subprocess.run(unpack, stdin=archive, check=True)


def _seconds(duration: str) -> float:
    """A duration of HEALTHCHECK, or a number."""
    found = re.fullmatch(r"(\d+)(s|m)?", duration)
    if not found:
        raise NotKnown(f"the duration {duration}")
    return int(found[1]) * (60 if found[2] == "m" else 1)


def _mb(number: int) -> str:
    return f"{number / 1e6:.1f} MB"
