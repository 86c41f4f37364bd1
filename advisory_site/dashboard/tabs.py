"""`/admin`: the tabs of the back office, bound to the query parameter `tab`."""

from collections.abc import Callable
from dataclasses import dataclass

import reflex as rx
from reflex.event import EventCallback

from ..advisors.admin_tab import AdvisorTabState, advisors_tab
from ..backoffice.shell import shell
from ..companies.admin_tab import CompanyTabState, companies_tab
from ..content import backoffice as words
from ..framework.event_marks import EventReply, public_event
from ..team.admin_tab import TeamTabState, teams_tab
from ..ui.backoffice.address import address_tabs
from ..users.admin_tab import UserTabState, users_tab
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
)


class TabState(rx.State):
    """The tab that the address selects, and the document's title."""

    title: str = words.TITLE

    @public_event
    def open(self) -> EventReply:
        """Load the tab of the address; an unknown one is the dashboard. The page's `on_load`.

        Public, because the tab's own event, which it returns, is guarded.
        """
        tab = tab_named(self.router.url.query_parameters.get("tab", ""))
        self.title = f"{tab.label} | {words.TITLE}"
        return tab.load


def tab_named(name: object) -> Tab:
    """The tab with this name, else the first."""
    return next((tab for tab in TABS if tab.name == name), TABS[0])


def admin_page() -> rx.Component:
    """The whole page; only the selected tab is rendered."""
    return shell(
        address_tabs(
            *(tab.content() for tab in TABS),
            names=[tab.name for tab in TABS],
            labels=[tab.label for tab in TABS],
            label=words.TABS_LABEL,
        ),
        is_home=True,
    )
