"""What the renderer of these tests draws, and a change that makes it draw again."""

import json
import re
from types import ModuleType
from typing import Any

import httpx
import sqlalchemy as sa

from advisory_site.companies.models import Company, columns


def rename(database: ModuleType, slug: str, name: str) -> None:
    """Give a company another name, which makes every page stale."""
    with database.transaction() as session:
        session.execute(sa.select(Company).where(columns.slug == slug)).scalar_one().name = name


def drawing(answer: httpx.Response) -> dict[str, Any]:
    """What the renderer of these tests was given, and which of its drawings this is."""
    found = re.search(r"<pre>(.*?)</pre>", answer.text)
    assert found
    drawn: dict[str, Any] = json.loads(found[1])
    return drawn
