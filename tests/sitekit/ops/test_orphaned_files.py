"""Files of pictures without a row: what interrupted uploads and deletions leave is deleted a day later, and no more."""

import logging
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session

from advisory_site.team.service import MEMBERS
from sitekit.admin.pictures import library as media_library
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.observability.checks import Severity
from sitekit.base.permissions import Actor, Role
from sitekit.ops import check, retention
from sitekit.ops.check import CheckResult
from sitekit.ops.orphaned_files import KEPT, delete_orphans
from sitekit.records import trash
from sitekit.records.pictures import service
from sitekit.records.pictures.addresses import address_of, file_names
from sitekit.records.pictures.encoding import Encoded
from sitekit.records.pictures.storage import Store, StoreUnavailable, store
from tests.conftest import ROOT, on_sqlite, use
from tests.support import factories

pytestmark = [pytest.mark.usefixtures("stores"), pytest.mark.spec("IMG-5"), on_sqlite]

WIDTH = 400  # 320 and 400, in three formats
KNOWN, LOST = "a" * 32, "b" * 32


class Killed(BaseException):
    """Stands for the end of the process at this point."""


@pytest.fixture
def stores(database_dir: Path, media_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of each kind with the files of one picture, which has a row."""
    use(monkeypatch, database_dir, MEDIA_URL=media_url)
    put(KNOWN)
    with transaction() as session:
        factories.add_picture(session, key=KNOWN, name="known.jpg", width=WIDTH, height=500)


@pytest.fixture
def encoded(tmp_path: Path) -> Encoded:
    """A small encoded picture."""
    files = {(width, form): tmp_path / f"{width}.{form}" for width in (320, WIDTH) for form in ("avif", "webp", "jpg")}
    for path in files.values():
        path.write_bytes(b"picture")
    return Encoded(WIDTH, 500, files)


def put(key: str) -> None:
    for name in file_names(key, WIDTH):
        store().put(name, b"picture")


def stored(key: str) -> set[str]:
    return {name for name in store().names() if name.startswith(key)}


def sweep_soon_and_later() -> tuple[int, int]:
    """How many files are deleted within a day, and after it."""
    early = delete_orphans(now() + KEPT - timedelta(minutes=1))
    return early, delete_orphans(now() + KEPT + timedelta(minutes=1))


def kill_at(call: int, operation: str, patch: pytest.MonkeyPatch) -> None:
    """Let the process end at the given call of an operation of the store, counted from 1."""
    original, calls = getattr(type(store()), operation), iter(range(1, 1000))

    def run(self: Store, *given: object) -> object:
        if next(calls) == call:
            raise Killed
        return original(self, *given)

    patch.setattr(type(store()), operation, run)


@pytest.mark.parametrize("call", range(1, 8))
def test_an_interrupted_upload_leaves_no_files(call: int, encoded: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        kill_at(call, "put", patch)
        if call <= len(encoded.files):
            with pytest.raises(Killed):
                service.store_files(LOST, encoded)
        else:  # between the last file and the row
            service.store_files(LOST, encoded)
    assert len(stored(LOST)) == call - 1
    assert sweep_soon_and_later() == (0, call - 1)
    assert stored(LOST) == set()
    assert stored(KNOWN) == set(file_names(KNOWN, WIDTH))


def test_a_rolled_back_row_leaves_no_files(encoded: Encoded) -> None:
    size = service.store_files(LOST, encoded)

    def fail(session: Session) -> None:
        service.add(session, factories.add_actor(session, Role.EMPLOYEE), LOST, "me.jpg", encoded, size)
        raise Killed

    with pytest.raises(Killed), transaction() as session:
        fail(session)
    assert sweep_soon_and_later() == (0, 6)
    assert stored(LOST) == set()


@pytest.mark.parametrize("deleted", [0, 1, 5])
def test_an_interrupted_deletion_is_finished(deleted: int, actor: Actor) -> None:
    put(LOST)
    with transaction() as session:
        picture = factories.add_picture(session, key=LOST, width=WIDTH)
    with transaction() as session:
        names = media_library.delete(session, actor, picture.id)
    service.delete_files(names[:deleted])
    assert sweep_soon_and_later() == (0, 6 - deleted)
    assert stored(LOST) == set()


def test_an_interrupted_sweep_is_finished_by_the_next(encoded: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    put(LOST)
    later = now() + KEPT + timedelta(minutes=1)
    with monkeypatch.context() as patch:
        patch.setattr("sitekit.ops.orphaned_files.store", lambda: Interrupted())
        with pytest.raises(Killed):
            delete_orphans(later)
    assert stored(LOST) < set(file_names(LOST, WIDTH))
    assert delete_orphans(later) == 4
    assert stored(LOST) == set()


class Interrupted:
    """The store, in a process that ends after it has deleted two files."""

    def names(self) -> object:
        return store().names()

    def delete_old(self, names: list[str], written_before: object) -> int:
        store().delete(names[:2])
        raise Killed


def test_a_file_uploaded_again_is_kept() -> None:
    put(LOST)
    first, *others = file_names(LOST, WIDTH)
    between = now()
    time.sleep(2.1)  # stores know the time of a file to the second, rounded up or down
    store().put(first, b"picture")
    assert store().delete_old([first, *others], between + timedelta(seconds=1.05)) == len(others)
    assert stored(LOST) == {first}


def test_files_used_by_records_revisions_or_the_trash_are_kept(actor: Actor) -> None:
    put(LOST)
    with transaction() as session:
        member = factories.add_member(session, image_url=address_of(LOST, WIDTH))
        record = factories.id_of(member)
    assert sweep_soon_and_later() == (0, 0)
    with transaction() as session:
        MEMBERS.delete(session, actor, record)
    assert sweep_soon_and_later() == (0, 0)
    with transaction() as session:
        trash.delete_expired(session, now() + trash.TRASH_KEPT + timedelta(days=1), 10)
    assert sweep_soon_and_later() == (0, 6)


def test_the_pictures_of_another_site_are_not_deleted(caplog: pytest.LogCaptureFixture) -> None:
    for digit in "cd":
        put(digit * 32)
    with caplog.at_level(logging.WARNING, logger="sitekit"):
        assert sweep_soon_and_later() == (0, 0)
    assert "2 pictures in the store are not in the database: nothing is deleted." in caplog.messages
    assert len(stored("c") | stored("d")) == 12


def test_the_sweep_logs_the_number_of_deleted_files(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(LOST)
    monkeypatch.setattr(retention, "now", lambda: now() + KEPT + timedelta(minutes=1))
    with caplog.at_level(logging.INFO, logger="sitekit"):
        assert retention.sweep()["files without a picture"] == 6
    assert "Deleted expired rows: files without a picture 6." in caplog.messages


def test_an_unreachable_store_stops_no_other_cleanup_rule(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_store: object) -> None:
        raise StoreUnavailable("The store is away.", "listed", "a test")

    monkeypatch.setattr(type(store()), "names", away)
    assert set(retention.sweep().values()) == {0}
    assert "could not be deleted, retrying at the next sweep" in caplog.text


@pytest.mark.parametrize("media_url", [""])
def test_an_unfinished_temporary_file_is_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "media"
    kill = (
        "import os, pathlib; from sitekit.records.pictures.storage import Store; os.fsync = lambda _: os._exit(9);"
        f"Store(pathlib.Path({str(folder)!r})).put({file_names(LOST, WIDTH)[0]!r}, b'half')"
    )
    assert subprocess.run([sys.executable, "-c", kill], cwd=ROOT).returncode == 9
    assert len(list(folder.glob(".coming-*"))) == 1
    assert sweep_soon_and_later() == (0, 1)
    assert list(folder.glob(".coming-*")) == []


def test_the_check_reports_pictures_with_missing_files() -> None:
    assert said() == CheckResult("picture files", Severity.FINE, "no picture lacks a file.")
    store().delete(file_names(KNOWN, WIDTH)[:1])
    found = said()
    assert found.severity is Severity.WRONG
    assert found.text.startswith("files are missing: known.jpg.")


def said() -> CheckResult:
    [result] = [one for one in check.check_results() if one.part == "picture files"]
    return result


def test_a_missing_file_is_reported_once_per_picture() -> None:
    store().delete(file_names(KNOWN, WIDTH))
    with read_session() as session:
        assert service.incomplete(session) == ["known.jpg"]
