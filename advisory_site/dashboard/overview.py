"""The dashboard tab: greeting, permissions, numbers of users and enquiries, system status."""

import logging
from dataclasses import dataclass

import reflex as rx
from sqlmodel import Session

from ..accounts import service as accounts
from ..accounts.guard import staff_event
from ..accounts.session_state import AuthState
from ..backoffice.db_calls import read
from ..content import backoffice as words
from ..content.backoffice import Tile
from ..core import routes
from ..core.permissions import Actor, Role
from ..enquiries import summary as enquiries
from ..ui.backoffice.chakra import link, rc
from ..ui.backoffice.greeting import greeting
from ..ui.feedback import reason
from ..ui.icons import icon
from .system_status import operations

logger = logging.getLogger(__name__)
FULL = 100


@dataclass(frozen=True)
class Bar:
    """One week of the chart; `height` in percent of the highest bar."""

    height: int = 0
    count: int = 0
    label: str = ""


class DashboardState(rx.State):
    """The numbers of the dashboard; zeros until they are read, and if reading fails."""

    is_loading: bool = True
    users: int = 0
    admins: int = 0
    managers: int = 0
    employees: int = 0
    unanswered: int = 0
    weeks: list[Bar] = []
    weeks_in_words: str = ""

    @staff_event
    async def load(self, *, actor: Actor) -> None:
        """Read all numbers; a failure shows zeros and is logged."""
        try:
            users, roles, asked = await read(lambda session: _numbers(session, actor))
        except Exception as error:
            self._on_database_down("load", error)
            return
        self._show(users, roles, asked)

    def _on_database_down(self, handler: str, error: Exception) -> None:
        """Show zeros and log one line while the database is down."""
        logger.error("The dashboard could not be read: %s", reason(error))
        self._show(0, {}, enquiries.Summary())

    def _show(self, users: int, roles: dict[Role, int], asked: enquiries.Summary) -> None:
        self.users = users
        self.admins = roles.get(Role.ADMIN, 0)
        self.managers = roles.get(Role.MANAGER, 0)
        self.employees = roles.get(Role.EMPLOYEE, 0)
        self.unanswered = asked.unanswered
        self.weeks = bars(asked.weeks)
        self.weeks_in_words = ", ".join(f"{week.label}: {week.count}" for week in asked.weeks)
        self.is_loading = False


def _numbers(session: Session, actor: Actor) -> tuple[int, dict[Role, int], enquiries.Summary]:
    users, roles = accounts.count_profiles(session, actor), accounts.count_by_role(session, actor)
    return users, roles, enquiries.summarise(session, actor)


def bars(weeks: tuple[enquiries.Week, ...]) -> list[Bar]:
    """The weeks as bars, scaled to the highest; none is too low to be visible."""
    most = max((week.count for week in weeks), default=0) or 1
    return [Bar(max(2, FULL * week.count // most), week.count, week.label) for week in weeks]


def dashboard_tab() -> rx.Component:
    """The tab: greeting and capabilities, four cards, enquiries, and the system status for admins."""
    return rx.fragment(
        rx.el.header(_greeting(), _capabilities(), class_name="dashboard-head"),
        rx.el.div(
            _tile(words.TOTAL_USERS, DashboardState.users, "people"),
            _tile(words.ADMINISTRATORS, DashboardState.admins, "shield"),
            _tile(words.MANAGERS, DashboardState.managers, "briefcase"),
            _tile(words.EMPLOYEES, DashboardState.employees, "person"),
            class_name="tiles",
        ),
        _enquiries(),
        operations(),
    )


def _greeting() -> rx.Component:
    name = rx.cond(AuthState.first_name != "", AuthState.first_name, words.NO_NAME)
    return rc.heading(
        greeting(morning=words.GREETING_MORNING, afternoon=words.GREETING_AFTERNOON, evening=words.GREETING_EVENING),
        f", {name}!",
        as_="h2",
        size="lg",
    )


def _capabilities() -> rx.Component:
    lists = [
        (role, rx.el.ul(*(rx.el.li(icon("check", class_name="icon-small"), text) for text in texts)))
        for role, texts in words.CAPABILITIES.items()
    ]
    return rx.el.div(
        rx.el.p(words.WELCOME.format(role=AuthState.role), class_name="backoffice-muted"),
        rx.match(AuthState.role, *lists, rx.fragment()),
        class_name="capabilities",
    )


def _tile(tile: Tile, number: int, icon_name: str) -> rx.Component:
    return rx.el.article(
        rx.el.div(rx.el.h3(tile.title), icon(icon_name), class_name="tile-head"),
        rx.cond(
            DashboardState.is_loading,
            rc.skeleton(height="2.5rem", width="4rem"),
            rx.el.p(number, class_name="tile-number"),
        ),
        rx.el.p(tile.text, class_name="backoffice-muted"),
        class_name="tile",
    )


def _enquiries() -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h3(words.ENQUIRIES_TITLE),
            rx.cond(
                DashboardState.is_loading,
                rc.skeleton(height="2.5rem", width="4rem"),
                rx.el.p(DashboardState.unanswered, class_name="tile-number"),
            ),
            rx.el.p(words.ENQUIRIES_WAITING, class_name="backoffice-muted"),
            link(
                words.ENQUIRIES_OPEN,
                icon("arrow-right", class_name="icon-small"),
                href=routes.ADMIN_ENQUIRIES,
                class_name="tile-link",
            ),
        ),
        rx.cond(DashboardState.is_loading, rc.skeleton(height="8rem"), _chart()),
        class_name="tile enquiry-tile",
    )


def _chart() -> rx.Component:
    """Bars per week, with a text alternative."""
    return rx.el.figure(
        rx.el.figcaption(words.ENQUIRIES_BY_WEEK, class_name="backoffice-muted"),
        rx.el.div(
            rx.foreach(DashboardState.weeks, _bar),
            class_name="chart-weeks",
            role="img",
            aria_label=f"{words.ENQUIRIES_BY_WEEK}. {DashboardState.weeks_in_words}",
        ),
        class_name="chart",
    )


def _bar(bar: Bar) -> rx.Component:
    return rx.el.div(
        rx.el.svg(
            rx.el.rect(x=0, y=FULL - bar.height, width=10, height=bar.height, rx=0),
            view_box=f"0 0 10 {FULL}",
            custom_attrs={"preserveAspectRatio": "none"},
        ),
        rx.el.b(bar.count),
        bar.label,
        class_name="chart-week",
    )
