"""The commands that docs/deploy.md prints: those of its blocks, and those in its sentences and tables."""

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "deploy.md"
# With these a command in a sentence or a table begins, if it has an argument.
PROGRAMS = {
    *("apt-get", "chown", "curl", "df", "docker", "fuser", "install", "journalctl", "ln", "make", "mv", "openssl"),
    *("northstrait", "python", "systemctl", ".venv/bin/python"),
}
# How the guide itself is checked.
FOR_DEVELOPERS = {"make guide", "make image-check"}
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ANY_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s+)# .*$")


@dataclass(frozen=True)
class Block:
    """A block of commands: its section, its number there (from 1), and the commands as they are printed."""

    section: str
    number: int
    commands: tuple[str, ...]


@cache
def blocks() -> tuple[Block, ...]:
    """All blocks of the guide, in its order."""
    found = []
    for part in re.split(r"^#{2,3} ", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE):
        title = part.partition("\n")[0]
        for number, text in enumerate(_BLOCK.findall(part), 1):
            found.append(Block(title, number, tuple(_commands_of(text))))
    return tuple(found)


def block_of(section: str, number: int) -> Block:
    """One block; raises `LookupError` if the guide has none with this number."""
    for block in blocks():
        if (block.section, block.number) == (section, number):
            return block
    raise LookupError(f"docs/deploy.md has no block {number} in '{section}'")


@cache
def in_sentences() -> tuple[str, ...]:
    """The commands in sentences and tables, with single spaces."""
    text = _ANY_BLOCK.sub("", GUIDE.read_text(encoding="utf-8"))
    spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text))
    return tuple(dict.fromkeys(span for span in spans if _is_command(span)))


@cache
def all_commands() -> tuple[str, ...]:
    """The names of all commands of the guide, each once."""
    printed = (name_of(command) for block in blocks() for command in block.commands)
    return tuple(dict.fromkeys((*printed, *in_sentences())))


def name_of(command: str) -> str:
    """What a command is called in lists: its text without comments."""
    return "\n".join(_COMMENT.sub("", line) for line in command.splitlines())


def _is_command(span: str) -> bool:
    first, *rest = span.split()
    if span in FOR_DEVELOPERS:
        return False
    return (first in PROGRAMS and rest != []) or first.endswith("/deploy/release")


def _commands_of(text: str) -> list[str]:
    """The commands of a block; one may have several lines."""
    commands, pending = [], ""
    for line in text.splitlines():
        pending += line
        if line.endswith("\\") or not _is_complete(pending):
            pending += "\n"
            continue
        commands.append(pending)
        pending = ""
    return [command for command in commands if name_of(command).strip()]


def _is_complete(command: str) -> bool:
    """Whether the shell would run this text, or wait for more lines."""
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode == 0
