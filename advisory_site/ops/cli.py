"""The commands of whoever keeps the site running: check, backup, verify, restore, copy-database."""

import argparse
from collections.abc import Callable
from pathlib import Path

from ..core.settings import Settings
from . import backup, copy_database
from .check import Severity, check_results
from .serve import say

COMMANDS = ("check", "backup", "verify", "restore", "copy-database")


def add_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    """These commands with their options."""
    add("check", help="say what is fine, wrong or unsafe: settings, database, Redis, mail, disk")
    make = add("backup", help="write the database and the media into one file, and verify it")
    make.add_argument("file", metavar="FILE", type=Path)
    verify = add("verify", help="restore a backup into a scratch place and compare counts and checksums")
    verify.add_argument("file", metavar="FILE", type=Path)
    restore = add("restore", help="put a backup in the place of the database and the media")
    restore.add_argument("file", metavar="FILE", type=Path)
    restore.add_argument("--force", action="store_true", help="replace what is there")
    copy = add("copy-database", help="copy all records into an empty database of either kind, counted and compared")
    copy.add_argument("source", metavar="FROM", type=_address)
    copy.add_argument("target", metavar="TO", type=_address)


def _address(text: str) -> str:
    return Settings.from_environment({"ADVISORY_DATABASE_URL": text}).database_url


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line says; what is refused is raised as `ServiceError`, and nothing has changed."""
    match arguments.command:
        case "check":
            raise SystemExit(_check())
        case "backup":
            backup.make(arguments.file)
            said = backup.verify(arguments.file)
            say(f"{arguments.file}: {_contents(said)}, verified.")
        case "verify":
            said = backup.verify(arguments.file)
            say(f"{arguments.file}: {_contents(said)}, made {said.made_at}; it restores.")
        case "restore":
            said = backup.restore(arguments.file, force=arguments.force)
            say(f"Restored {_contents(said)}, made {said.made_at}. Everybody has to sign in again.")
        case "copy-database":
            copied = copy_database.copy_database(arguments.source, arguments.target)
            for name, held in copied.items():
                say(f"{held.rows:>8}  {name}")
            say(f"Copied {sum(held.rows for held in copied.values())} records; both sides compare equal.")


def _check() -> int:
    """Say everything; 1 when something has to be done."""
    said = list(check_results())
    for finding in said:
        say(f"{finding.severity:<7} {finding.part:<9} {finding.text}")
    return int(any(finding.severity in (Severity.WRONG, Severity.UNSAFE) for finding in said))


def _contents(manifest: backup.Manifest) -> str:
    return f"{manifest.records} records and {len(manifest.files) - 1} media files"
