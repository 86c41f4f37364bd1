"""The command line: each command with its arguments, its help and what it prints.

Each command imports its modules when it runs, so that help and wrong arguments load no database code. For the same
reason the site gives a function, `main(obj=...)`, that hands over its features when a command runs.
"""

import getpass
import logging.config
import os
import pwd
import signal
import sys
from pathlib import Path

import click

from ..base.errors import ServiceError
from ..base.permissions import Role
from ..base.settings import PREFIX, Settings, get_settings
from ..base.site import get_site
from .backup_keep import Keep


def unwind_when_stopped() -> None:
    """Have SIGTERM and the end of a terminal raise `SystemExit`, so that a command deletes its scratch folders."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores the latter
            signal.signal(number, _unwind)


def _unwind(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


def ensure_home() -> None:
    """Make the data folder the home of a user without a name and a home, as in containers: libraries ask for one."""
    if not os.environ.get("HOME", "").startswith("/"):
        try:
            pwd.getpwuid(os.getuid())
        except KeyError:
            os.environ["HOME"] = str(get_settings().data_dir)


class _ReadingCommand(click.Command):
    """Prints known errors in one sentence."""

    def invoke(self, ctx: click.Context) -> None:
        from ..base.db.diagnosis import explain, is_trouble
        from ..base.observability import audit_log
        from . import tables  # noqa: F401  foreign keys need all tables

        audit_log.unattended.set(audit_log.COMMAND_LINE)
        if ctx.obj:
            ctx.obj()
        try:
            super().invoke(ctx)
        except ServiceError as error:
            raise SystemExit(error.message) from None
        except OSError as error:
            if error.filename is None or not Path(error.filename).is_relative_to(get_settings().data_dir):
                raise
            raise SystemExit(f"{PREFIX}DATA_DIR: {error.filename} cannot be used: {error.strerror}.") from None
        except Exception as error:
            if not is_trouble(error):
                raise
            raise SystemExit(explain(error)) from None


class _Command(_ReadingCommand):
    """Refuses to run as root on another user's data, and deletes what commands that were killed have left."""

    def invoke(self, ctx: click.Context) -> None:
        from ..base.db.diagnosis import user_name
        from ..base.scratch import delete_abandoned

        folder = get_settings().data_dir
        if os.geteuid() == 0 and folder.exists() and folder.stat().st_uid != 0:
            owner = user_name(folder.stat().st_uid)
            raise SystemExit(
                f"This runs as root, but {folder} belongs to {owner}, who could not change files made there by root."
                f" Run it as {owner}: deploy/{get_site().file_name} does, or 'runuser -u {owner} -- ...'."
            )
        delete_abandoned()
        super().invoke(ctx)


class _Group(click.Group):
    command_class = _Command


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(get_site().version, prog_name=get_site().brand.name, message="%(prog)s %(version)s")
def main() -> None:
    """Run the site, and manage its database, backups and accounts."""
    # The files that commands write (database, backups, outbox, log settings) contain personal data.
    os.umask(0o077)


_email = click.argument("email")


@main.command()
@click.option("--port", type=click.IntRange(1, 65_535), default=3000, show_default=True)
@click.option("--host", help="The address to listen on; by default 127.0.0.1 locally, and all in production.")
def run(port: int, host: str | None) -> None:
    """Prepare the database and serve the finished build."""
    from ..base.observability.log_config import configuration
    from . import serve
    from .port import claim

    if not os.environ.get(f"{PREFIX}PUBLIC_URL", "").strip():
        os.environ[f"{PREFIX}PUBLIC_URL"] = f"http://localhost:{port}"
    get_settings.cache_clear()  # read before PUBLIC_URL was set
    host = host or get_settings().listen_address
    if get_settings().is_production:
        logging.config.dictConfig(configuration(get_settings()))
    _held = claim(host, port)  # kept open by the server, which replaces this process
    serve.prepare()
    serve.serve(port, host)


@main.command()
def migrate() -> None:
    """Upgrade the database to the newest schema. Records are backed up first."""
    from .upgrade import upgrade

    upgrade(click.echo)


@main.command()
@click.argument("revision", help="Such as 0004; what later ones have added is deleted.")
@click.option("--delete-everything", is_flag=True, help="Needed for 'base', which is before all tables.")
def migrate_down(revision: str, delete_everything: bool) -> None:
    """Downgrade the schema to an older revision. Records are backed up first."""
    from .upgrade import downgrade

    downgrade(revision, click.echo, delete_everything=delete_everything)
    click.echo(f"The schema is at {revision}.")


@main.command()
def seed() -> None:
    """Load the demo firm into an empty database."""
    from ..base.db.database import transaction
    from ..records.features import features

    with transaction() as session:
        added = features().seed(session)
    click.echo(f"Added {added} records.")


@main.command()
@_email
@click.option("--first-name", default="")
@click.option("--last-name", default="")
def create_admin(email: str, first_name: str, last_name: str) -> None:
    """Create an admin account. The password is prompted for, or read from standard input."""
    from ..accounts.people import service
    from ..base.db.database import transaction

    password = _read_password()
    with transaction() as session:
        service.create_admin(session, email, password, first_name, last_name)
    click.echo(f"{email} is an admin and can sign in.")


def _read_password() -> str:
    """Read a password, typed twice at a terminal or from standard input. Other users could see an argument."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Password again: ") != password:
        raise SystemExit("The two passwords differ; nothing was changed.")
    return password


@main.command()
@_email
@click.argument("role", type=click.Choice([role.value for role in Role]))
def set_role(email: str, role: str) -> None:
    """Give a person another role."""
    from ..accounts.people import service
    from ..base.db.database import transaction

    with transaction() as session:
        service.set_role(session, service.user_id_of(session, email), role)
    click.echo(f"{email} has the role {role}.")


@main.command()
@_email
def sign_out_everywhere(email: str) -> None:
    """End all sessions of a person."""
    from ..accounts.people import service
    from ..accounts.sessions import sessions
    from ..base.db.database import transaction

    with transaction() as session:
        ended = sessions.end_all(session, service.user_id_of(session, email))
    click.echo(f"{email} is signed out: {ended} sessions ended.")


@main.command()
@_email
def unlock(email: str) -> None:
    """Reset the rate limits of an account. They count wrong passwords and requested mails."""
    from ..accounts import form_data, throttling
    from ..accounts.people import service
    from ..base.db.database import transaction
    from ..base.observability.audit_log import AuditEvent
    from ..records import activity

    with transaction() as session:
        user_id = service.user_id_of(session, email)
        throttling.reset(session, form_data.email_of(email))
        activity.log(session, AuditEvent.ACCOUNT_UNLOCKED, email, of_table=service.PROFILES, record_id=user_id)
    click.echo(f"{email} can try again now.")


@main.command()
@_email
def reset_factors(email: str) -> None:
    """Remove a person's second factors. Verify first that the request comes from them."""
    from ..accounts.factors import factors
    from ..accounts.people import service
    from ..base.db.database import transaction

    with transaction() as session:
        removed = factors.reset(session, service.user_id_of(session, email))
    click.echo(f"{email} is signed out, and signs in with the password alone. Second factors removed: {removed}.")


@main.command()
@_email
def delete_account(email: str) -> None:
    """Delete the account of a person who left. Records that they saved stay."""
    from ..accounts.people import service
    from ..base.db.database import transaction

    with transaction() as session:
        service.delete_account(session, service.user_id_of(session, email))
    click.echo(f"The account of {email} is deleted.")


@main.command()
@_email
@click.option("--json", "file", type=Path, help="Write everything into this file, which must be new.")
@click.option("--erase", is_flag=True, help="Erase it, with the account.")
def personal_data(email: str, file: Path | None, erase: bool) -> None:
    """Count the data about an email address. It can be exported and erased."""
    from ..accounts.personal_data import commands

    if file:
        click.echo(f"{commands.export(email, file)} rows are in {file}.")
    for line in commands.erase(email) if erase else commands.describe(email):
        click.echo(line)


@main.command(cls=_ReadingCommand)  # so root may run it
@click.option("--start", is_flag=True, help="Report only what would stop a start of this version.")
def check(start: bool) -> None:
    """Report what is correct, wrong or unsafe.

    It looks at settings, database, Redis, mail, disk, pictures and sign-in.
    """
    from ..base.observability.checks import Severity
    from .check import check_results
    from .serve import refuse_start

    if start:
        refuse_start(get_settings())
        click.echo("Nothing stops the start.")
        return
    results = list(check_results())
    for result in results:
        click.echo(f"{result.severity:<7} {result.part:<9} {result.text}")
    sys.exit(int(any(result.severity in (Severity.WRONG, Severity.UNSAFE) for result in results)))


class _KeepRule(click.ParamType[Keep]):
    name = "RULE"

    def convert(self, value: str | Keep, param: click.Parameter | None, ctx: click.Context | None) -> Keep:
        try:
            return value if isinstance(value, Keep) else Keep.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


@main.command()
@click.argument("target", required=False)
@click.option("--to", "place", metavar="PLACE", help=f"A folder or s3://...; by default that of {PREFIX}BACKUP_TO.")
@click.option("--keep", type=_KeepRule(), help="Delete older ones there: 30 keeps 30, 14d,8w,12m one per period.")
def backup(target: str | None, place: str | None, keep: Keep | None) -> None:
    """Write the database and the pictures into one file. The file is verified.

    TARGET is a new file, or a place as for --to. In a place the file is named by its time.
    """
    from . import backup_stores
    from .backup import back_up, make, verify

    if target and place:
        raise click.UsageError("Give either TARGET or --to.")
    place = target or place or get_settings().backup_to or _no_place("--to PLACE")
    if target and "://" not in target and not Path(target).is_dir():
        if keep:
            raise click.UsageError(f"--keep needs a folder or a bucket, and {target} is none.")
        make(Path(target))
        click.echo(f"{target}: {verify(Path(target), _warn).contents}, verified.")
        return
    back_up(backup_stores.open_store(place), click.echo, _warn, keep)


@main.command()
@click.argument("place", required=False)
def rehearse(place: str | None) -> None:
    """Restore the newest backup into a scratch database. PLACE is as for backup --to, or a file.

    The outcome is shown on the dashboard and in the metrics.
    """
    import time

    from .rehearsal import rehearse

    started = time.monotonic()
    manifest = rehearse(place or get_settings().backup_to or _no_place("PLACE"), _warn)
    seconds = time.monotonic() - started
    click.echo(f"Restored {manifest.contents}, made {manifest.made_at}, in {seconds:.0f} s; they compare equal.")


def _no_place(argument: str) -> str:
    raise click.UsageError(f"Where? Give {argument}, or set {PREFIX}BACKUP_TO.")


_source = click.argument("source", metavar="FILE")


@main.command()
@_source
def verify(source: str) -> None:
    """Prove that a backup can be restored. FILE may be s3://..., or a folder: then its newest."""
    from .backup import verify
    from .backup_stores import fetch_backup

    with fetch_backup(source) as file:
        manifest = verify(file, _warn)
    click.echo(f"{file.name}: {manifest.contents}, made {manifest.made_at}; it can be restored.")


def _warn(text: str) -> None:
    click.echo(text, err=True)


@main.command()
@_source
@click.option("--force", is_flag=True, help="Replace what is there.")
def restore(source: str, force: bool) -> None:
    """Put a backup in place of all records and pictures. FILE as for verify."""
    from .backup import restore
    from .backup_stores import fetch_backup

    with fetch_backup(source) as file:
        manifest = restore(file, force=force)
    click.echo(f"Restored {file.name}: {manifest.contents}, made {manifest.made_at}. Everybody has to sign in again.")


def _address(text: str) -> str:
    return Settings.from_environment({f"{PREFIX}DATABASE_URL": text}).database_url


@main.command()
@click.argument("source", metavar="FROM", type=_address)
@click.argument("target", metavar="TO", type=_address)
def copy_database(source: str, target: str) -> None:
    """Copy all records into an empty database. Either may be SQLite or PostgreSQL; both are compared."""
    from .copy_database import copy_database

    copied = copy_database(source, target)
    for name, copy in copied.items():
        click.echo(f"{copy.rows:>8}  {name}")
    click.echo(f"Copied {sum(copy.rows for copy in copied.values())} records; both sides compare equal.")


@main.command(
    help=f"Copy all pictures into another store. Either may be a folder or s3://..., as in {PREFIX}MEDIA_URL."
)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_pictures(source: str, target: str) -> None:
    """Copy all pictures from one store into another."""
    from .copy_pictures import copy_between

    click.echo(f"Copied {copy_between(source, target)} files of pictures.")
