"""The dashboard tab: greeting, permissions, numbers, what there is to do, and the system status."""

import logging
from dataclasses import dataclass, field
from typing import Any

import reflex as rx
from sqlmodel import Session

from ..accounts import factor_policy
from ..accounts import service as accounts
from ..accounts.guard import staff_event
from ..accounts.session_state import AuthState
from ..backoffice.db_calls import read
from ..content import backoffice as backoffice_words
from ..core import routes
from ..core.permissions import Action, Actor, Role, may
from ..core.text import iso_text
from ..enquiries import summary as enquiries
from ..enquiries.summary import ToAnswer
from ..ui.backoffice.chakra import link, rc
from ..ui.backoffice.greeting import greeting
from ..ui.feedback import reason
from . import overview_texts as words
from . import panels, worklist
from .overview_texts import Capability, Tile
from .system_status import operations
from .worklist import Matter

logger = logging.getLogger(__name__)
FULL = 100


@dataclass(frozen=True)
class Bar:
    """One week of the chart; `height` in percent of the highest bar."""

    height: int = 0
    count: int = 0
    label: str = ""


@dataclass(frozen=True)
class ChangeLine:
    """A record that was saved recently, as the dashboard lists it; `at` is ISO text in UTC."""

    href: str = ""
    name: str = ""
    kind: str = ""
    who: str = ""
    at: str = ""


@dataclass(frozen=True)
class Overview:
    """What the dashboard shows; zeros and nothing by default."""

    users: int = 0
    roles: dict[Role, int] = field(default_factory=dict)
    enquiry_summary: enquiries.Summary = field(default_factory=enquiries.Summary)
    to_answer: tuple[ToAnswer, ...] = ()
    changes: tuple[worklist.Change, ...] = ()
    matters: tuple[Matter, ...] = ()
    factor_days: int | None = None


class DashboardState(rx.State):
    """What the dashboard shows; zeros and nothing until it is read, and if reading fails."""

    is_loading: bool = True
    has_failed: bool = False
    users: int = 0
    admins: int = 0
    managers: int = 0
    employees: int = 0
    unanswered: int = 0
    weeks: list[Bar] = []
    weeks_in_words: str = ""
    to_answer: list[ToAnswer] = []
    changes: list[ChangeLine] = []
    matters: list[Matter] = []
    factor_days: int = 0  # days of grace left for a second factor; 0 if none is missing

    @staff_event
    async def load(self, *, actor: Actor) -> None:
        """Read everything; a failure shows zeros and is logged."""
        try:
            overview = await read(lambda session: _read(session, actor))
        except Exception as error:
            self._on_database_down("load", error)
            return
        self._show(overview)
        self.has_failed = False

    def _on_database_down(self, handler: str, error: Exception) -> None:
        """Show zeros and log one line while the database is down."""
        logger.error("The dashboard could not be read: %s", reason(error))
        self._show(Overview())
        self.has_failed = True

    def _show(self, overview: Overview) -> None:
        self.users = overview.users
        self.admins = overview.roles.get(Role.ADMIN, 0)
        self.managers = overview.roles.get(Role.MANAGER, 0)
        self.employees = overview.roles.get(Role.EMPLOYEE, 0)
        self.unanswered = overview.enquiry_summary.unanswered
        self.weeks = bars(overview.enquiry_summary.weeks)
        self.weeks_in_words = ", ".join(f"{week.label}: {week.count}" for week in overview.enquiry_summary.weeks)
        self.to_answer = list(overview.to_answer)
        self.changes = [
            ChangeLine(change.href, change.name, change.kind, change.who, iso_text(change.at))
            for change in overview.changes
        ]
        self.matters = list(overview.matters)
        self.factor_days = overview.factor_days or 0
        self.is_loading = False


def _read(session: Session, actor: Actor) -> Overview:
    answers = may(actor, Action.MANAGE_ENQUIRIES)
    return Overview(
        users=accounts.count_profiles(session, actor),
        roles=accounts.count_by_role(session, actor),
        enquiry_summary=enquiries.summarise(session, actor) if answers else enquiries.Summary(),
        to_answer=enquiries.newest_to_answer(session, actor) if answers else (),
        changes=worklist.recent_changes(session, actor),
        matters=worklist.needs_attention(session, actor),
        factor_days=factor_policy.days_left(session, actor),
    )


def bars(weeks: tuple[enquiries.Week, ...]) -> list[Bar]:
    """The weeks as bars, scaled to the highest; none is too low to be visible."""
    most = max((week.count for week in weeks), default=0) or 1
    return [Bar(max(2, FULL * week.count // most), week.count, week.label) for week in weeks]


def dashboard_tab() -> rx.Component:
    """The tab; the system status is for admins."""
    return rx.fragment(
        rx.cond(DashboardState.factor_days > 0, _factor_note()),
        rx.el.header(_greeting(), _capabilities(), class_name="dashboard-head"),
        rx.el.div(
            _tile(words.TOTAL_USERS, DashboardState.users),
            _tile(words.ADMINISTRATORS, DashboardState.admins),
            _tile(words.MANAGERS, DashboardState.managers),
            _tile(words.EMPLOYEES, DashboardState.employees),
            class_name="tiles",
        ),
        rx.el.div(_to_answer(), _changes(), _attention(), _chart(), class_name="work-panels"),
        operations(),
    )


def _factor_note() -> rx.Component:
    """The days that the user has left for setting up a second factor."""
    return rx.el.div(
        rx.el.p(words.FACTOR_DUE, " ", rx.el.b(DashboardState.factor_days)),
        link(words.FACTOR_SET_UP, href=routes.ADMIN_TWO_STEP),
        class_name="backoffice-note",
        role="status",
    )


def _greeting() -> rx.Component:
    is_named = AuthState.first_name != ""
    name = rx.cond(is_named, AuthState.first_name, backoffice_words.NO_NAME)
    return rx.el.div(
        rc.heading(
            greeting(
                morning=words.GREETING_MORNING, afternoon=words.GREETING_AFTERNOON, evening=words.GREETING_EVENING
            ),
            f", {name}!",
            as_="h2",
            size="lg",
        ),
        rx.cond(is_named, rx.fragment(), link(words.ADD_NAME, href=routes.ADMIN_PROFILE)),
    )


def _capabilities() -> rx.Component:
    lists = [
        (role, rx.el.ul(*(rx.el.li(_capability(one)) for one in capabilities)))
        for role, capabilities in words.CAPABILITIES.items()
    ]
    return rx.el.div(
        rx.el.p(words.WELCOME.format(role=AuthState.role)),
        rx.match(AuthState.role, *lists, rx.fragment()),
        class_name="capabilities",
    )


def _capability(capability: Capability) -> rx.Component | str:
    if not capability.href:
        return capability.text
    is_here = capability.href.startswith("#")
    return (rx.el.a if is_here else link)(capability.text, href=capability.href)


def _tile(tile: Tile, number: int) -> rx.Component:
    return rx.el.article(
        rx.cond(
            DashboardState.is_loading,
            rc.skeleton(height="1.9rem", width="1.9rem"),
            rx.el.p(number, class_name="tile-number"),
        ),
        rx.el.div(rx.el.h3(tile.title), rx.el.p(tile.text, class_name="backoffice-muted")),
        class_name="tile",
    )


def _to_answer() -> rx.Component:
    waiting = rx.cond(DashboardState.unanswered > 0, f"{DashboardState.unanswered} {words.ENQUIRIES_WAITING}", "")
    return panels.panel(
        panels.panel_head(words.TO_ANSWER, waiting, panels.panel_link(words.ENQUIRIES_OPEN, routes.ADMIN_ENQUIRIES)),
        _lines(DashboardState.to_answer, _enquiry, words.TO_ANSWER_NONE),
    )


def _enquiry(enquiry: ToAnswer) -> rx.Component:
    note = rx.cond(
        (enquiry.stage != "") & (enquiry.company != ""),
        f"{enquiry.stage} · {enquiry.company}",
        f"{enquiry.stage}{enquiry.company}",
    )
    return panels.line(f"{routes.ADMIN_ENQUIRIES}?open={enquiry.id}", enquiry.name, note, enquiry.received)


def _changes() -> rx.Component:
    return panels.panel(
        panels.panel_head(words.CHANGES, "", panels.panel_link(words.ALL_ACTIVITY, routes.ADMIN_ACTIVITY)),
        _lines(DashboardState.changes, _change, words.CHANGES_NONE),
    )


def _change(change: ChangeLine) -> rx.Component:
    note = rx.cond(change.who != "", f"{change.kind} {words.CHANGED_BY} {change.who}", change.kind)
    return panels.line(change.href, change.name, note, change.at)


def _lines(rows: list[ToAnswer] | list[ChangeLine], line: Any, none: str) -> rx.Component:
    """The rows, or `none`; after a failure nothing, because nothing is known."""
    empty = rx.cond(DashboardState.has_failed, rx.fragment(), panels.nothing(none))
    return panels.lines(rows, line, empty=empty, is_loading=DashboardState.is_loading)


def _attention() -> rx.Component:
    matters = rx.Var.create(DashboardState.matters)
    return rx.cond(
        matters.length() > 0,
        panels.panel(
            panels.panel_head(words.ATTENTION),
            rx.el.ul(rx.foreach(matters, _matter), class_name="work-lines"),
        ),
    )


def _matter(matter: Matter) -> rx.Component:
    return rx.el.li(
        link(rx.el.b(matter.count), " ", rx.el.span(matter.text), href=matter.href, class_name="work-matter")
    )


def _chart() -> rx.Component:
    """Bars per week, with a text alternative."""
    bars_of_weeks = rx.el.div(
        rx.foreach(DashboardState.weeks, _bar),
        class_name="chart-weeks",
        role="img",
        aria_label=f"{words.ENQUIRIES_BY_WEEK}. {DashboardState.weeks_in_words}",
    )
    return panels.panel(
        panels.panel_head(words.ENQUIRIES_BY_WEEK),
        rx.cond(DashboardState.is_loading, rc.skeleton(height="8rem"), bars_of_weeks),
        class_name="work-chart",
    )


def _bar(bar: Bar) -> rx.Component:
    return rx.el.div(
        rx.el.svg(
            rx.el.rect(x=0, y=FULL - bar.height, width=10, height=bar.height, rx=0),
            view_box=f"0 0 10 {FULL}",
            custom_attrs={"preserveAspectRatio": "none"},
        ),
        rx.el.b(bar.count),
        rx.el.span(bar.label, class_name="chart-label"),
        class_name="chart-week",
    )
