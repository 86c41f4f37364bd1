"""The snapshot of a page: its on_load, run once."""

import httpx
import pytest

from advisory_site.companies import public
from advisory_site.companies.fields import CompanyCard
from tests.conftest import on_sqlite

pytestmark = [pytest.mark.anyio, on_sqlite]


async def test_rendering_a_page_reads_its_records_once(
    visitor: httpx.AsyncClient, kelp: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: list[int] = []
    read = public._companies

    def read_and_count() -> list[CompanyCard]:
        readings.append(1)
        return read()

    monkeypatch.setattr(public, "_companies", read_and_count)
    assert "Kelp" in (await visitor.get("/companies")).text
    assert readings == [1]
