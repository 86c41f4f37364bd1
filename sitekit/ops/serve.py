"""Prepares the database (schema, demo firm, first admin) and serves the site."""

import logging
import os
import secrets
import sys
from pathlib import Path

import sqlalchemy as sa

from ..accounts import mails
from ..accounts.email import email_links
from ..accounts.models import LinkPurpose
from ..accounts.people import service as accounts
from ..base.db.database import advisory_lock, engine, transaction
from ..base.db.diagnosis import prove_writing
from ..base.db.migrations import revision_of
from ..base.db.sqlite_file import sqlite_path
from ..base.errors import ServiceError
from ..base.observability.log_config import write_configuration
from ..base.settings import PREFIX, ROOT, Settings, get_settings
from ..base.site import get_site
from ..records.features import features
from ..server.framework.built_site import SERVE_BUILD
from .check import missing_packages, unsafe
from .upgrade import refuse_newer_schema, upgrade

log = logging.getLogger(__name__)

BUILD = ROOT / ".web" / "build" / "client"
ALLOCATORS = {
    # The C library's allocator: its free pages can be returned to the system (base/observability/memory.py), those of
    # Python's allocator cannot.
    "PYTHONMALLOC": "malloc",
    # The server's allocator (jemalloc) returns freed memory after a while, and only when it is used again; but at once
    # what is over the threshold, such as the buffer of a socket. It would also add a page to each of those.
    "_RJEM_MALLOC_CONF": "oversize_threshold:65536,dirty_decay_ms:1000,muzzy_decay_ms:0,cache_oblivious:false",
}


def echo(text: str) -> None:
    """Print a line of progress; in production it is an entry of the log, as all that follows."""
    if get_settings().is_production:
        log.info("%s", text)
    else:
        print(text, flush=True)


def prepare() -> None:
    """Migrate the database, load the demo firm into an empty one (locally), and create an admin if there is none."""
    settings = get_settings()
    refuse_start(settings)
    echo(f"{get_site().brand.name} {get_site().version}")
    echo("Upgrading the database to the newest schema ...")
    upgrade(echo)
    prove_writing()
    _marker(settings).write_text(_address(settings), encoding="utf-8")
    if not settings.is_production:
        with transaction() as session:
            advisory_lock(session)
            added = features().seed(session)
        if added:
            echo(f"Loaded the demo firm: {added} records.")
    make_first_admin()


def refuse_start(settings: Settings) -> None:
    """Exit with the reason if the settings or packages are wrong, the database is missing, or its schema is newer."""
    if findings := unsafe(settings):
        raise SystemExit("This would be unsafe:\n" + "\n".join(f"- {finding.text}" for finding in findings))
    if missing := next(missing_packages(settings), None):
        raise SystemExit(missing.text)
    refuse_lost_database(settings)
    refuse_newer_schema()


def refuse_lost_database(settings: Settings) -> None:
    """Exit in production if a database that existed before is missing: an empty one would look like a new site."""
    marker = _marker(settings)
    if not settings.is_production or not marker.exists() or marker.read_text(encoding="utf-8") != _address(settings):
        return
    path = sqlite_path(settings.database_url)
    if path is None or path.exists():
        with engine().connect() as connection:
            if revision_of(connection):
                return
    raise SystemExit(
        f"There was a database at {_address(settings)}, and now there is none, or it is empty."
        " 'restore FILE' restores a backup; 'migrate' creates an empty database, if that is intended."
    )


def _marker(settings: Settings) -> Path:
    """The file that records that a database was created."""
    return settings.data_dir / "database_made"


def _address(settings: Settings) -> str:
    address = sa.make_url(settings.database_url).difference_update_query(["password", "sslpassword"])
    return address.render_as_string(hide_password=True)


def make_first_admin() -> None:
    """Create the first admin from the settings, if there is no admin.

    Without a password in the settings, a generated one is printed locally. In production, where output is kept in logs,
    a link to choose one is printed instead; it works once and expires.
    """
    settings = get_settings()
    with transaction() as session:
        advisory_lock(session)
        if accounts.has_admin(session):
            return
        email = settings.admin_email or f"admin@{get_site().brand.domain}"
        password = settings.admin_password or secrets.token_urlsafe(12)
        try:
            user_id = accounts.create_admin(session, email, password)
        except ServiceError as error:
            raise SystemExit(f"{PREFIX}ADMIN_PASSWORD or {PREFIX}ADMIN_EMAIL: {error.message}") from None
        if settings.admin_password:
            password_text = f"(as set in {PREFIX}ADMIN_PASSWORD)"
        elif settings.is_production:
            password_text = (
                f"to be chosen at {mails.recovery_link(email_links.issue(session, user_id, LinkPurpose.RECOVER))}"
            )
        else:
            password_text = password
    address = f"{settings.public_url}/auth"
    if settings.is_production:
        echo(f"First admin: {email}, password {password_text}, sign in at {address}")
    else:
        echo(f"\n  First admin\n    email     {email}\n    password  {password_text}\n    sign in   {address}\n")


def serve(port: int, host: str) -> None:
    """Replace this process by the server of the finished build, on one port."""
    if not (BUILD / "index.html").exists():
        raise SystemExit("There is no build to serve yet: 'make build' creates it.")
    environ = ALLOCATORS | os.environ | SERVE_BUILD
    os.chdir(ROOT)
    echo(f"Serving at {get_settings().public_url}  (stop with Ctrl+C)")
    granian = Path(sys.executable).with_name("granian")
    command = [
        str(granian),
        "--interface",
        "asgi",
        "--factory",
        "--workers",
        "1",
        "--host",
        host,
        "--port",
        str(port),
        "--log-config",
        str(write_configuration(get_settings())),
        # In seconds; longer than the graceful shutdown takes.
        "--workers-kill-timeout",
        "20",
    ]
    package = get_site().package
    os.execve(granian, [*command, f"{package}.{package}:app"], environ)  # noqa: S606
