"""What staff do with the form of a company."""

import sqlalchemy as sa
from playwright.sync_api import Page

from advisory_site.companies.models import Company, columns
from sitekit.base.db.database import transaction

NEW = "/admin/companies/new"
REQUIRED = {
    "name": "Kelp Works",
    "slug": "kelp-works",
    "industry": "Aquaculture",
    "founded": "2021",
    "employees": "11-50",
    "location": "Changi, Singapore",
    "description": "Farms kelp.",
}


def edit(slug: str) -> str:
    return f"/admin/companies/{slug}/edit"


def fill(page: Page, **texts: str) -> None:
    """Fill in fields by their name, as a user can: not while the form restores a draft."""
    for name, text in texts.items():
        page.locator(f"form:not([inert]) [name='{name}']").fill(text)


def fill_required(page: Page, **texts: str) -> None:
    fill(page, **REQUIRED | texts)


def stored(slug: str) -> Company:
    with transaction() as session:
        company: Company = session.execute(sa.select(Company).where(columns.slug == slug)).scalar_one()
        return company


def submit(page: Page, label: str) -> None:
    page.get_by_role("button", name=label).click()
