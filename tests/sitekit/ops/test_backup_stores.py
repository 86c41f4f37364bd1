"""Backups in folders and buckets: whole, verified where they are, and never half there."""

import errno
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from advisory_site.companies.models import Company
from advisory_site.seed import seed
from sitekit.base import backup_log
from sitekit.base.db.database import read_session, transaction
from sitekit.base.object_store import PART
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.ops import backup, backup_stores
from sitekit.ops.backup import BackupRefused
from sitekit.ops.backup_keep import Keep
from sitekit.ops.backup_stores import BackupStore, BackupStoreUnavailable, open_store
from sitekit.ops.cli import main
from sitekit.records.pictures.addresses import file_name
from sitekit.records.pictures.storage import store as pictures
from tests.conftest import on_sqlite
from tests.support.s3_server import KEY, SECRET, S3Server
from tests.support.slow_line import line_to

pytestmark = pytest.mark.spec("DATA-3")

OLD = "northstrait-20260101T020000Z.backup"
OLDER = "northstrait-20251231T020000Z.backup"


@pytest.fixture
def site(database: ModuleType) -> Path:
    """The demo firm; its data folder."""
    with transaction() as session:
        seed(session)
    return get_settings().data_dir


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place for backups, of each kind."""
    if request.param == "folder":
        (tmp_path / "backups").mkdir()
        return str(tmp_path / "backups")
    server: S3Server = request.getfixturevalue("s3_server")
    return server.url(server.bucket(), "/site")


@pytest.fixture
def store(place: str) -> BackupStore:
    return open_store(place)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, s3_server: S3Server) -> Callable[..., str]:
    """Runs a command in this process, with the key of the server; what it prints."""
    monkeypatch.setattr(os, "umask", lambda _mask: 0)
    keys = {"ADVISORY_BACKUP_KEY": KEY, "ADVISORY_BACKUP_SECRET": SECRET}

    def run(*arguments: str, status: int = 0, **settings: str) -> str:
        get_settings.cache_clear()
        done = CliRunner(env=keys | {f"ADVISORY_{name}": value for name, value in settings.items()}).invoke(
            main, arguments
        )
        assert done.exit_code == status, done.output
        return done.output

    return run


def put(store: BackupStore, name: str, data: bytes = b"x") -> None:
    with store.new(name) as file:
        file.write_bytes(data)


def noted() -> str | None:
    with read_session() as session:
        last = backup_log.last_verified(session, Actor(1, Role.ADMIN))
    return last.file_name if last else None


@on_sqlite
def test_a_backup_is_verified_in_its_store_and_older_ones_are_deleted(
    site: Path, store: BackupStore, tmp_path: Path
) -> None:
    for name in (OLDER, OLD):
        put(store, name)
    lines: list[str] = []
    manifest = backup.back_up(store, lines.append, pytest.fail, Keep.parse("2"))
    old, made = store.names()
    assert old == OLD
    assert manifest.records > 40
    assert lines[0].startswith(store.where(made)) and lines[0].endswith(", verified.")
    assert lines[1:] == [f"Deleted {store.where(OLDER)}."]
    assert noted() == made


@on_sqlite
def test_only_the_backup_altered_by_the_store_is_deleted(
    site: Path, store: BackupStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, OLD)
    make = backup.make

    def make_badly(file: Path) -> backup.Manifest:
        manifest = make(file)
        file.write_bytes(file.read_bytes()[:-1])
        return manifest

    monkeypatch.setattr(backup, "make", make_badly)
    with pytest.raises(BackupRefused, match=r"was deleted, because it cannot be restored: .* is incomplete"):
        backup.back_up(store, pytest.fail, pytest.fail, Keep(newest=1))
    assert store.names() == [OLD]
    assert noted() is None


@on_sqlite
def test_unrelated_files_are_neither_listed_nor_deleted(site: Path, store: BackupStore) -> None:
    others = ["before-the-upgrade.backup", "notes.txt", f"x{OLD}"]
    for name in others:
        put(store, name)
    put(store, OLD)
    backup.back_up(store, print, pytest.fail, Keep(newest=1))
    assert len(store.names()) == 1
    for name in others:
        with store.file(name) as file:
            assert file.read_bytes() == b"x"


def test_a_store_without_a_backup_is_reported(store: BackupStore) -> None:
    with pytest.raises(BackupStoreUnavailable, match="There is no backup in "):
        backup_stores.newest(store)


def test_a_large_backup_is_sent_and_read_in_parts(s3_server: S3Server) -> None:
    store, data = open_store(s3_server.url(s3_server.bucket())), os.urandom(2 * PART + 1)
    put(store, OLD, data)
    with store.file(OLD) as file:
        assert file.read_bytes() == data
        assert file.name == OLD
    assert not file.exists()


@pytest.mark.parametrize("size", [1 << 20, 2 * PART], ids=["at once", "in parts"])
def test_an_interrupted_upload_leaves_no_backup(s3_server: S3Server, size: int) -> None:
    bucket = s3_server.bucket()
    url = s3_server.url(bucket)
    whole = open_store(url)
    put(whole, OLDER)
    port = int(s3_server.endpoint.rpartition(":")[2])
    with line_to(port) as line:
        cut = open_store(url.replace(f":{port}", f":{line.port}"))
        with (
            pytest.raises(BackupStoreUnavailable, match="cannot be written: the store cannot be reached"),
            cut.new(OLD) as file,
        ):
            file.write_bytes(os.urandom(size))
            line.cut_after(size // 2)
    assert whole.names() == [OLDER]


def test_a_full_scratch_folder_is_reported_by_name(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(s3_server.url(s3_server.bucket()))
    put(store, OLD)
    plain = Path.open

    def full(path: Path, *arguments: Any) -> Any:
        if path.name == OLD:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return plain(path, *arguments)

    monkeypatch.setattr(Path, "open", full)
    why = f"cannot be read: {re.escape(tempfile.gettempdir())}: No space left on device"
    with pytest.raises(BackupStoreUnavailable, match=why), store.file(OLD):
        pass


def test_a_backup_of_the_same_name_is_not_overwritten(s3_server: S3Server) -> None:
    store = open_store(s3_server.url(s3_server.bucket()))
    put(store, OLD, b"first")
    with pytest.raises(BackupStoreUnavailable, match=f"{OLD} exists already"):
        put(store, OLD, b"second")
    with store.file(OLD) as file:
        assert file.read_bytes() == b"first"


@on_sqlite
def test_leftovers_of_a_killed_command_are_deleted_after_a_day(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    left, new, other = (folder / name for name in (".backup-left", "advisory-restore-new", "other"))
    for path in (left, new, other):
        path.mkdir(parents=True)
        (path / "records").touch()
    for path in (left, other):
        os.utime(path, (0, 0))
    backup.back_up(open_store(str(folder)), print, pytest.fail)
    assert [path.exists() for path in (left, new, other)] == [False, True, True]


@on_sqlite
def test_the_backup_commands_work_with_buckets(site: Path, s3_server: S3Server, said: Callable[..., str]) -> None:
    bucket = s3_server.bucket()
    place = f"s3://{bucket}/site?endpoint={s3_server.endpoint}"
    store = open_store(s3_server.url(bucket, "/site"))
    put(store, OLD)

    made = said("backup", "--keep", "1", BACKUP_TO=place)
    (name,) = store.names()
    assert re.fullmatch(f"{store.where(name)}: .*, verified.\nDeleted {store.where(OLD)}.\n", made)

    for source in (place, place.replace("/site", f"/site/{name}")):
        assert f"{name}: " in said("verify", source)
    with transaction() as session:
        session.connection().execute(sa.delete(Company))
    assert said("restore", place, "--force").startswith(f"Restored {name}: ")
    with read_session() as session:
        assert session.execute(sa.select(sa.func.count()).select_from(Company)).scalar_one() > 0


WRONG: dict[str, tuple[tuple[str, ...], str, int]] = {
    "no folder": (("backup", "--to", "{here}/none"), "There is no folder {here}/none.", 1),
    "no place": (("backup",), "Where? Give --to PLACE, or set ADVISORY_BACKUP_TO.", 2),
    "two places": (("backup", "file", "--to", "{here}"), "Give either TARGET or --to.", 2),
    "another kind": (("backup", "--to", "ftp://ann:secret-word@host"), "of kind 'ftp', but it must be s3://", 1),
    "no such bucket": (("backup", "--to", "s3://no-bucket{query}"), "there is no bucket 'no-bucket'.", 1),
    "a wrong rule": (("backup", "--to", "{here}", "--keep", "14y"), "'14y' is neither a number of backups", 2),
    "no such backup": (("verify", "s3://{bucket}/x.backup{query}"), "There is no backup s3://{bucket}/x.backup.", 1),
    "no backup at all": (("restore", "s3://{bucket}{query}"), "There is no backup in s3://{bucket}.", 1),
    "a folder without": (("verify", "{here}"), "There is no backup in {here}.", 1),
    "a broken address": (("verify", "s3://[::1"), "ADVISORY_BACKUP_TO is an address of kind 's3', but", 1),
}


@on_sqlite
@pytest.mark.parametrize("case", WRONG)
def test_failures_are_reported_in_one_sentence(
    site: Path, tmp_path: Path, s3_server: S3Server, said: Callable[..., str], case: str
) -> None:
    values: dict[str, Any] = {"here": tmp_path, "bucket": s3_server.bucket()}

    def fill(text: str) -> str:
        return text.replace("{query}", f"?endpoint={s3_server.endpoint}").format(**values)

    command, sentence, status = WRONG[case]
    output = said(*map(fill, command), status=status)
    assert fill(sentence) in output
    assert "secret-word" not in output and SECRET not in output


@on_sqlite
def test_a_backup_in_a_bucket_contains_the_pictures(site: Path, s3_server: S3Server) -> None:
    name = file_name("0" * 32, 320, "jpg")
    pictures().put(name, b"picture")
    url = s3_server.url(s3_server.bucket())
    backup.back_up(open_store(url), print, pytest.fail)
    pictures().delete([name])
    with backup_stores.fetch_backup(url) as file:
        backup.restore(file, force=True)
    assert pictures().get(name) == b"picture"
