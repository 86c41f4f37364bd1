"""What visitors and staff do on a machine of the guide: read pages, write, sign in, upload a picture."""

import asyncio
import http.client
import itertools
import json
import re
import shutil
import socket
import sqlite3
import ssl
import tempfile
import urllib.parse
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

from reflex.utils.format import format_event_handler as name_of

import advisory_site  # noqa: F401  the kit needs to know the site
from deploy.checks.guide.machine import DOMAIN, Failed, Machine
from sitekit.accounts.email.link_state import ResetState
from sitekit.accounts.factors.state import AddAppState, ConfirmAppState
from sitekit.accounts.sessions.auth_state import AuthPageState, ChallengeState
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.admin.pictures.upload_state import UploadState
from tests.support.fetch import Answer, fetch
from tests.support.people import PASSWORD
from tests.support.second_factors import code_of
from tests.support.visitor import Gone, Visitor
from tests.support.waiting import wait_for

BACKEND = "http://127.0.0.1:3000"
ADMIN = f"you@{DOMAIN}"
CHECK = name_of(AuthState.event_handlers["check_session"])
SIGN_IN = name_of(AuthPageState.event_handlers["sign_in"])
VERIFY = name_of(ChallengeState.event_handlers["verify"])
SET_PASSWORD = name_of(ResetState.event_handlers["set_new"])
ADD_APP = name_of(AddAppState.event_handlers["save"])
CONFIRM_APP = name_of(ConfirmAppState.event_handlers["save"])
AUTHORIZE = name_of(UploadState.event_handlers["authorize"])
# Debian's Caddy signs the certificates of names below "localhost" with this key.
AUTHORITY = "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
_addresses = itertools.count(2)

# Seconds; a busy machine is no fault of the guide.
PATIENCE = 300

Session = dict[str, str]


class _Connection(http.client.HTTPSConnection):
    """Reaches the domain on this machine, from an address of its own."""

    def connect(self) -> None:
        source = (f"127.0.7.{next(_addresses)}", 0)
        plain = socket.create_connection(("127.0.0.1", 443), timeout=30, source_address=source)
        self.sock = self._context.wrap_socket(plain, server_hostname=DOMAIN)  # type: ignore[attr-defined]


def ask(
    machine: Machine, path: str, data: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    """One request through the proxy, with TLS."""
    trusted = ssl.create_default_context(cafile=machine.path(AUTHORITY))
    connection = _Connection(DOMAIN, context=trusted, timeout=30)
    try:
        connection.request("POST" if data is not None else "GET", path, data, dict(headers or {}))
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def expect(fact: object, promise: str) -> None:
    """Fail unless a promise of the guide holds."""
    if not fact:
        raise Failed(f"This does not hold: {promise}")


def readiness() -> Answer:
    """What /readyz says, as the operator asks."""
    return fetch(f"{BACKEND}/readyz")


def is_served(machine: Machine) -> None:
    """The site is ready, and the proxy shows a page, but nothing internal."""

    def ready() -> bool:
        with suppress(OSError):
            return readiness().status == 200
        return False

    wait_for(ready, f"{machine.name}: /readyz is 200", PATIENCE)
    wait_for(lambda: _status(machine, "/"), f"{machine.name}: the proxy answers with the page", PATIENCE)
    status, _, body = ask(machine, "/")
    expect(status == 200 and b"</html>" in body, "a page is served through the proxy")
    expect(ask(machine, "/readyz")[0] == 404, "/readyz is not reachable through the proxy")


def _status(machine: Machine, path: str) -> bool:
    with suppress(OSError):
        return ask(machine, path)[0] == 200
    return False


def enquire(machine: Machine, message: str) -> None:
    """Send an enquiry by the form without scripts; raises `Failed` if it is not accepted."""
    form = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": message}
    status, _, body = ask(
        machine,
        "/contact",
        urllib.parse.urlencode(form).encode(),
        {"content-type": "application/x-www-form-urlencoded", "origin": f"https://{DOMAIN}"},
    )
    expect(status == 200, f"an enquiry is accepted ({status}: {re.sub(r'<[^>]+>', ' ', body.decode())[-300:]})")


def enquiries(database: Path) -> list[str]:
    """The messages of all enquiries in a SQLite database."""
    return [message for (message,) in select(database, "SELECT message FROM enquiries ORDER BY id")]


def select(database: Path, query: str) -> list[tuple[str, ...]]:
    """Read a copy of a database: root would leave files beside it that the site cannot write."""
    with tempfile.TemporaryDirectory() as folder:
        for file in database.parent.glob(f"{database.name}*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder, database.name))) as connection:
            return connection.execute(query).fetchall()


def choose_password(link: str) -> Session:
    """What the first admin does with the link in the log; returns the session of their browser."""
    page = link.removeprefix(f"https://{DOMAIN}")
    return asyncio.run(_session(SET_PASSWORD, page, {"password": PASSWORD, "confirm_password": PASSWORD}))


def sign_in() -> Session:
    """Sign the admin in by their password; returns the session."""
    return asyncio.run(_session(SIGN_IN, "/auth", {"email": ADMIN, "password": PASSWORD}))


def role_in(session: Session) -> str:
    """The role that a browser with this session has; empty if it is signed out. The session may be renewed."""

    async def look() -> str:
        async with _tab(session) as tab:
            await tab.send(CHECK, "/admin")
            await tab.until("current_user.is_loading", False, seconds=PATIENCE)
            session.update(tab.kept)
            return str(tab.vars.get("current_user.role", ""))

    return asyncio.run(look())


def add_app(session: Session) -> tuple[str, list[str]]:
    """Set an authenticator app up; returns its secret and the recovery codes."""

    async def add() -> tuple[str, list[str]]:
        async with _tab(session) as tab:
            await tab.send(CHECK, "/admin/two-step")
            await tab.until("current_user.role", "admin", seconds=PATIENCE)
            await tab.send(ADD_APP, "/admin/two-step", form_data={"name": "Phone"})
            secret = str(await _filled(tab, "confirm_app_state.secret")).replace(" ", "")
            await tab.send(CONFIRM_APP, "/admin/two-step", form_data={"code": code_of(secret)})
            return secret, list(await _filled(tab, "recovery_codes_state.codes"))

    return asyncio.run(add())


def sign_in_with_code(code: str, *, is_app_lost: bool = False) -> Session:
    """Sign in with the password and a code; fails unless the site thinks the same of the app."""

    async def enter() -> Session:
        async with _tab({}) as tab:
            await tab.send(SIGN_IN, "/auth", form_data={"email": ADMIN, "password": PASSWORD})
            await tab.until("challenge_state.is_open", True, seconds=PATIENCE)
            expect(bool(tab.vars.get("challenge_state.is_app_lost")) == is_app_lost, f"the app is lost: {is_app_lost}")
            await tab.send(VERIFY, "/auth", form_data={"code": code})
            await tab.until("current_user.role", "admin", seconds=PATIENCE)
            return dict(tab.kept)

    return asyncio.run(enter())


def upload(machine: Machine, session: Session, picture: Path) -> str:
    """Upload a picture; returns its address."""

    async def permit() -> str:
        async with _tab(session) as tab:
            await tab.send(CHECK, "/admin")
            await tab.until("current_user.role", "admin", seconds=PATIENCE)
            await tab.send(AUTHORIZE, "/admin", upload="first")
            return str((await _filled(tab, "upload_state.permit", "token"))["token"])

    headers = {"authorization": f"Bearer {asyncio.run(permit())}", "x-file-name": picture.name}
    status, _, body = ask(machine, "/admin/media/upload", picture.read_bytes(), headers)
    expect(status == 200, f"a picture is taken ({status}: {body[:200]!r})")
    return str(json.loads(body)["address"])


async def _session(event: str, page: str, form: Mapping[str, str]) -> Session:
    async with _tab({}) as tab:
        await tab.send(event, page, form_data=dict(form))
        await tab.until("current_user.role", "admin", seconds=PATIENCE)
        return dict(tab.kept)


@asynccontextmanager
async def _tab(session: Session) -> AsyncIterator[Visitor]:
    """A tab of a browser with this session, as if it came through one proxy or two."""
    address = f"198.51.100.{next(_addresses)}"
    visitor = Visitor(BACKEND, f"{address}, {address}")
    visitor.origin, visitor.kept = f"https://{DOMAIN}", dict(session)
    try:
        await _connect(visitor)
        yield visitor
    finally:
        await visitor.close()


async def _connect(visitor: Visitor) -> None:
    for _ in range(100):
        with suppress(Gone):
            await visitor.connect()
            return
        await asyncio.sleep(0.5)
    raise Failed("The site takes no sockets.")


async def _filled(tab: Visitor, var: str, key: str = "") -> Any:
    """Wait until a var, or a key in it, has a value; returns the var."""
    async with asyncio.timeout(PATIENCE):
        while not (value := tab.vars.get(var)) or (key and not value[key]):
            await asyncio.sleep(0.05)
        return value
