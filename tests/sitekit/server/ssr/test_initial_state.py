"""The snapshot of a page: its on_load, run once."""

from typing import Any

import httpx
import pytest
from sqlmodel import Session

from sitekit.records.record_type import RecordType
from tests.conftest import on_sqlite

pytestmark = [pytest.mark.anyio, on_sqlite]


async def test_rendering_a_page_reads_its_records_once(
    visitor: httpx.AsyncClient, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: list[str] = []
    read = RecordType.list_public

    def read_and_count(self: RecordType[Any, Any, Any, Any], session: Session) -> list[Any]:
        readings.append(self.plural)
        return read(self, session)

    monkeypatch.setattr(RecordType, "list_public", read_and_count)
    assert "Kelp" in (await visitor.get("/companies")).text
    assert readings.count("companies") == 1
