"""Finds transactions that change something, and log nothing: who changed what must be in the table `activity`.

The statements of the site's own code are watched; those of a test or a factory alone are not.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

import sqlalchemy as sa

import advisory_site
import sitekit

PACKAGES = tuple(Path(folder) for one in (advisory_site, sitekit) for folder in one.__path__)
CHANGE = re.compile(r"\s*(?:(INSERT) INTO|(UPDATE)|(DELETE) FROM)\s+\"?(\w+)", re.I)
LOG = "activity"
# Not features: layers below the log, whose callers log, and commands that replace whole databases.
NOT_WATCHED = ("base.", "ops.", "records.activity", "seed.", "server.")

# Changes that are not logged, and why. The third part is the function that may make them; without it, any may.
EXEMPT: dict[tuple[str, str, str], str] = {
    ("INSERT", "attempts", ""): "counts attempts for the limits",
    ("DELETE", "attempts", ""): "counts attempts for the limits",
    ("UPDATE", "content_version", ""): "follows a change of a record",
    ("INSERT", "former_slugs", ""): "follows a change of a record",
    ("UPDATE", "former_slugs", ""): "follows a change of a record",
    ("DELETE", "former_slugs", ""): "follows a change of a record",
    ("INSERT", "outgoing_mail", ""): "the act that a message is about is logged",
    ("INSERT", "enquiries", "enquiries.submission.submit"): "an enquiry is stored itself, with its time",
    ("INSERT", "enquiry_entries", "enquiries.submission"): "an enquiry is stored itself, with its time",
    ("UPDATE", "enquiries", "enquiries.submission"): "a new enquiry begins with who answers its stage",
    ("UPDATE", "enquiry_entries", "enquiries.desk.service.note_outcome"): "what became of a reply, which is logged",
    ("UPDATE", "enquiries", "enquiries.desk.service.note_outcome"): "what became of a reply, which is logged",
    ("UPDATE", "preview_links", "records.preview_links.find"): "counts how often a link is opened",
    ("UPDATE", "preview_links", "records.preview_links.note_published"): "the draft's publishing is logged",
    ("DELETE", "preview_links", "records.preview_links.delete_expired"): "retention",
    (
        "INSERT",
        "sign_ups",
        "accounts.people.sign_up._store",
    ): "waits for its link; the account is logged later",
    (
        "UPDATE",
        "sign_ups",
        "accounts.people.sign_up._store",
    ): "waits for its link; the account is logged later",
    ("INSERT", "mailed_links", "accounts.people.sign_up._store"): "a sign-up that is sent again",
    ("DELETE", "mailed_links", "accounts.people.sign_up._store"): "a sign-up that is sent again",
    ("UPDATE", "auth_sessions", "accounts.sessions.sessions.refresh"): "a session goes on, or has come to its end",
    ("INSERT", "refresh_tokens", "accounts.sessions.sessions.refresh"): "a session goes on",
    ("UPDATE", "refresh_tokens", "accounts.sessions.sessions.refresh"): "a session goes on",
    (
        "UPDATE",
        "auth_sessions",
        "accounts.sessions.reauthentication",
    ): "what a person does after the reauthentication is logged",
    ("UPDATE", "credentials", "accounts.sessions.sign_in._rehash"): "the same password with a slower hash",
    ("UPDATE", "profiles", "accounts.sessions.sessions.refresh"): "the days of grace for a second factor begin",
    (
        "UPDATE",
        "auth_factors",
        "accounts.sessions.reauthentication",
    ): "what a person does after the reauthentication is logged",
    (
        "UPDATE",
        "auth_sessions",
        "accounts.factors.passkeys.reauthenticate",
    ): "what a person does after the reauthentication is logged",
    (
        "UPDATE",
        "auth_factors",
        "accounts.factors.passkeys.reauthenticate",
    ): "what a person does after the reauthentication is logged",
    ("INSERT", "auth_factors", "accounts.factors.factors.begin_app"): "counts from its first code on, which is logged",
    ("DELETE", "auth_factors", "accounts.factors.factors.begin_app"): "an earlier setup that was not finished",
    ("DELETE", "auth_factors", "accounts.factors.factors.delete_expired"): "retention",
    ("INSERT", "mailed_links", "accounts.factors.challenges.issue"): "a sign-in waits; its success is logged",
    ("UPDATE", "mailed_links", "accounts.factors.challenges.count_try"): "counts tries; a wrong one is logged",
    ("UPDATE", "mailed_links", "accounts.factors.passkeys"): "a challenge is used up; what it was for is logged",
    ("DELETE", "enquiries", "enquiries.submission.delete_expired"): "retention",
    ("INSERT", "texts", "admin.page_texts.service.add_missing"): "a row that changes nothing",
    ("DELETE", "revisions", "records.revisions.delete_expired"): "retention",
    ("DELETE", "revisions", "records.trash.delete_expired"): "retention of the trash",
    ("UPDATE", "activity", "records.trash.delete_expired"): "retention of the trash",
    ("DELETE", "activity", "records.activity.delete_expired"): "retention",
    ("DELETE", "auth_sessions", "accounts.sessions.sessions.delete_expired"): "retention",
    ("DELETE", "refresh_tokens", "accounts.sessions.sessions.delete_expired_tokens"): "retention",
    ("DELETE", "sign_ups", "accounts.people.sign_up.delete_expired"): "retention",
    ("DELETE", "profiles", "accounts.people.sign_up.delete_expired"): "retention of accounts that were never opened",
    ("DELETE", "mailed_links", "accounts.links.delete_expired"): "retention",
    ("INSERT", "mailed_links", "accounts.links.move_former"): "an email change that was logged when it was asked for",
    ("DELETE", "email_changes", "accounts.links.move_former"): "an email change that was logged when it was asked for",
    ("DELETE", "sign_in_challenges", "accounts.links.move_former"): "retention",
    ("DELETE", "invitations", "accounts.invitations.invitations.delete_expired"): "retention",
    (
        "UPDATE",
        "invitations",
        "accounts.invitations.invitations.expire_all",
    ): "a restore, as for the tables that it empties",
}


@dataclass
class _Transaction:
    changes: list[str] = field(default_factory=list)
    is_logged: bool = False


@cache
def _module_of(file: str) -> str:
    path = Path(file)
    package = next((one for one in PACKAGES if path.is_relative_to(one)), None)
    return ".".join(path.relative_to(package).with_suffix("").parts) if package else ""


def _functions(frame: FrameType | None) -> Iterator[str]:
    """The site's functions on the stack, innermost first: `accounts.sessions._rotate`."""
    while frame is not None:
        if module := _module_of(frame.f_code.co_filename):
            yield f"{module}.{frame.f_code.co_name}"
        frame = frame.f_back


def unlogged(statement: str, functions: list[str]) -> list[str]:
    """The change that a statement makes, in words; nothing if it makes none, or need not be logged."""
    found = CHANGE.match(statement)
    if not found:
        return []
    verb, table = next(filter(None, found.groups()[:3])).upper(), found.group(4)
    watched = [name for name in functions if not name.startswith(NOT_WATCHED)]
    if not watched:
        return []
    for exempt_verb, exempt_table, function in EXEMPT:
        is_by = not function or any(name == function or name.startswith(f"{function}.") for name in functions)
        if (verb, table) == (exempt_verb, exempt_table) and is_by:
            return []
    return [f"{verb} {table} by {' < '.join(watched[:4])}"]


@contextmanager
def logged_changes() -> Iterator[list[str]]:
    """Collect what transactions that are committed during the block change without a line of activity."""
    open_now: WeakKeyDictionary[sa.Connection, _Transaction] = WeakKeyDictionary()
    missed: list[str] = []

    def executed(
        connection: sa.Connection, cursor: Any, statement: str, _parameters: Any, _context: Any, _many: bool
    ) -> None:
        if statement[:6].upper() not in ("INSERT", "UPDATE", "DELETE"):
            return
        transaction = open_now.setdefault(connection, _Transaction())
        if statement.startswith(f"INSERT INTO {LOG} "):
            transaction.is_logged = True
        # SQLite counts the rows of a statement that returns some only when they are read.
        elif cursor.rowcount != 0 or "RETURNING" in statement:
            transaction.changes.extend(unlogged(statement, list(_functions(sys._getframe(1)))))

    def committed(connection: sa.Connection) -> None:
        transaction = open_now.pop(connection, None)
        if transaction and transaction.changes and not transaction.is_logged:
            missed.extend(transaction.changes)

    def rolled_back(connection: sa.Connection) -> None:
        open_now.pop(connection, None)

    listeners: dict[str, Callable[..., None]] = {
        "after_cursor_execute": executed,
        "commit": committed,
        "rollback": rolled_back,
    }
    for name, listener in listeners.items():
        sa.event.listen(sa.Engine, name, listener)
    try:
        yield missed
    finally:
        for name, listener in listeners.items():
            sa.event.remove(sa.Engine, name, listener)
