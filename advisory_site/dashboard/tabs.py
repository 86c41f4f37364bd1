"""`/admin`: the tabs of the back office, bound to the query parameter `tab`."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex.event import EventCallback

from sitekit.accounts.people.tab import UserTabState, users_tab
from sitekit.admin import texts
from sitekit.admin.components.address import address_tabs
from sitekit.admin.record_fields import form_title
from sitekit.admin.record_labels import edit_label
from sitekit.admin.shell import home_shell, places
from sitekit.server.framework.event_marks import EventReply, public_event
from sitekit.server.framework.events import handled_within

from ..advisors.admin import AdvisorTabState, advisors_tab
from ..articles.admin import ArticleTabState, articles_tab
from ..companies.admin import CompanyTabState, companies_tab
from ..team.admin import MemberDialogState, TeamTabState, teams_tab
from ..team.service import MEMBERS
from .overview import DashboardState, dashboard_tab


@dataclass(frozen=True)
class Tab:
    """One tab: its name in the address, its label, its content, and the event that loads it."""

    name: str
    label: str
    content: Callable[[], rx.Component]
    load: EventCallback[()]


TABS: tuple[Tab, ...] = (
    Tab("dashboard", "Dashboard", dashboard_tab, DashboardState.load),
    Tab("users", "Users", users_tab, UserTabState.load),
    Tab("companies", "Companies", companies_tab, CompanyTabState.load),
    Tab("teams", "Teams", teams_tab, TeamTabState.load),
    Tab("advisors", "Advisors", advisors_tab, AdvisorTabState.load),
    Tab("articles", "Insights", articles_tab, ArticleTabState.load),
)
TAB_QUERIES = tuple(f"tab={tab.name}" for tab in TABS)


class TabState(rx.State):
    """The name of the tab that the address selects, and the document's title."""

    tab: str = ""
    title: str = texts.TITLE

    @public_event
    async def open(self) -> AsyncIterator[EventReply]:
        """Load the tab of the address; an unknown one is the dashboard. The page's `on_load`.

        Public, because the tab's own handler, which it calls, is guarded.
        """
        tab = tab_named(self.router.url.query_parameters.get("tab", ""))
        self.tab, self.title = tab.name, f"{tab.label} | {texts.TITLE}"
        async for reply in handled_within(self, tab.load):
            yield reply


def admin_title() -> Any:
    """The title of the page in the browser's tab: that of the team member whose dialog is open, or of the tab."""
    is_named = (TabState.tab == MEMBERS.tab) & (MemberDialogState.form.id > 0)
    return rx.cond(is_named, form_title(MemberDialogState, edit_label(MEMBERS)), TabState.title)


def tab_named(name: object) -> Tab:
    """The tab with this name, else the first."""
    return next((tab for tab in TABS if tab.name == name), TABS[0])


def admin_page() -> rx.Component:
    """The whole page; only the selected tab is rendered."""
    return home_shell(
        address_tabs(
            *(tab.content() for tab in TABS),
            places(),
            names=[tab.name for tab in TABS],
            labels=[tab.label for tab in TABS],
            label=texts.TABS_LABEL,
        )
    )
