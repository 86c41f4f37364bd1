"""The check says what is the matter in plain words, and production does not start on what is unsafe."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pillow_heif
import pytest
import sqlalchemy as sa
from PIL import features
from redis import ResponseError

from sitekit.base import messages, redis_probe
from sitekit.base.db.database import engine, transaction
from sitekit.base.observability.checks import Severity
from sitekit.base.permissions import Role
from sitekit.base.settings import Settings, get_settings
from sitekit.ops import check
from sitekit.records.pictures import landlock
from tests.conftest import IS_CI, ROOT, on_postgresql, on_sqlite
from tests.support.database_faults import read_only
from tests.support.each import check_each
from tests.support.owners import give_away
from tests.support.people import person
from tests.support.postgresql import PostgreSQL
from tests.support.redis_server import REFUSALS, is_installed, redis_server, send, url_of
from tests.support.s3_server import S3Server
from tests.support.second_factors import add_app
from tests.support.strict_smtp import strict_server

PRODUCTION = {
    "ADVISORY_ENV": "production",
    "ADVISORY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    "ADVISORY_SIGN_UP": "closed",
    "ADVISORY_PUBLIC_URL": "https://northstrait.example",
}


def said(part: str) -> list[tuple[Severity, str]]:
    return [(finding.severity, finding.text) for finding in check.check_results() if finding.part == part]


@pytest.fixture
def setting(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Changes one setting."""

    def change(name: str, value: str) -> None:
        monkeypatch.setenv(f"ADVISORY_{name}", value)
        get_settings.cache_clear()

    return change


def test_a_sound_site_passes_the_check(database: ModuleType) -> None:
    person(role=Role.ADMIN)
    assert [f for f in check.check_results() if f.severity in (Severity.WRONG, Severity.UNSAFE)] == []


@pytest.mark.spec("MFA-2")
def test_an_address_without_passkeys_is_reported_with_the_reason(setting: Callable[[str, str], None]) -> None:
    def compare(case: tuple[str, str, list[tuple[Severity, str]]]) -> None:
        env, url, found = case
        for name, value in (PRODUCTION | {"ADVISORY_ENV": env, "ADVISORY_PUBLIC_URL": url}).items():
            setting(name.removeprefix("ADVISORY_"), value)
        expected = [(severity, f"browsers refuse them for ADVISORY_PUBLIC_URL: {why}.") for severity, why in found]
        # Not all results: nothing answers at these addresses.
        results = check.settings_results(get_settings())
        assert [(result.severity, result.text) for result in results if result.part == "passkeys"] == expected

    cases: list[tuple[str, str, list[tuple[Severity, str]]]] = [
        ("local", "http://localhost:3000", []),
        ("production", "https://northstrait.example", []),
        ("production", "https://203.0.113.7", [(Severity.WRONG, "its host is an IP address, and they need a name")]),
        ("local", "http://127.0.0.1:3000", [(Severity.NOTE, "its host is an IP address, and they need a name")]),
        (
            "local",
            "http://northstrait.example",
            [(Severity.NOTE, "it begins with http://, and they need https://, except at localhost")],
        ),
    ]
    check_each(cases, compare)


@on_sqlite
@pytest.mark.parametrize(
    ("folder", "file", "is_open"), [(0o755, 0o644, True), (0o700, 0o644, False), (0o755, 0o600, False)]
)
def test_a_database_that_others_can_read_is_unsafe(
    database: ModuleType, folder: int, file: int, is_open: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
    get_settings.cache_clear()
    settings = get_settings()
    for path in settings.data_dir.glob("advisory.db*"):
        path.chmod(file)
    settings.data_dir.chmod(folder)
    where = settings.data_dir
    text = f"{where / 'advisory.db'} can be read by other users of this machine: 'chmod -R go= {where}'."
    assert [finding.text for finding in check.unsafe(settings)] == ([text] if is_open else [])


def test_an_older_schema_is_reported_with_a_cure(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    ((severity, text),) = said("database")
    assert severity is Severity.WRONG
    assert "'migrate' moves it" in text


def test_a_site_without_an_admin_is_reported(database: ModuleType) -> None:
    assert said("accounts") == [(Severity.WRONG, "there is no admin: 'create-admin' creates one.")]


@on_sqlite
@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("DATABASE_URL", "postgresql://ann:secret-word@127.0.0.1:1/firm", "database"),
        ("REDIS_URL", "redis://:secret-word@127.0.0.1:1/0", "redis"),
        ("SMTP_URL", "smtp://ann:secret-word@127.0.0.1:1", "mail"),
    ],
)
def test_unreachable_services_are_reported_without_passwords(
    setting: Callable[[str, str], None], name: str, value: str, part: str
) -> None:
    setting(name, value)
    assert any(severity is Severity.WRONG and "be reached" in text for severity, text in said(part))
    assert "secret-word" not in str(list(check.check_results()))


@on_sqlite
@pytest.mark.skipif(not (is_installed() or IS_CI), reason="Redis is not installed")
@pytest.mark.parametrize(("command", "_word", "sentence"), REFUSALS)
def test_a_redis_that_stores_nothing_is_reported_with_its_answer(
    setting: Callable[[str, str], None], tmp_path: Path, command: str, _word: str, sentence: str
) -> None:
    with redis_server(tmp_path) as redis:
        setting("REDIS_URL", url_of(redis))
        assert said("redis") == [(Severity.FINE, "answers, and stores what it is sent.")]
        send(redis, command)
        ((severity, text),) = said("redis")
        assert (severity, text[: len(sentence)]) == (Severity.WRONG, sentence)


@on_sqlite
@pytest.mark.skipif(not (is_installed() or IS_CI), reason="Redis is not installed")
def test_what_redis_says_of_a_wrong_database_is_reported(setting: Callable[[str, str], None], tmp_path: Path) -> None:
    with redis_server(tmp_path) as redis:
        setting("REDIS_URL", url_of(redis, number=99))
        assert said("redis") == [(Severity.WRONG, "refuses to store: DB index is out of range")]


@pytest.mark.parametrize("url", ["redis://:secret%2Dword@127.0.0.1:1/0", "unix:///run/redis?password=secret-word"])
def test_a_password_that_redis_repeats_is_not_shown(url: str) -> None:
    """A server without AUTH names the arguments of the command that it does not know."""
    error = ResponseError("unknown command 'AUTH', with args beginning with: 'secret-word'")
    expected = "unknown command 'AUTH', with args beginning with: '***'"
    assert redis_probe.explain(error, url) == f"refuses to store: {expected}"


@on_sqlite
@pytest.mark.parametrize(
    ("command", "reply", "reported"),
    [
        ("greeting", "554 listed", messages.MAIL_GREETING_REFUSED.format(code="554: listed")),
        ("STAR", "454 no key", messages.MAIL_ENCRYPTION_REFUSED.format(code="454: no key")),
        ("AUTH", "535 not secret-word", messages.MAIL_PASSWORD_REFUSED.format(code="535: not ***")),
        ("MAIL", "553 not you", messages.MAIL_SENDER_REFUSED.format(code="553: not you")),
    ],
)
def test_what_the_mail_server_refuses_is_reported(
    setting: Callable[[str, str], None], command: str, reply: str, reported: str
) -> None:
    with strict_server() as server:
        for name, value in server.settings("ann:secret-word").items():
            setting(name, value)
        assert (Severity.FINE, "127.0.0.1 answers, and takes mail from hello@northstrait.example.") in said("mail")
        server.refuses[command] = reply
        assert (Severity.WRONG, f"127.0.0.1 takes no mail: {reported}") in said("mail")
    assert server.messages == []


@pytest.mark.spec("ROLE-5")
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ADVISORY_PUBLIC_URL": "http://northstrait.example"}, "clear text"),
        ({"ADVISORY_SIGN_UP": "open"}, "addresses are not verified"),
        ({"ADVISORY_SIGN_UP": "northstrait.example"}, "addresses are not verified"),
    ],
)
def test_production_does_not_start_with_unsafe_findings(changes: dict[str, str], words: str, tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= PRODUCTION | {"ADVISORY_DATA_DIR": str(tmp_path)} | changes
    for command in (["check", "--start"], ["run", "--port", "1"]):
        program = [sys.executable, "-m", "advisory_site", *command]
        done = subprocess.run(program, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1
        assert words in done.stderr
    assert not (tmp_path / "advisory.db").exists(), "something was done all the same"


@pytest.mark.parametrize("changes", [{}, {"ADVISORY_SIGN_UP": "open", "ADVISORY_SMTP_URL": "smtp://mail.example"}])
def test_production_starts_without_unsafe_findings(changes: dict[str, str], tmp_path: Path) -> None:
    environ = PRODUCTION | {"ADVISORY_DATA_DIR": str(tmp_path)} | changes
    assert check.unsafe(Settings.from_environment(environ)) == []


def test_a_secret_that_others_can_read_is_unsafe(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("x")
    (tmp_path / "secret_key").chmod(0o644)
    settings = Settings.from_environment(PRODUCTION | {"ADVISORY_DATA_DIR": str(tmp_path)})
    assert "chmod 600" in check.unsafe(settings)[0].text


@on_sqlite
def test_an_unwritable_database_is_reported(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with read_only(database_dir, monkeypatch):
        assert [severity for severity, text in said("database") if "not written" in text] == [Severity.WRONG]


@on_sqlite
def test_the_check_does_not_create_a_database(database: ModuleType, database_dir: Path) -> None:
    database.engine().dispose()
    for path in database_dir.glob("advisory.db*"):
        path.unlink()
    missing = [result for result in check.check_results() if "There is no database" in result.text]
    assert [(result.part, result.severity) for result in missing] == [("database", Severity.WRONG)]
    assert list(database_dir.glob("advisory.db*")) == []


@pytest.mark.spec("MFA-1")
def test_authenticator_apps_with_former_or_lost_keys_are_counted(
    setting: Callable[[str, str], None],
) -> None:
    old, new = "0123456789abcdef" * 2, "fedcba9876543210" * 2
    assert said("factors") == [(Severity.FINE, "the secrets of all authenticator apps can be read.")]
    setting("SECRET_KEY", old)
    add_app(person())
    setting("SECRET_KEY", f"{new},{old}")
    ((severity, text),) = said("factors")
    assert severity is Severity.NOTE
    assert text.endswith("until their next use: 1.")
    setting("SECRET_KEY", new)
    ((severity, text),) = said("factors")
    assert severity is Severity.WRONG
    assert text.endswith("cannot be used: 1.")


@pytest.mark.spec("IMG-1")
def test_a_missing_image_decoder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 1)
    assert said("formats") == [(Severity.FINE, "JPEG, PNG, WebP, AVIF and HEIC can be uploaded.")]
    monkeypatch.setattr(features, "check", lambda name: name != "avif")
    monkeypatch.setattr(pillow_heif, "libheif_info", lambda: {"decoders": {}})
    ((severity, text),) = said("formats")
    assert severity is Severity.WRONG
    assert "lacks AVIF and HEIC" in text


@pytest.mark.spec("IMG-1")
def test_a_kernel_without_sandboxing_for_the_encoder_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    _, (severity, text) = said("formats")
    assert severity is Severity.NOTE
    assert "Landlock" in text


@on_sqlite
def test_files_owned_by_root_are_reported_with_a_cure(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_away(monkeypatch, database_dir)
    wrong = [text for severity, text in said("disk") if severity is Severity.WRONG]
    assert len(wrong) == 1
    assert f"chown -R nobody {database_dir}" in wrong[0]


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_a_working_picture_store_is_fine(setting: Callable[[str, str], None], media_url: str) -> None:
    setting("MEDIA_URL", media_url)
    ((severity, text),) = said("pictures")
    assert severity is Severity.FINE
    assert text.endswith(": a test file was written, read and deleted.")
    assert text.startswith("the bucket bucket-" if media_url else str(get_settings().media_dir))
    assert not get_settings().media_dir.exists()


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_a_broken_picture_store_is_reported_without_its_secret(
    setting: Callable[[str, str], None], s3_server: S3Server
) -> None:
    setting("MEDIA_URL", s3_server.url("no-bucket"))
    why = "a picture cannot be written: there is no bucket 'no-bucket'."
    assert said("pictures") == [(Severity.WRONG, f"the bucket no-bucket: {why}")]
    setting("MEDIA_URL", s3_server.url(s3_server.bucket(), secret="secret-word"))
    ((severity, text),) = said("pictures")
    assert severity is Severity.WRONG
    assert "refuses the key or its secret" in text
    assert "secret-word" not in str(list(check.check_results()))


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_several_processes_need_a_shared_picture_store(
    setting: Callable[[str, str], None], s3_server: S3Server
) -> None:
    setting("REDIS_URL", "redis://127.0.0.1:1/0")
    setting("DATABASE_URL", "postgresql://127.0.0.1:1/none")
    note = f"several processes see the same pictures only if they share {get_settings().media_dir};"
    assert any(text.startswith(note) for _severity, text in said("settings"))
    setting("MEDIA_URL", s3_server.url("bucket"))
    assert not any(text.startswith(note) for _severity, text in said("settings"))


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_the_backup_location_is_checked(setting: Callable[[str, str], None], tmp_path: Path) -> None:
    assert said("backups")[0][0] is Severity.NOTE
    folder = tmp_path / "backups"
    setting("BACKUP_TO", str(folder))
    assert said("backups") == [(Severity.WRONG, f"There is no folder {folder}.")]
    folder.mkdir()
    assert said("backups") == [(Severity.NOTE, f"there is none in {folder}.")]
    for name in ("northstrait-20260101T020000Z.backup", "northstrait-20260102T020000Z.backup", "other"):
        (folder / name).touch()
    assert said("backups") == [(Severity.FINE, f"{folder}: 2, the newest northstrait-20260102T020000Z.backup.")]


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_a_server_that_opens_fewer_connections_than_a_process_uses_is_noted(
    setting: Callable[[str, str], None], database_dir: Path, postgresql: PostgreSQL
) -> None:
    postgresql.execute(
        "ALTER DATABASE test CONNECTION LIMIT 9", "CREATE ROLE few LOGIN IN ROLE pg_read_all_data, pg_write_all_data"
    )
    try:
        setting("DATABASE_URL", postgresql.url("test").replace("advisory@", "few@"))
        for most, is_noted in (("22", True), ("10", True), ("9", False)):
            setting("DATABASE_CONNECTIONS", most)
            noted = [text for severity, text in said("database") if "opens at most 9 connections" in text]
            assert bool(noted) is is_noted, most
    finally:
        engine().dispose()
        postgresql.execute("ALTER DATABASE test CONNECTION LIMIT -1", "DROP ROLE few")
