"""Backups: consistent while others write, verified, restored whole, and refused when altered."""

import gzip
import hashlib
import io
import json
import os
import resource
import stat
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.companies.models import Company
from advisory_site.enquiries.models import Enquiry
from advisory_site.seed import seed
from sitekit.base import backup_log
from sitekit.base.db.database import ContentVersion, content_version, engine_of, read_session, transaction
from sitekit.base.db.migrations import NewerSchema, migrate
from sitekit.base.errors import NotFound
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.outbox import enqueue
from sitekit.base.mail.transport import Message
from sitekit.base.mail.worker import deliver_due
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.ops import backup, copy_database
from sitekit.ops.backup import BackupRefused
from sitekit.ops.copy_pictures import PicturesNotCopied
from sitekit.records import preview_links
from sitekit.records.pictures.addresses import file_name
from sitekit.records.pictures.storage import store
from tests.conftest import on_sqlite, use
from tests.support.cli import invoke, run
from tests.support.factories import add_actor, add_draft, add_enquiry
from tests.support.people import person, signed_in
from tests.support.s3_server import S3Server

pytestmark = pytest.mark.spec("DATA-3")

PICTURE, LATER = file_name("0" * 32, 320, "jpg"), file_name("f" * 32, 320, "jpg")


def everything() -> dict[str, copy_database.Fingerprint]:
    """All that the database of the settings holds, but for what a restore changes by itself."""
    with copy_database.snapshot(get_settings().database_url) as connection:
        held = copy_database.fingerprint(connection)
    return {name: held[name] for name in ("companies", "team_members", "advisors", "enquiries", "profiles")}


@pytest.fixture
def site(database: ModuleType) -> dict[str, copy_database.Fingerprint]:
    """The demo firm, an enquiry, a person, a picture."""
    with transaction() as session:
        seed(session)
        session.add(Enquiry(submission_id="1", first_name="Ann", last_name="Lim", email="a@b.co", message="Ä 字"))
    person()
    store().put(PICTURE, b"picture")
    return everything()


@pytest.fixture
def file(site: object, tmp_path: Path) -> Path:
    """A backup of the site."""
    backup.make(tmp_path / "backup")
    return tmp_path / "backup"


@pytest.fixture
def elsewhere(file: Path, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Moves the settings to an empty place, whose database may be of the other kind."""
    return lambda: use(monkeypatch, tmp_path / "elsewhere", DATABASE_URL=target_url)


def test_a_backup_restores_into_an_empty_database_of_either_kind(
    site: dict[str, copy_database.Fingerprint], file: Path, elsewhere: Callable[[], None]
) -> None:
    elsewhere()
    backup.restore(file)
    assert everything() == site
    assert store().get(PICTURE) == b"picture"


def test_a_backup_file_is_private(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_existing_file_is_never_overwritten(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(BackupRefused, match="exists already"):
        backup.make(file)
    assert file.read_bytes() == before


@on_sqlite
@pytest.mark.usefixtures("site")
def test_an_existing_file_is_not_overwritten_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_names: object) -> None:
        raise PermissionError("hard links are not supported")

    monkeypatch.setattr(os, "link", refuse)
    file = tmp_path / "backup"
    backup.make(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert backup.prove(file).records > 0
    other = tmp_path / "other"
    other.touch()
    with pytest.raises(FileExistsError):
        backup._place(other, file)
    assert file.stat().st_size


@on_sqlite
@pytest.mark.usefixtures("site")
def test_a_full_disk_is_reported_in_a_plain_sentence(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(BackupRefused, match=f"could not be written to {tmp_path / 'full'}"):
            backup.make(tmp_path / "full")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not any("backup" in path.name or path.name == "full" for path in tmp_path.iterdir())


def test_a_backup_leaves_no_temporary_files(file: Path) -> None:
    assert [path.name for path in file.parent.iterdir() if "backup" in path.name] == ["backup"]


def test_records_are_not_replaced_without_force(file: Path) -> None:
    with transaction() as session:
        session.connection().execute(sa.delete(Company))
    before = everything()
    with pytest.raises(BackupRefused, match="--force"):
        backup.restore(file)
    assert everything() == before


def test_force_replaces_records_and_pictures(site: dict[str, copy_database.Fingerprint], file: Path) -> None:
    with transaction() as session:
        session.connection().execute(sa.delete(Company))
    store().put(LATER, b"later")
    store().delete([PICTURE])
    backup.restore(file, force=True)
    assert everything() == site
    assert list(store().names()) == [PICTURE]


@on_sqlite
@pytest.mark.spec("IMG-5")
@pytest.mark.parametrize("kinds", ["folder to bucket", "bucket to bucket", "bucket to folder"])
def test_a_backup_moves_pictures_between_both_kinds_of_store(
    database: ModuleType, s3_server: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: str
) -> None:
    before, after = ("" if kind == "folder" else s3_server.url(s3_server.bucket()) for kind in kinds.split(" to "))
    use(monkeypatch, get_settings().data_dir, MEDIA_URL=before)
    for name in (PICTURE, LATER):
        store().put(name, name.encode())
    assert list(backup.make(tmp_path / "backup").files) == ["database.sqlite3", f"media/{PICTURE}", f"media/{LATER}"]
    backup.verify(tmp_path / "backup", print)
    use(monkeypatch, tmp_path / "elsewhere", MEDIA_URL=after)
    backup.restore(tmp_path / "backup")
    assert {name: store().get(name) for name in store().names()} == {
        PICTURE: PICTURE.encode(),
        LATER: LATER.encode(),
    }


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_pictures_are_not_replaced_without_force(file: Path, elsewhere: Callable[[], None]) -> None:
    elsewhere()
    migrate()
    store().put(LATER, b"later")
    with pytest.raises(BackupRefused, match="--force"):
        backup.restore(file)
    assert list(store().names()) == [LATER]


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_backup_and_restore_fail_without_the_picture_store(
    site: dict[str, copy_database.Fingerprint],
    file: Path,
    s3_server: S3Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, get_settings().data_dir, MEDIA_URL=s3_server.url("no-bucket"))
    with transaction() as session:
        session.connection().execute(sa.delete(Company))
    before = everything()
    with pytest.raises(PicturesNotCopied, match="there is no bucket 'no-bucket'"):
        backup.make(tmp_path / "new")
    with pytest.raises(PicturesNotCopied, match="there is no bucket 'no-bucket'"):
        backup.restore(file, force=True)
    assert not (tmp_path / "new").exists()
    assert everything() == before != site


def test_a_restore_invalidates_rendered_pages(file: Path) -> None:
    with transaction() as session:
        session.execute(sa.update(ContentVersion).values(number=500))
    backup.restore(file, force=True)
    assert content_version() == 501


def test_a_restore_does_not_bring_back_ended_sessions(site: object, tmp_path: Path) -> None:
    signed_in(1)
    backup.make(tmp_path / "backup")
    backup.restore(tmp_path / "backup", force=True)
    with read_session() as session:
        assert session.execute(sa.text("SELECT count(*) FROM auth_sessions")).scalar_one() == 0


@pytest.mark.spec("DRAFT-8")
def test_a_restore_does_not_bring_back_revoked_links_to_previews(site: object, tmp_path: Path) -> None:
    with transaction() as session:
        draft = add_draft(session)
        secret = preview_links.share(session, add_actor(session), draft.id, preview_links.ShareData(days="14"))
    backup.make(tmp_path / "backup")
    backup.restore(tmp_path / "backup", force=True)
    with transaction() as session, pytest.raises(NotFound):
        preview_links.find(session, secret, is_opened=True)


def test_a_restore_does_not_resend_mail_sent_meanwhile(site: object, tmp_path: Path) -> None:
    with transaction() as session:
        enqueue(session, Message("ann@example.com", "Hello", "Text"))
    backup.make(tmp_path / "backup")
    assert deliver_due() == 1
    backup.restore(tmp_path / "backup", force=True)
    assert deliver_due() == 0
    with read_session() as session:
        assert session.execute(sa.select(OutgoingMail)).scalar_one().last_error.startswith("Held back")


def test_a_verified_backup_is_recorded(file: Path) -> None:
    admin = Actor(1, Role.ADMIN)
    with read_session() as session:
        assert backup_log.last_verified(session, admin) is None
    backup.verify(file, print)
    with read_session() as session:
        last = backup_log.last_verified(session, admin)
    assert last is not None
    assert (last.file_name, last.size) == ("backup", file.stat().st_size)


def sealed(body: bytes) -> bytes:
    return backup.MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def repacked(body: bytes, change: Callable[[str, bytes], list[tuple[str, bytes]]]) -> bytes:
    """The tar with its members changed, sealed anew: somebody who knows the format altered it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(body), mode="r:gz") as old, tarfile.open(fileobj=out, mode="w:gz") as new:
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            for name, data in change(member.name, content.read()):
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                new.addfile(entry, io.BytesIO(data))
    return sealed(out.getvalue())


def _without_a_record(name: str, data: bytes) -> list[tuple[str, bytes]]:
    return [(name, data.replace(b"Ann", b"Eve") if name == backup.DATABASE else data)]


def _with_a_stranger(name: str, data: bytes) -> list[tuple[str, bytes]]:
    return [(name, data), *([("media/../../evil", b"x")] if name == backup.MANIFEST else [])]


def _with_other_counts(name: str, data: bytes) -> list[tuple[str, bytes]]:
    if name != backup.MANIFEST:
        return [(name, data)]
    manifest = json.loads(data)
    manifest["tables"]["enquiries"]["rows"] += 1
    return [(name, json.dumps(manifest).encode())]


ALTERED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _whole: b"",
    "no backup": lambda _whole: b"hello\n",
    "without its end": lambda whole: whole[:-1],
    "half of it": lambda whole: whole[: len(whole) // 2],
    "one bit changed": lambda whole: whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:],
    "something appended": lambda whole: whole + b"x",
    "another checksum": lambda whole: sealed(b"x" + whole.split(b"\n", 1)[1][1:]),
    "a tar that is cut": lambda whole: sealed(gzip.compress(gzip.decompress(whole.split(b"\n", 1)[1])[:5000])),
    "a changed record": lambda whole: repacked(whole.split(b"\n", 1)[1], _without_a_record),
    "a file outside": lambda whole: repacked(whole.split(b"\n", 1)[1], _with_a_stranger),
    "other counts": lambda whole: repacked(whole.split(b"\n", 1)[1], _with_other_counts),
    "no members": lambda whole: repacked(whole.split(b"\n", 1)[1], lambda name, data: []),
}


@on_sqlite
@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_backup_is_refused_and_changes_nothing(file: Path, how: str) -> None:
    before = everything()
    file.write_bytes(ALTERED[how](file.read_bytes()))
    attempts: tuple[Callable[[Path], object], ...] = (
        lambda path: backup.verify(path, print),
        lambda path: backup.restore(path, force=True),
    )
    for attempt in attempts:
        with pytest.raises(BackupRefused):
            attempt(file)
    assert everything() == before
    assert store().get(PICTURE) == b"picture"
    with read_session() as session:
        assert backup_log.last_verified(session, Actor(1, Role.ADMIN)) is None


def test_a_backup_of_a_later_version_is_refused(file: Path, tmp_path: Path) -> None:
    with transaction() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    if get_settings().database_url.startswith("sqlite"):
        backup.make(tmp_path / "later")
        with pytest.raises(BackupRefused, match="newer version"):
            backup.verify(tmp_path / "later", print)
    else:
        with pytest.raises(NewerSchema, match="newer version"):
            backup.make(tmp_path / "later")


@contextmanager
def writers() -> Iterator[None]:
    """Two threads that each write pairs of enquiries, both of a pair or neither."""
    ended = threading.Event()

    def write(thread: int) -> None:
        for number in range(10_000):
            if ended.is_set():
                return
            with transaction() as session:
                for half in ("a", "b"):
                    name = f"{thread}-{number}-{half}"
                    add_enquiry(session, submission_id=name, last_name=half, message="x" * 500)

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_a_backup_during_writes_is_consistent(site: object, tmp_path: Path) -> None:
    with writers():
        for number in range(3):
            backup.make(tmp_path / f"backup-{number}")
    for number in range(3):
        with backup.opened(tmp_path / f"backup-{number}") as opened:
            engine = engine_of(opened.url, os.getpid())
            with engine.connect() as connection:
                query = "SELECT last_name, count(*) FROM enquiries WHERE last_name IN ('a', 'b') GROUP BY last_name"
                halves = {row.last_name: row[1] for row in connection.execute(sa.text(query))}
            engine.dispose()
        assert halves.get("a") == halves.get("b")


@on_sqlite
def test_a_backup_can_be_verified_on_a_machine_without_the_site(file: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "elsewhere", "verify", str(file))
    assert done.returncode == 0
    assert "it can be restored." in done.stdout
    assert "The dashboard will not show this backup: There is no database" in done.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []


@on_sqlite
def test_a_folder_keeps_the_newest_backups_and_unrelated_files(site: object, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    names = [f"northstrait-2026010{day}T020000Z.backup" for day in (1, 2)]
    for name in (*names, "before-the-upgrade"):
        (folder / name).touch()
    done = run(get_settings().data_dir, "backup", str(folder), "--keep", "2")
    assert done.returncode == 0
    made = max(folder.glob("*.backup"))
    assert done.stdout.endswith(f", verified.\nDeleted {folder / names[0]}.\n")
    assert {path.name for path in folder.iterdir()} == {names[1], made.name, "before-the-upgrade"}
    refused = run(get_settings().data_dir, "backup", str(folder / "file"), "--keep", "2")
    assert "--keep needs a folder" in refused.stderr


def test_the_backup_commands_say_what_they_did(file: Path, tmp_path: Path) -> None:
    assert "verified." in invoke("backup", str(tmp_path / "new")).stdout
    assert "it can be restored." in invoke("verify", str(tmp_path / "new")).stdout
    assert "--force" in invoke("restore", str(tmp_path / "new")).stderr
    assert "sign in again" in invoke("restore", str(tmp_path / "new"), "--force").stdout
