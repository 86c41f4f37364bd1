"""What staff do with the dialog of a team member."""

from typing import Any

import sqlalchemy as sa
from playwright.sync_api import Locator, Page

from advisory_site.team.models import TeamMember, columns
from sitekit.base.db.database import read_session, transaction
from tests.support import factories

TAB = "/admin?tab=teams"


NEW = f"{TAB}&edit=new"


IMAGE = "/images/people/adeline-koh.svg"


REQUIRED = {
    "name": "Mei Lin Tan",
    "designation": "Partner",
    "email": "mei@northstrait.example",
    "image_url": IMAGE,
    "bio": "Builds companies.",
    "detailed_bio": "Has built three.",
}


def add(**fields: Any) -> int:
    """Store a member; returns the id."""
    with transaction() as session:
        return factories.add_member(session, **REQUIRED | fields).id or 0


def edit(member_id: int) -> str:
    return f"{TAB}&edit={member_id}"


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def fill(page: Page, **texts: str) -> None:
    for name, text in texts.items():
        page.locator(f"#team-member-form [name='{name}']").fill(text)


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#team-member-form [name='{name}']")


def submit(page: Page, label: str) -> None:
    page.get_by_role("button", name=label).click()


def stored(member_id: int) -> TeamMember:
    with read_session() as session:
        return session.get_one(TeamMember, member_id)


def named(name: str) -> list[TeamMember]:
    with read_session() as session:
        return list(session.execute(sa.select(TeamMember).where(columns.name == name)).scalars())
