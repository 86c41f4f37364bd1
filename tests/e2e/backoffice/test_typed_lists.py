"""Lists and achievements as staff type them and visitors read them: nothing is cut, nothing is lost."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from advisory_site.advisors.models import columns
from sitekit.base.db.database import bump_content_version, transaction
from tests.e2e.backoffice.company_form import edit, fill, stored, submit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import notice

AMOUNTS = ["60,000 tonnes a year", "S$1,200 per head"]


def entries(page: Page, label: str) -> Locator:
    field = page.locator(".backoffice-field").filter(has=page.get_by_label(label))
    return field.get_by_role("list", name="Entries").get_by_role("listitem")


@pytest.mark.spec("ACO-5")
def test_entries_on_separate_lines_may_contain_commas(
    staff: Staff, company: Callable[..., str], visit: Callable[[str], Page]
) -> None:
    slug = company()
    page = staff().open(edit(slug))
    metrics = page.get_by_label("Key metrics")
    metrics.fill(", ".join(AMOUNTS))
    expect(entries(page, "Key metrics")).to_have_text(["60", "000 tonnes a year", "S$1", "200 per head"])
    metrics.fill("\n".join(AMOUNTS))
    expect(entries(page, "Key metrics")).to_have_text(AMOUNTS)
    fill(page, services="Advice, Mentoring ,,")
    expect(entries(page, "Services")).to_have_text(["Advice", "Mentoring"])
    submit(page, "Update Company")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert (stored(slug).key_metrics, stored(slug).services) == (AMOUNTS, ["Advice", "Mentoring"])
    expect(visit(f"/companies/{slug}").locator(".metrics li")).to_have_text(AMOUNTS)


@pytest.mark.spec("ACO-5")
@pytest.mark.parametrize("stored_list", [AMOUNTS, AMOUNTS[:1]])
def test_a_stored_entry_with_a_comma_stays_one_entry(
    staff: Staff, company: Callable[..., str], stored_list: list[str]
) -> None:
    slug = company(key_metrics=stored_list, services=["Advice", "Mentoring"])
    page = staff().open(edit(slug))
    expect(page.get_by_label("Services")).to_have_value("Advice, Mentoring")
    expect(entries(page, "Key metrics")).to_have_text(stored_list)
    fill(page, key_metrics=page.get_by_label("Key metrics").input_value().replace("60,000", "61,000"))
    submit(page, "Update Company")
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert stored(slug).key_metrics == [entry.replace("60,000", "61,000") for entry in stored_list]


def in_old_format(position: dict[str, Any]) -> dict[str, Any]:
    """A position with its achievements beside its description, as an older version of the site stored them."""
    lines = position["description"].splitlines()
    achieved = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    return position | {"description": lines[0], "achievements": achieved}


def achievements(visit: Callable[[str], Page], slug: str) -> list[str]:
    return visit(f"/advisor/{slug}").locator(".timeline").all_inner_texts()


@pytest.mark.spec("AAD-4", "AD-3")
def test_saving_an_advisor_keeps_all_public_content(staff: Staff, visit: Callable[[str], Page]) -> None:
    slug = "tan-wei-ming"
    with transaction() as session:
        advisor_id, held = session.execute(sa.select(columns.id, columns.experience).where(columns.slug == slug)).one()
        older = [in_old_format(position) for position in held]
        session.connection().execute(
            sa.update(columns.id.table).where(columns.id == advisor_id).values(experience=older)
        )
        bump_content_version(session)
    before = achievements(visit, slug)
    page = staff().open(f"/admin/advisors/{advisor_id}/edit")
    said = page.get_by_text("Achievements are now lines in the description of their position")
    expect(said).to_have_count(1)
    expect(page.get_by_role("group", name="Position 1").get_by_label("Description")).to_have_value(
        re.compile("^- ", re.MULTILINE)
    )
    page.get_by_label("Location").press("End")
    page.keyboard.type(" ")
    submit(page, "Update Advisor")
    expect(notice(page, "Advisor updated successfully")).to_be_visible()
    assert achievements(visit, slug) == before
    with transaction() as session:
        held = session.execute(sa.select(columns.experience).where(columns.slug == slug)).scalar_one()
    assert [position["achievements"] for position in held] == [[] for _ in held]
    page.goto(page.url.split("/admin")[0] + f"/admin/advisors/{advisor_id}/edit")
    expect(page.get_by_label("Location")).to_be_visible()
    expect(said).to_have_count(0)
