"""Prepares the database (schema, demo firm, first admin) and serves the site."""

import logging
import os
import secrets
import sys
from pathlib import Path

import sqlalchemy as sa

from ..accounts import email_links, mails
from ..accounts import service as accounts
from ..core.errors import ServiceError
from ..core.settings import ROOT, Settings, get_settings
from ..db.database import advisory_lock, engine, transaction
from ..db.diagnosis import prove_writing
from ..db.migrations import revision_of
from ..db.sqlite_file import sqlite_path
from ..framework.built_site import SERVE_BUILD
from ..observability.log_config import write_configuration
from ..seed import seed
from .check import missing_packages, unsafe
from .upgrade import refuse_newer_schema, upgrade

log = logging.getLogger(__name__)

BUILD = ROOT / ".web" / "build" / "client"


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
    echo("Upgrading the database to the newest schema ...")
    upgrade(echo)
    prove_writing()
    _marker(settings).write_text(_address(settings), encoding="utf-8")
    if not settings.is_production:
        with transaction() as session:
            advisory_lock(session)
            added = seed(session)
        if added:
            echo(f"Loaded the demo firm: {added} records.")
    make_first_admin()


def refuse_start(settings: Settings) -> None:
    """Exit with the reason if the settings or packages are wrong, the database is missing, or its schema is newer."""
    if found := unsafe(settings):
        raise SystemExit("This would be unsafe:\n" + "\n".join(f"- {finding.text}" for finding in found))
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
    return sa.make_url(settings.database_url).render_as_string(hide_password=True)


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
        email = settings.admin_email or "admin@northstrait.example"
        password = settings.admin_password or secrets.token_urlsafe(12)
        try:
            user_id = accounts.create_admin(session, email, password)
        except ServiceError as error:
            raise SystemExit(f"ADVISORY_ADMIN_PASSWORD or ADVISORY_ADMIN_EMAIL: {error.message}") from None
        if settings.admin_password:
            shown = "(as set in ADVISORY_ADMIN_PASSWORD)"
        elif settings.is_production:
            shown = f"to be chosen at {mails.recovery_link(email_links.issue(session, user_id, email_links.RECOVER))}"
        else:
            shown = password
    address = f"{settings.public_url}/auth"
    if settings.is_production:
        echo(f"First admin: {email}, password {shown}, sign in at {address}")
    else:
        echo(f"\n  First admin\n    email     {email}\n    password  {shown}\n    sign in   {address}\n")


def serve(port: int, host: str) -> None:
    """Replace this process by the server of the finished build, on one port."""
    if not (BUILD / "index.html").exists():
        raise SystemExit("There is no build to serve yet: 'make build' creates it.")
    environ = dict(os.environ)
    environ.setdefault("ADVISORY_PUBLIC_URL", f"http://localhost:{port}")
    # Use the C library's allocator: its free pages can be returned to the system (observability/memory.py), those of
    # Python's allocator cannot.
    environ.setdefault("PYTHONMALLOC", "malloc")
    # The server's allocator (jemalloc) would only return freed buffers the next time it is used.
    environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0")
    environ |= SERVE_BUILD
    os.chdir(ROOT)
    echo(f"Serving at {environ['ADVISORY_PUBLIC_URL']}  (stop with Ctrl+C)")
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
    os.execve(granian, [*command, "advisory_site.advisory_site:app"], environ)  # noqa: S606
