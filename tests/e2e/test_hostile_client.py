"""A stranger with a raw socket calls every handler there is: nothing changes, nothing is shown, nothing leaks.

The handlers come from the registry, so a new one is attacked without anybody remembering to add it here.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jwt
import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.enquiries.models import entries
from sitekit.accounts import one_use_links
from sitekit.accounts.models import LinkPurpose, SecretLink
from sitekit.accounts.sessions import sessions
from sitekit.base import secret_keys
from sitekit.base.db.database import engine, transaction
from sitekit.ops import tables
from sitekit.records import activity
from sitekit.records.proposals import link_columns as links
from tests.e2e.attack import MARK, RECORDS, Target, attackable, handlers, share_draft
from tests.support.fetch import fetch
from tests.support.people import signed_in
from tests.support.raw_socket import NOTICE, ROOT_STATE, Socket
from tests.support.staff import STORED
from tests.support.waiting import wait_for

# What everybody may bring about: an enquiry with the entry that it was acknowledged, a counted attempt, a mail, the
# challenge of a sign-in, and that an attempt is logged.
OPEN_TABLES = {"attempts", "enquiries", "enquiry_entries", "outgoing_mail", "activity"}
IS_CHALLENGE = col(SecretLink.purpose).in_((LinkPurpose.FACTOR, LinkPurpose.PASSKEY, LinkPurpose.REGISTER))
# Who is nobody may not touch these; of who is somebody, these say who may do what.
POWERS = {"user_roles", "credentials", "stage_owners"}


@pytest.fixture(scope="module")
def target(app: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """One site for all who reach nothing."""
    with attackable(tmp_path_factory.mktemp("hostile") / "data") as target:
        yield target


def everything(but: set[str]) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the database, by table, but for challenges of a sign-in."""
    with engine().connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(_shown(table))), key=repr)
            for table in tables.metadata.sorted_tables
            if table.name not in but
        }


def _shown(table: sa.Table) -> sa.Select[Any]:
    query = sa.select(table)
    return query.where(~IS_CHALLENGE) if table.name == SecretLink.__tablename__ else query


def audit_events(but: str = "") -> list[tuple[Any, ...]]:
    """What is logged of records, and of people who are signed in, except the audit events with a name."""
    with engine().connect() as connection:
        columns = activity.columns
        query = sa.select(*columns).where(sa.or_(columns.of_table != "", columns.by.is_not(None)), columns.act != but)
        return [tuple(row) for row in connection.execute(query.order_by(columns.id))]


Forge = Callable[[Target], object]


def _with(issued: sessions.IssuedSession, **changes: Any) -> str:
    return json.dumps(json.loads(issued.to_json()) | changes)


def _claims(target: Target, **changes: Any) -> dict[str, Any]:
    token = signed_in(target.employee).access_token
    return jwt.decode(token, options={"verify_signature": False}) | changes


def _jwt(claims: dict[str, Any], key: str, algorithm: str = "HS256") -> str:
    return jwt.encode(claims, key, algorithm=algorithm)


def _ours() -> str:
    return secret_keys.signing_keys()[0]


def _stored(access_token: str, refresh_token: str = "guessed") -> str:
    return json.dumps({"access_token": access_token, "refresh_token": refresh_token, "expires_at": 2**31})


def _signed_out(target: Target) -> str:
    issued = signed_in(target.admin)
    with transaction() as session:
        sessions.end(session, issued.access_token)
    return issued.to_json()


def _swapped_header(target: Target) -> str:
    """A genuine token whose payload names the admin, under the old signature."""
    header, payload, signature = signed_in(target.employee).access_token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    claims["sub"] = str(target.admin)
    swapped = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return _stored(f"{header}.{swapped}.{signature}")


NOBODIES: dict[str, Forge] = {
    "no session": lambda target: "",
    "expired": lambda target: _stored(_jwt(_claims(target, exp=int(time.time()) - 1), _ours())),
    "signed out": _signed_out,
    "alg none": lambda target: _stored(_jwt(_claims(target, sub=str(target.admin)), "", "none")),
    "wrong key": lambda target: _stored(_jwt(_claims(target), "0123456789abcdefghijklmnopqrstuvwxyz")),
    "swapped subject": _swapped_header,
    "another's session": lambda target: _stored(_jwt(_claims(target, sub=str(target.admin)), _ours())),
    "a session nobody has": lambda target: _stored(_jwt(_claims(target, sid="1"), _ours())),
    "a dict": lambda target: {"access_token": "x", "refresh_token": {"$ne": ""}},
    "a list": lambda target: [[]],
    "60 kB": lambda target: "x" * 60_000,
}
SOMEBODIES: dict[str, Forge] = {
    "an employee": lambda target: signed_in(target.employee).to_json(),
    "a demoted admin": lambda target: signed_in(target.demoted).to_json(),
}


def attack(target: Target, stored: object, most: int | None = None) -> str:
    """Call everything with every payload, or the first ones, on fresh sockets; returns all that the server said."""
    calls = [(name, payload) for name, payloads in handlers() for payload in payloads[:most]]
    said = []
    for start in range(0, len(calls), 60):
        socket = Socket(target.site.url)
        socket.say(f"{ROOT_STATE}.hydrate_and_load", vars={STORED: stored})
        for name, payload in calls[start : start + 60]:
            socket.say(name, **payload)
        assert socket.settle(), "the socket was closed before the end"
        socket.close()
        said += socket.everything
    return "\n".join(said)


def check_nothing_leaks(said: str, log: str) -> None:
    """Neither the lines of our code, nor the kind of an error, nor a secret."""
    for trace in ("Traceback", '.py"', "Error(", "sqlalchemy", "sqlite3"):
        assert trace not in said
    assert _ours() not in said + log
    assert "a-stranger-walks-in-9" not in log


@pytest.mark.spec("ROLE-4", "SES-5", "SES-6")
@pytest.mark.parametrize("forge", NOBODIES.values(), ids=NOBODIES)
def test_clients_without_a_valid_session_reach_nothing(target: Target, forge: Forge) -> None:
    stored = forge(target)
    # An expired token still ends its own session: who signs out late has signed out.
    is_expired = forge is NOBODIES["expired"]
    may_change, may_be_logged = OPEN_TABLES | ({"auth_sessions"} if is_expired else set()), "signed_out" * is_expired
    before, logged_before = everything(may_change), audit_events(but=may_be_logged)
    # What no page would send is the same for all of them: one sends it.
    said = attack(target, stored, None if forge is NOBODIES["no session"] else len(RECORDS))
    assert everything(may_change) == before
    assert audit_events(but=may_be_logged) == logged_before
    with engine().connect() as connection:
        assert connection.execute(sa.select(entries.id).where(entries.by_name != "")).all() == []
    assert MARK not in said
    check_nothing_leaks(said, target.site.log)


@pytest.mark.spec("ROLE-4", "USR-3")
@pytest.mark.parametrize("forge", SOMEBODIES.values(), ids=SOMEBODIES)
def test_non_admins_cannot_gain_admin_rights(target: Target, forge: Forge) -> None:
    stored = forge(target)
    powers = {name: rows for name, rows in everything(set()).items() if name in POWERS}
    said = attack(target, stored)
    assert {name: rows for name, rows in everything(set()).items() if name in POWERS} == powers
    check_nothing_leaks(said, target.site.log)


@pytest.mark.spec("ROLE-3")
def test_the_same_calls_by_an_admin_succeed(app: object, tmp_path: Path) -> None:
    with attackable(tmp_path / "data") as target:
        before = everything(OPEN_TABLES)
        said = attack(target, signed_in(target.admin).to_json())
        changed = {name for name, rows in everything(OPEN_TABLES).items() if rows != before[name]}
    assert MARK in said
    assert {"user_roles", "companies"} <= changed


@pytest.mark.spec("ROLE-4", "DRAFT-8")
def test_no_forged_secret_shows_a_preview(target: Target) -> None:
    draft, shared = share_draft(target.admin)
    with engine().connect() as connection:
        row = connection.execute(sa.select(links.nonce, links.digest).where(links.proposal_id == draft)).one()
    guessed = hmac.new(b"0123456789abcdefghijklmnopqrstuvwxyz", row.nonce.encode(), hashlib.sha256).digest()
    issued = signed_in(target.admin)
    forged = [
        *(*row, base64.urlsafe_b64encode(guessed).decode().rstrip("=")),
        *(shared[:-1], shared + "x", shared.swapcase(), "%00" * 43, "' OR 1=1 --", "x" * 9000),
        *(issued.access_token, issued.refresh_token, one_use_links.issue(issued.access_token, {"draft": str(draft)})),
        one_use_links.issue_pass(issued.access_token, {"draft": "7777"}),
        one_use_links.issue_pass(issued.access_token, {"draft": str(draft)}).swapcase(),
    ]
    before = everything({"attempts"})
    answers = [fetch(f"{target.site.url}/preview/{quote(secret, safe='%')}") for secret in forged]
    assert {(answer.status, MARK in answer.text) for answer in answers} == {(404, False)}
    assert len({answer.text for answer in answers}) == 1
    assert everything({"attempts"}) == before
    genuine = (shared, one_use_links.issue_pass(issued.access_token, {"draft": str(draft)}))
    for secret in genuine:
        answer = fetch(f"{target.site.url}/preview/{secret}")
        assert (answer.status, MARK in answer.text) == (200, True)
    check_nothing_leaks("", target.site.log)
    for secret in (*forged, *genuine):
        assert len(secret) < 40 or secret not in target.site.log


@pytest.mark.spec("ROLE-4")
def test_an_event_of_one_megabyte_closes_the_socket(target: Target) -> None:
    socket = Socket(target.site.url)
    socket.say(f"{ROOT_STATE}.hydrate_and_load", vars={STORED: "x" * 1_000_000})
    assert not socket.settle()
    assert "x" * 1000 not in target.site.log


@pytest.mark.spec("ROLE-4")
def test_the_attack_covers_the_event_handlers_of_every_area() -> None:
    names = [name for name, _ in handlers()]
    assert any("auth_state.require_staff" in name for name in names)
    assert any(name.endswith(".setvar") for name in names)
    assert len(names) > 20


@pytest.mark.spec("ROLE-4")
def test_a_flood_of_events_closes_the_socket_and_others_are_served(target: Target) -> None:
    flood, other = Socket(target.site.url), Socket(target.site.url)
    flood.say_at_once(300, NOTICE, level="success", text="flood")
    wait_for(lambda: not flood.is_open, "the flooding socket is closed")
    assert other.settle()
    other.close()
