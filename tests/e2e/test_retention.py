"""The served site forgets by itself what is past its time."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from advisory_site.enquiries.models import columns
from sitekit.base import settings
from sitekit.base.db.database import engine, now, read_session, transaction
from tests.conftest import use
from tests.e2e.conftest import _copy, serving
from tests.support.factories import add_enquiry
from tests.support.waiting import wait_for


@pytest.mark.spec("LAY-5")
def test_a_three_year_old_enquiry_is_deleted_soon_after_the_start(
    seeded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _copy(seeded, tmp_path)
    use(monkeypatch, folder)
    with transaction() as session:
        add_enquiry(session, first_name="Old", created_at=now() - timedelta(days=3 * 366))
        add_enquiry(session, first_name="Young")
    with serving(folder) as site:
        wait_for(lambda: "Deleted expired rows" in site.log, "expired rows are deleted", 60)
        assert names() == ["Young"]
        assert "Deleted expired rows: enquiries 1." in site.log
    engine().dispose()
    settings.get_settings.cache_clear()


def names() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.first_name)).scalars())
