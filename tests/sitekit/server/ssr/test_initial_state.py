"""The snapshot of a page: its on_load, run once."""

import httpx
import pytest

from tests.conftest import on_sqlite

pytestmark = [pytest.mark.anyio, on_sqlite]


async def test_rendering_a_page_reads_its_records_once(
    visitor: httpx.AsyncClient, kelp: int, readings: list[str]
) -> None:
    assert "Kelp" in (await visitor.get("/companies")).text
    assert readings.count("companies") == 1
