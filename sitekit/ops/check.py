"""Checks settings, database, Redis, mail, disk, pictures, backups and sign-in, and explains problems in plain words."""

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa
from aiosmtplib import SMTPException
from sqlalchemy.exc import SQLAlchemyError

from ..accounts.factors import factors, relying_party
from ..accounts.people import service as accounts
from ..base import paths
from ..base.db.database import engine, read_session
from ..base.db.diagnosis import foreign_files, user_name
from ..base.db.postgresql import connection_limit
from ..base.db.sqlite_file import sqlite_path
from ..base.mail import transport
from ..base.observability.checks import CHECKS, Severity, sentence_of
from ..base.scratch import abandoned
from ..base.settings import CLOSED, OPEN, PREFIX, Settings, get_settings
from ..base.text import name_list
from ..records.pictures import landlock
from ..records.pictures import service as media
from ..records.pictures.storage import PICTURES, StoreUnavailable
from . import live_connection
from .backup_stores import BackupStoreUnavailable
from .backup_stores import open_store as open_backups

ANSWER_TIMEOUT = 5


@dataclass(frozen=True)
class CheckResult:
    """The result for one part, in one sentence."""

    part: str
    severity: Severity
    text: str


def unsafe(settings: Settings) -> list[CheckResult]:
    """The unsafe settings, with which production does not start; none locally."""
    if not settings.is_production:
        return []
    return [finding for finding in settings_results(settings) if finding.severity is Severity.UNSAFE]


def check_results() -> Iterator[CheckResult]:
    """The results of all parts; if one raises, the others are still checked."""
    settings, said = get_settings(), set[str]()
    for result in (*settings_results(settings), *_findings(), *_other_results(settings)):
        # What is wrong with the database as a whole is what many of them find.
        if result.text not in said:
            yield result
        said.add(result.text)


def _findings() -> Iterator[CheckResult]:
    """What is also asked while the site runs; of a part that is not fine, only what was found first."""
    wrong: set[str] = set()
    for check in (*CHECKS, PICTURES):
        if check.part not in wrong and (finding := check.answer()).sentence:
            yield CheckResult(check.part, finding.severity, finding.sentence)
            if finding.severity is not Severity.FINE:
                wrong.add(check.part)


def _other_results(settings: Settings) -> Iterator[CheckResult]:
    parts: tuple[tuple[str, Callable[[Settings], Iterator[CheckResult]]], ...] = (
        ("database", _database),
        ("mail", _mail),
        ("disk", _disk),
        ("picture files", _picture_files),
        ("backups", _backups),
        ("leftovers", _leftovers),
        ("formats", _formats),
        ("factors", _factors),
        ("sign-in", sign_in_results),
    )
    for part, look in parts:
        try:
            yield from look(settings)
        except Exception as error:
            yield CheckResult(part, Severity.WRONG, sentence_of(error))


def settings_results(settings: Settings) -> Iterator[CheckResult]:
    if not settings.is_production:
        yield CheckResult(
            "settings", Severity.NOTE, f"{PREFIX}ENV is 'local': for a public site set it to 'production'."
        )
    else:
        yield CheckResult("settings", Severity.FINE, "complete for production; the secret is long and random enough.")
    address = urlsplit(settings.public_url)
    if settings.is_production and address.scheme != "https" and not _is_here(address.hostname or ""):
        text = f"{PREFIX}PUBLIC_URL begins with http://: passwords would cross the network in clear text."
        yield CheckResult("settings", Severity.UNSAFE, text)
    if problem := relying_party.problem_of(settings):
        severity = Severity.WRONG if settings.is_production else Severity.NOTE
        yield CheckResult("passkeys", severity, f"browsers refuse them for {PREFIX}PUBLIC_URL: {problem}.")
    if settings.is_production and settings.sign_up != CLOSED and not settings.smtp_url:
        text = (
            f"{PREFIX}SIGN_UP lets people create accounts, but without {PREFIX}SMTP_URL addresses are not verified:"
            " anybody could become staff under the address of someone else."
        )
        yield CheckResult("settings", Severity.UNSAFE, text)
    if settings.is_production and settings.sign_up == OPEN:
        text = (
            f"{PREFIX}SIGN_UP is 'open': anybody with an email address can become staff with the role employee."
            " Name the email domains of the firm, or set it to 'closed'."
        )
        yield CheckResult("settings", Severity.NOTE, text)
    yield from missing_packages(settings)
    if _others_may(settings.secret_file):
        yield CheckResult("settings", Severity.UNSAFE, f"{settings.secret_file} can be read by others: 'chmod 600' it.")
    if exposed := _open_database(settings):
        text = f"{exposed} can be read by other users of this machine: 'chmod -R go= {exposed.parent}'."
        yield CheckResult("settings", Severity.UNSAFE, text)
    if settings.redis_url and settings.database_url.startswith("sqlite"):
        text = "several processes may share SQLite on one machine only; on several machines use PostgreSQL."
        yield CheckResult("settings", Severity.NOTE, text)
    elif settings.redis_url and not settings.media_url:
        text = (
            f"several processes see the same pictures only if they share {settings.media_dir};"
            f" otherwise set {PREFIX}MEDIA_URL."
        )
        yield CheckResult("settings", Severity.NOTE, text)


def missing_packages(settings: Settings) -> Iterator[CheckResult]:
    """The settings whose optional packages are not installed."""
    optional = (("SENTRY_DSN", settings.sentry_dsn, "sentry_sdk"), ("OTLP_URL", settings.otlp_url, "opentelemetry"))
    for name, value, package in optional:
        if value and find_spec(package) is None:
            text = f"{PREFIX}{name} is set, but its packages are not installed: 'make tracing' installs them."
            yield CheckResult("settings", Severity.WRONG, text)


def _picture_files(_: Settings) -> Iterator[CheckResult]:
    """Whether each picture has its files; no result if another check reports the database or the store."""
    try:
        with read_session() as session:
            names = media.incomplete(session)
    except (StoreUnavailable, SQLAlchemyError):
        return
    if names:
        text = f"files are missing: {name_list(names)}. Restore a backup, or replace these pictures in the back office."
        yield CheckResult("picture files", Severity.WRONG, text)
    else:
        yield CheckResult("picture files", Severity.FINE, "no picture lacks a file.")


def _factors(_settings: Settings) -> Iterator[CheckResult]:
    with read_session() as session:
        lost, former = factors.count_by_key(session)
    if lost:
        text = (
            f"{PREFIX}SECRET_KEY has changed: add the former secret behind the new one, after a comma. Until then"
            f" people sign in with recovery codes. Authenticator apps that cannot be used: {lost}."
        )
        yield CheckResult("factors", Severity.WRONG, text)
    if former:
        text = f"authenticator apps that need a former secret of {PREFIX}SECRET_KEY until their next use: {former}."
        yield CheckResult("factors", Severity.NOTE, text)
    if not lost and not former:
        yield CheckResult("factors", Severity.FINE, "the secrets of all authenticator apps can be read.")


def sign_in_results(settings: Settings) -> Iterator[CheckResult]:
    """Whether the back office opens at the public address; a note if that is not reached from this machine."""
    address = settings.public_url
    try:
        attempt = live_connection.attempt(address)
    except live_connection.NotReached as error:
        text = f"was not tried, because {address}{paths.AUTH} does not answer here ({error})."
        yield CheckResult("sign-in", Severity.NOTE, text)
        return
    if not attempt.refusal:
        yield CheckResult("sign-in", Severity.FINE, f"{attempt.origin} opens live connections, which it needs.")
        return
    nobody = f"nobody can sign in at {attempt.origin}: its live connections are"
    if not attempt.is_origin_refused:
        text = f"{nobody} answered with {attempt.refusal}. A proxy has to pass on the WebSockets of /_event."
    elif attempt.origin == address:
        text = f"{nobody} refused, because the site was started with another {PREFIX}PUBLIC_URL. Restart it."
    else:
        text = (
            f"{nobody} refused, because {PREFIX}PUBLIC_URL is {address}, which leads there. Set it to {attempt.origin}."
        )
    yield CheckResult("sign-in", Severity.WRONG if settings.is_production else Severity.NOTE, text)


def _open_database(settings: Settings) -> Path | None:
    """A database file that other users can read, by its mode and that of its folder."""
    database = sqlite_path(settings.database_url)
    if database is None:
        return None
    files = (database.with_name(database.name + end) for end in ("", "-wal", "-shm"))
    return next((file for file in files if _others_may(file) and _others_may(database.parent)), None)


def _others_may(path: Path) -> bool:
    """Whether a path exists and its mode gives the group or others any access."""
    return path.exists() and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def _is_here(host: str) -> bool:
    return host in ("localhost", "127.0.0.1", "::1")


def _database(settings: Settings) -> Iterator[CheckResult]:
    """What takes too long to be asked all the time, or is no trouble of the database."""
    if engine().dialect.name == "sqlite":
        with engine().connect() as connection:
            if connection.execute(sa.text("PRAGMA quick_check")).scalar() != "ok":
                yield CheckResult("database", Severity.WRONG, "SQLite finds damage in the file: restore a backup.")
    with read_session() as session:
        limit, most = connection_limit(session), settings.database_connections
        if limit is not None and limit < most:
            text = (
                f"the server opens at most {limit} connections for this role, and each process of the site uses up to"
                f" {most}: with fewer, people wait. {PREFIX}DATABASE_CONNECTIONS sets the most."
            )
            yield CheckResult("database", Severity.NOTE, text)
        if not accounts.has_admin(session):
            yield CheckResult("accounts", Severity.WRONG, "there is no admin: 'create-admin' creates one.")


def _mail(settings: Settings) -> Iterator[CheckResult]:
    if not settings.smtp_url:
        yield CheckResult("mail", Severity.NOTE, f"no server is set: messages are laid into {settings.outbox_dir}.")
        return
    host = urlsplit(settings.smtp_url).hostname
    try:
        transport.probe(settings.smtp_url, ANSWER_TIMEOUT)
        yield CheckResult("mail", Severity.FINE, f"{host} answers, and takes mail from {transport.own_address()}.")
    except (OSError, SMTPException) as error:
        yield CheckResult("mail", Severity.WRONG, f"{host} takes no mail: {transport.explain(error)}")


def _disk(settings: Settings) -> Iterator[CheckResult]:
    folder = settings.data_dir
    if folder.is_dir() and (foreign := foreign_files(folder)):
        owner, others = user_name(folder.stat().st_uid), f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        text = f"{foreign[0]}{others} do not belong to {owner}, who runs the site: 'chown -R {owner} {folder}'."
        yield CheckResult("disk", Severity.WRONG, text)


def _backups(settings: Settings) -> Iterator[CheckResult]:
    if not settings.backup_to:
        text = f"{PREFIX}BACKUP_TO is not set, so 'backup' and 'rehearse' have to be told where backups are."
        yield CheckResult("backups", Severity.NOTE, text)
        return
    try:
        store = open_backups(settings.backup_to)
        names = store.names()
    except BackupStoreUnavailable as error:
        yield CheckResult("backups", Severity.WRONG, error.message)
        return
    if not names:
        yield CheckResult("backups", Severity.NOTE, f"there is none in {store.where()}.")
        return
    yield CheckResult("backups", Severity.FINE, f"{store.where()}: {len(names)}, the newest {names[-1]}.")


def _leftovers(_: Settings) -> Iterator[CheckResult]:
    for path in abandoned():
        text = f"{path} was left by a command that was killed, with copies of records: 'migrate' deletes it."
        yield CheckResult("leftovers", Severity.NOTE, text)


def _formats(_: Settings) -> Iterator[CheckResult]:
    # Not imported above: a server that starts looks for unsafe settings alone, and never decodes pictures itself.
    import pillow_heif
    from PIL import features

    missing = [name for name in ("AVIF", "WebP") if not features.check(name.lower())]
    if not pillow_heif.libheif_info()["decoders"]:
        missing.append("HEIC")
    if missing:
        text = f"Pillow here lacks {' and '.join(missing)}: install the wheels that requirements.txt names."
        yield CheckResult("formats", Severity.WRONG, text)
        return
    yield CheckResult("formats", Severity.FINE, "JPEG, PNG, WebP, AVIF and HEIC can be uploaded.")
    if not landlock.version():
        text = (
            "the kernel has no Landlock, or forbids it, so a hostile picture that finds a fault in a decoder can read"
            " the site's files. Linux 5.13 and newer have it."
        )
        yield CheckResult("formats", Severity.NOTE, text)
