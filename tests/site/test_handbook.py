"""The handbook: the buttons it names are on the screens of their tasks, and each role reads what it may do."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from advisory_site import routes
from advisory_site.advisory_site import PAGES
from advisory_site.dashboard.tabs import TABS
from advisory_site.features import FEATURES
from sitekit.admin import texts
from sitekit.admin.current_user import may_have_role
from sitekit.admin.office import office
from sitekit.admin.places import Task
from sitekit.app.handbook import help_page
from sitekit.base import paths
from sitekit.base.permissions import POLICY, Role
from sitekit.ui import scripts

pytestmark = [pytest.mark.usefixtures("app"), pytest.mark.spec("HELP-1")]
# Forms that are dialogs of a tab.
IN_TABS = {record_type.staff_pages.new_page for record_type in FEATURES.record_types} - {page.route for page in PAGES}
# On every page.
NOTICES = re.sub(r"\s*\n\s*", "", (Path(scripts.__file__).parent / "js" / "notices.jsx").read_text(encoding="utf-8"))


def links_of(task: Task) -> list[str]:
    return re.findall(r"\]\((.+?)\)", " ".join(task.steps))


def buttons_of(task: Task) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", " ".join(task.steps))


def routes_from(address: str) -> set[str]:
    """The routes of the page at an address, and of those that are opened from it; forms to edit are as those to add."""
    path, _, query = address.partition("?")
    if not query.startswith("tab="):
        return {page.route for page in PAGES if f"{page.route}/".startswith(f"{path}/")}
    pages = [record_type.staff_pages for record_type in FEATURES.record_types if record_type.list_page() == address]
    return {address, *(path for each in pages for path in (each.new_page, each.import_page))} - IN_TABS


@cache
def screen(route: str) -> str:
    """The source of a page, or of one tab of the dashboard."""
    tabs = {paths.admin_tab(tab.name): tab.content for tab in TABS}
    return str((tabs | {page.route: page.component for page in PAGES})[route]())


def is_on(button: str, screens: str) -> bool:
    """Whether a button has this name; "…" is a number in it."""
    name = re.escape(button).replace("…", r'"\+\([^;]+\)\+"')
    return re.search(f'"{name}"', screens) is not None


def test_the_buttons_of_each_task_are_on_its_screens() -> None:
    missing = []
    for task in office().tasks():
        reached = [routes_from(address) for address in (*links_of(task), *task.at) if address not in IN_TABS]
        assert all(reached), f"{task.title}: a link leads nowhere"
        screens = "".join(map(screen, set().union(*reached)))
        missing += [f"{task.title}: {name}" for name in buttons_of(task) if not is_on(name, screens)]
    assert missing == []
    assert f">{texts.UNDO}</button>" in NOTICES


def test_each_task_has_three_to_seven_steps_and_a_name_of_its_own() -> None:
    tasks = office().tasks()
    assert [task.title for task in tasks if not 3 <= len(task.steps) <= 7] == []
    assert len({task.href for task in tasks}) == len(tasks) == 14


def conditions(component: Any) -> Iterator[tuple[str, str]]:
    """The headings below each condition, with the condition."""
    for child in component.children:
        if hasattr(child, "cond"):
            yield from ((name, str(child.cond)) for name in re.findall(r'"h2",\{[^}]*\},"(.+?)"', str(child)))
        yield from conditions(child)


def test_each_role_reads_the_tasks_that_the_policy_allows() -> None:
    tasks = office().tasks()
    not_for_all = [task for task in tasks if not POLICY[task.action].issuperset(Role)]
    expected = {task.title: str(may_have_role(*POLICY[task.action])) for task in not_for_all}
    found = dict(conditions(help_page()))
    assert found.keys() == {task.title for task in tasks}
    assert {title: found[title] for title in expected} == expected
    # The others have only the condition of the whole page.
    assert len({found[title] for title in found.keys() - expected.keys()}) == 1
    assert [task.title for task in tasks if Role.EMPLOYEE not in POLICY[task.action]] == [
        "Correct a sentence on Home",
        "Invite a colleague",
        "Someone leaves",
        "A person asks for their data",
    ]


def test_tasks_link_only_to_pages_that_their_readers_may_open() -> None:
    needed = {place.href: place.action for place in office().pages if place.action}
    links = [(task, needed[address]) for task in office().tasks() for address in links_of(task) if address in needed]
    assert [task.title for task, action in links if not POLICY[task.action] <= POLICY[action]] == []


def test_pages_link_to_the_task_that_begins_there() -> None:
    leads = {
        routes.ADMIN_ENQUIRIES: "answer-an-enquiry",
        routes.ADMIN_ENQUIRY: "answer-an-enquiry",
        paths.admin_tab("companies"): "add-a-company-team-member-advisor-or-article",
        "/admin/articles/new": "publish-on-monday",
        "/admin/companies/new": "publish-on-monday",
        "/admin/companies/import": "import-a-list",
        paths.ADMIN_PREVIEW: "share-a-draft-with-an-outsider",
        paths.ADMIN_HISTORY: "undo-a-mistake",
        paths.ADMIN_TRASH: "undo-a-mistake",
        paths.ADMIN_TEXTS: "correct-a-sentence-on-home",
        paths.ADMIN_PAGE_TEXTS: "correct-a-sentence-on-home",
        paths.admin_tab("users"): "invite-a-colleague",
        paths.ADMIN_INVITATIONS: "invite-a-colleague",
        paths.ADMIN_PERSON: "someone-leaves",
        paths.ADMIN_PERSONAL_DATA: "a-person-asks-for-their-data",
        paths.ADMIN_TWO_STEP: "turn-on-two-step-sign-in",
    }
    assert {route: "".join(re.findall(rf"{paths.ADMIN_HELP}#([\w-]+)", screen(route))) for route in leads} == leads
