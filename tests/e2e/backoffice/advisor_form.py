"""What staff do with the form of an advisor."""

from typing import Any

import sqlalchemy as sa
from playwright.sync_api import Locator, Page

from advisory_site.advisors.models import Advisor, columns
from sitekit.base.db.database import read_session, transaction
from tests.support import factories

TAB = "/admin?tab=advisors"


NEW = "/admin/advisors/new"


IMAGE = "/images/people/jonathan-reyes.svg"


REQUIRED = {"name": "Omar Aziz", "title": "Chair", "bio": "Chairs boards.", "image_url": IMAGE}


def add(**fields: Any) -> int:
    """Store an advisor; returns the id."""
    with transaction() as session:
        return factories.add_advisor(session, **REQUIRED | fields).id or 0


def edit(advisor_id: int) -> str:
    return f"/admin/advisors/{advisor_id}/edit"


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=name, exact=True))


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#advisor-form [name='{name}']")


def fill(page: Page, **texts: str) -> None:
    for name, text in texts.items():
        field(page, name).fill(text)


def submit(page: Page, label: str) -> None:
    page.get_by_role("button", name=label).click()


def stored(advisor_id: int) -> Advisor:
    with read_session() as session:
        return session.get_one(Advisor, advisor_id)


def named(name: str) -> list[Advisor]:
    with read_session() as session:
        return list(session.execute(sa.select(Advisor).where(columns.name == name)).scalars())
