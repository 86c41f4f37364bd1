"""The demo firm's records, and a change of one from outside the server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.companies.models import Company, columns
from sitekit.base import settings
from sitekit.base.db.database import engine, transaction
from tests.conftest import use
from tests.e2e.conftest import ROOT


@contextmanager
def _company(data_dir: Path) -> Iterator[tuple[Session, Company]]:
    """The company `toko-tally` in a transaction of this process, which is not the server's."""
    with pytest.MonkeyPatch.context() as patch:
        use(patch, data_dir)
        with transaction() as session:
            yield session, session.execute(sa.select(Company).where(columns.slug == "toko-tally")).scalar_one()
        engine().dispose()
    settings.get_settings.cache_clear()


def change(data_dir: Path, **fields: str) -> None:
    """Change fields of the company `toko-tally`."""
    with _company(data_dir) as (_, company):
        for name, value in fields.items():
            setattr(company, name, value)


def remove(data_dir: Path) -> None:
    """Delete the company `toko-tally`."""
    with _company(data_dir) as (session, company):
        session.delete(company)


def records(name: str) -> list[dict[str, Any]]:
    """The demo firm's records of one kind."""
    stored: list[dict[str, Any]] = json.loads(
        (ROOT / "advisory_site" / "seed" / f"{name}.json").read_text(encoding="utf-8")
    )
    return stored
