"""Reads a Containerfile and a .dockerignore, and refuses what it does not know rather than skip it."""

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

# The instructions that `builder.py` can carry out, with their options.
KNOWN: dict[str, frozenset[str]] = {
    "ARG": frozenset(),
    "CMD": frozenset(),
    "COPY": frozenset({"from", "chown"}),
    "ENTRYPOINT": frozenset(),
    "ENV": frozenset(),
    "EXPOSE": frozenset(),
    "FROM": frozenset(),
    "HEALTHCHECK": frozenset({"interval", "timeout", "start-period", "retries"}),
    "LABEL": frozenset(),
    "RUN": frozenset(),
    "STOPSIGNAL": frozenset(),
    "USER": frozenset(),
    "VOLUME": frozenset(),
    "WORKDIR": frozenset(),
}
_VARIABLE = re.compile(r"\\(.)|\$(\w+)|\$\{(\w+)(?:(:[-+])([^}]*))?\}")


class NotKnown(Exception):
    """The file has something that is not known here; the message names the line."""


@dataclass(frozen=True)
class Instruction:
    """One instruction: its name, its options, the rest of its line, and the words of a list in JSON, if it has one."""

    line: int
    name: str
    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    listed: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Stage:
    """What follows one FROM."""

    base: str
    name: str
    instructions: tuple[Instruction, ...]


def parse(text: str) -> list[Stage]:
    """The stages of a Containerfile."""
    stages: list[Stage] = []
    found: list[Instruction] = []
    for instruction in map(_instruction, *zip(*_joined(text), strict=True)):
        if instruction.name != "FROM":
            if not stages:
                raise NotKnown(f"line {instruction.line}: {instruction.name} before the first FROM")
            found.append(instruction)
            continue
        if not (words := re.fullmatch(r"(\S+)(?:\s+AS\s+(\S+))?", instruction.text, re.IGNORECASE)):
            raise NotKnown(f"line {instruction.line}: FROM {instruction.text}")
        _close(stages, found)
        stages.append(Stage(words[1], words[2] or str(len(stages)), ()))
    _close(stages, found)
    return stages


def _close(stages: list[Stage], found: list[Instruction]) -> None:
    if stages:
        stages[-1] = Stage(stages[-1].base, stages[-1].name, tuple(found))
    found.clear()


def _joined(text: str) -> list[tuple[int, str]]:
    """The lines with what continues them, without comments."""
    if re.match(r"#\s*(syntax|escape)\s*=", text, re.IGNORECASE):
        raise NotKnown("line 1: another syntax")
    lines: list[tuple[int, str]] = []
    part, began = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        began = began if part else number
        part += line.strip() if not part else line
        if part.endswith("\\"):
            part = part[:-1]
            continue
        lines.append((began, part))
        part = ""
    if part:
        lines.append((began, part))
    return lines


def _instruction(line: int, text: str) -> Instruction:
    name, _, rest = text.partition(" ")
    name, rest, options = name.upper(), rest.strip(), {}
    if name not in KNOWN:
        raise NotKnown(f"line {line}: the instruction {name}")
    while option := re.match(r"--([a-z-]+)(?:=(\S*))?\s+", rest):
        if option[1] not in KNOWN[name] or option[2] is None:
            raise NotKnown(f"line {line}: the option --{option[1]} of {name}")
        options[option[1]] = option[2]
        rest = rest[option.end() :]
    if "<<" in rest:
        raise NotKnown(f"line {line}: a text that begins with <<")
    command, listed = rest, None
    if name == "HEALTHCHECK" and rest != "NONE":
        if not rest.startswith("CMD "):
            raise NotKnown(f"line {line}: HEALTHCHECK {rest}")
        command = rest.removeprefix("CMD ").strip()
    if command.startswith("[") and name != "LABEL":
        try:
            listed = tuple(map(str, json.loads(command)))
        except ValueError as error:
            raise NotKnown(f"line {line}: not a list: {command}") from error
    return Instruction(line, name, command, options, listed)


def substitute(text: str, values: Mapping[str, str]) -> str:
    """Replace $NAME, ${NAME}, ${NAME:-otherwise} and ${NAME:+if set} as in all instructions but RUN."""

    def value(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        held = values.get(found[2] or found[3], "")
        if found[4] == ":-":
            return held or found[5]
        return found[5] if found[4] and held else "" if found[4] else held

    return _VARIABLE.sub(value, text)


def pairs(text: str) -> dict[str, str]:
    """The NAME=value pairs of ENV and ARG."""
    found = {}
    for word in shlex.split(text):
        name, equals, value = word.partition("=")
        if not equals:
            raise NotKnown(f"a name without a value: {text}")
        found[name] = value
    return found


def ignored(text: str) -> Callable[[str], bool]:
    """Whether a .dockerignore keeps a file, named relative to the folder, out of the image: the last rule counts."""
    rules: list[tuple[bool, re.Pattern[str]]] = []
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith("#"):
            rules.append((not line.startswith("!"), _pattern(line.removeprefix("!").strip("/"))))

    def is_ignored(path: str) -> bool:
        # A rule for a folder holds for all that is in it.
        steps = [str(step) for step in (PurePosixPath(path), *PurePosixPath(path).parents) if str(step) != "."]
        result = False
        for keeps_out, pattern in rules:
            if any(map(pattern.fullmatch, steps)):
                result = keeps_out
        return result

    return is_ignored


def _pattern(rule: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if "[" in rule or "\\" in rule:
        raise NotKnown(f".dockerignore: {rule}")
    return re.compile("".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*|\?)", rule)))
