"""A database copied into another of either kind: every record, every id, or nothing."""

from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.enquiries.models import Enquiry
from advisory_site.seed import seed
from sitekit.base.db.database import read_session, transaction
from sitekit.base.db.migrations import migrate
from sitekit.base.settings import get_settings
from sitekit.ops import copy_database
from sitekit.records.pictures.addresses import file_name
from sitekit.records.pictures.storage import Store, store
from tests.conftest import on_sqlite, use
from tests.support.cli import invoke
from tests.support.s3_server import S3Server

pytestmark = pytest.mark.spec("DATA-3")

PICTURE = file_name("0" * 32, 320, "jpg")


def enquiry(number: int, **values: Any) -> Enquiry:
    given: dict[str, Any] = {"submission_id": str(number), "first_name": "Ann", "last_name": "Lim", "email": "a@b.co"}
    return Enquiry(**given | {"message": f"Message {number}, mit Ä, 字 and 'quotes'"} | values)


@pytest.fixture
def filled(database: ModuleType) -> str:
    """A database with the demo firm, an enquiry of every sort of value, and a deleted last record."""
    with transaction() as session:
        seed(session)
        at = datetime(2026, 3, 1, 23, 59, 59, 123456, tzinfo=UTC)
        session.add_all([enquiry(1), enquiry(2, created_at=at, handled_at=at), enquiry(3)])
    with transaction() as session:
        session.execute(sa.delete(Enquiry).where(sa.text("submission_id = '3'")))
        # What an older program stored: text that is no JSON, which must arrive as it is.
        session.execute(sa.text("UPDATE companies SET founders = 'Jane and Jim' WHERE id = 1"))
    return get_settings().database_url


def test_every_record_is_copied(filled: str, target_url: str) -> None:
    copied = copy_database.copy_database(filled, target_url)
    assert copied["companies"].rows > 5
    assert copied["enquiries"].rows == 2
    with copy_database.snapshot(filled) as before, copy_database.snapshot(target_url) as after:
        assert copy_database.fingerprint(before) == copy_database.fingerprint(after) == copied


def test_the_copied_database_can_be_used_with_continuing_ids(
    filled: str, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "there", DATABASE_URL=target_url)
    copy_database.copy_database(filled, target_url)
    with transaction() as session:
        session.add(enquiry(4))
    with read_session() as session:
        # The deleted third one keeps its number for ever.
        assert session.execute(sa.select(sa.func.max(Enquiry.id))).scalar_one() == 4
        assert session.execute(sa.select(Company).where(sa.text("id = 1"))).scalar_one().founders == "Jane and Jim"
        assert session.execute(sa.select(sa.func.count()).select_from(Advisor)).scalar_one() > 3


def test_a_database_with_records_is_refused_as_target(filled: str, tmp_path: Path) -> None:
    with copy_database.snapshot(filled) as connection:
        before = copy_database.fingerprint(connection)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    migrate(database_url=other)
    with pytest.raises(copy_database.CopyRefused, match="already holds records"):
        copy_database.copy_database(other, filled)
    with copy_database.snapshot(filled) as connection:
        assert copy_database.fingerprint(connection) == before


def test_a_copy_that_differs_is_rolled_back(
    filled: str, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "there", DATABASE_URL=target_url)
    read = copy_database.rows_of

    def lossy(connection: sa.Connection, table: sa.Table) -> list[dict[str, Any]]:
        rows = list(read(connection, table))
        return rows[:-1] if table.name == "enquiries" and str(connection.engine.url) != target_url else rows

    monkeypatch.setattr(copy_database, "rows_of", lossy)
    table = Enquiry.metadata.tables["enquiries"]
    monkeypatch.setattr(copy_database, "fingerprint", lambda c, tables: {"enquiries": len(list(read(c, table)))})
    with pytest.raises(copy_database.CopyRefused, match="enquiries differs"):
        copy_database.copy_database(filled, target_url)
    with read_session() as session:
        assert session.execute(sa.select(sa.func.count()).select_from(Company)).scalar_one() == 0


def test_a_missing_source_database_is_not_created(tmp_path: Path, database: ModuleType) -> None:
    gone = tmp_path / "gone.db"
    with pytest.raises(copy_database.CopyRefused):
        copy_database.copy_database(f"sqlite:///{gone}", get_settings().database_url)
    assert not gone.exists()


def test_the_command_says_what_it_copied(filled: str, tmp_path: Path) -> None:
    command = ("copy-database", filled, f"sqlite:///{tmp_path / 'new.db'}")
    done = invoke(*command)
    assert "       2  enquiries" in done.stdout, done.stderr
    again = invoke(*command)
    assert (again.returncode, again.stderr) == (1, "The database to copy into already holds records.\n")


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_pictures_are_copied_next_to_a_sqlite_database(filled: str, tmp_path: Path) -> None:
    store().put(PICTURE, b"picture")
    (tmp_path / "there").mkdir()
    copy_database.copy_database(filled, f"sqlite:///{tmp_path / 'there' / 'advisory.db'}")
    assert Store(tmp_path / "there" / "media").get(PICTURE) == b"picture"
    # And on from a database that is not the one of the settings.
    (tmp_path / "third").mkdir()
    third = f"sqlite:///{tmp_path / 'third' / 'advisory.db'}"
    copy_database.copy_database(f"sqlite:///{tmp_path / 'there' / 'advisory.db'}", third)
    assert Store(tmp_path / "third" / "media").get(PICTURE) == b"picture"


@on_sqlite
@pytest.mark.spec("IMG-5")
def test_pictures_in_a_bucket_stay_there(
    filled: str, s3_server: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, get_settings().data_dir, MEDIA_URL=s3_server.url(s3_server.bucket()))
    store().put(PICTURE, b"picture")
    (tmp_path / "there").mkdir()
    copy_database.copy_database(filled, f"sqlite:///{tmp_path / 'there' / 'advisory.db'}")
    assert store().get(PICTURE) == b"picture"
    assert [path.name for path in (tmp_path / "there").iterdir() if path.is_dir()] == []
