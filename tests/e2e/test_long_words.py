"""Public pages keep within a phone's width, whatever was typed into their records."""

import json
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext

from advisory_site.advisors.service import ADVISORS
from advisory_site.articles.service import ARTICLES
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from sitekit.base.db.database import LenientJson
from sitekit.records.record_type import AnyRecordType
from tests.e2e.conftest import Site

LONG = "https://docs.example.com/d/" + "Ab1x" * 25
# Checked when they are typed, so that they are never a run of letters.
CHECKED = {"slug", "status", "is_active", "display_order", "is_featured", "partner", "support_area"}
CHECKED |= {"written_on", "author", "case_of", "companies", "told_at"}
LISTS = ["/", "/why-us", "/companies", "/team", "/team-profiles", "/advisors", "/insights"]

RECORD_TYPES = (COMPANIES, MEMBERS, ADVISORS, ARTICLES)


def value(record_type: AnyRecordType, name: str) -> str:
    if name in record_type.groups:
        return json.dumps([dict.fromkeys((*record_type.groups[name].fields, "role", "period"), LONG)])
    return json.dumps([LONG]) if isinstance(record_type.columns[name].type, LenientJson) else LONG


def stretch(site: Site, record_type: AnyRecordType) -> list[str]:
    """Give all records of a type a long word in every text; returns the path of one."""
    names = [one for one in record_type.fields if one not in {*CHECKED, *record_type.picture_fields}]
    with closing(sqlite3.connect(site.data_dir / "advisory.db", timeout=60)) as database, database:
        changes = ", ".join(f"{name} = ?" for name in names)
        database.execute(f"UPDATE {record_type.table_name} SET {changes}", [value(record_type, name) for name in names])
        database.execute("UPDATE content_version SET number = number + 1")
        slug = database.execute(f"SELECT slug FROM {record_type.table_name} ORDER BY id LIMIT 1").fetchone()[0]
    return [record_type.page(slug)]


@pytest.mark.spec("PUB-6")
def test_long_words_are_broken_on_a_phone(context: BrowserContext, fresh_site: Site) -> None:
    paths = [path for record_type in RECORD_TYPES for path in stretch(fresh_site, record_type)]
    page, too_wide = context.new_page(), []
    for path in [*paths, *LISTS]:
        page.goto(fresh_site.url + path)
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 740})
            if (found := page.evaluate("document.documentElement.scrollWidth")) > width:
                too_wide.append((path, width, found))
    assert too_wide == []
