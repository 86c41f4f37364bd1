"""The dashboard tab: greeting, permissions, what there is to do, numbers, and the system status."""

import logging
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import reflex as rx
from sqlmodel import Session

from sitekit.accounts.factors import policy as factor_policy
from sitekit.accounts.people import service as accounts
from sitekit.admin import panels, worklist
from sitekit.admin import texts as admin_texts
from sitekit.admin.components import controls
from sitekit.admin.components.browser import greeting
from sitekit.admin.components.elements import heading, link
from sitekit.admin.current_user import CurrentUser
from sitekit.admin.db_calls import read
from sitekit.admin.guard import staff_event
from sitekit.admin.operations.status import operations
from sitekit.admin.worklist import RecentChange, RecordLink, WorkItem
from sitekit.base import paths
from sitekit.base.permissions import Actor, Role, may
from sitekit.base.times import iso_text
from sitekit.ui.feedback import reason
from sitekit.ui.local_time import local_time

from .. import routes
from ..enquiries.desk import summary as enquiries
from ..enquiries.desk.list_page import due_text, failure_text
from ..enquiries.desk.summary import ToAnswer
from ..permissions import SiteAction
from . import overview_texts as texts
from .checks import CHECKS
from .overview_texts import Capability, Tile

logger = logging.getLogger(__name__)
FULL = 120


@dataclass(frozen=True)
class Bar:
    """One week of the chart; `height` in CSS px."""

    height: int = 0
    count: int = 0
    label: str = ""


@dataclass(frozen=True)
class Overview:
    """What the dashboard shows; zeros and nothing by default."""

    users: int = 0
    roles: dict[Role, int] = field(default_factory=dict)
    enquiry_summary: enquiries.Summary = field(default_factory=enquiries.Summary)
    to_answer: tuple[ToAnswer, ...] = ()
    changes: tuple[RecentChange, ...] = ()
    work_items: tuple[WorkItem, ...] = ()
    factor_due: datetime | None = None


class DashboardState(rx.State):
    """What the dashboard shows; zeros and nothing until it is read, and if reading fails."""

    is_loading: bool = True
    has_failed: bool = False
    users: int = 0
    admins: int = 0
    managers: int = 0
    employees: int = 0
    unanswered: int = 0
    overdue: int = 0
    replies: str = ""
    weeks: list[Bar] = []
    weeks_in_words: str = ""
    to_answer: list[ToAnswer] = []
    changes: list[RecentChange] = []
    work_items: list[WorkItem] = []
    factor_due: str = ""  # when the days of grace for a second factor end; empty if none is missing

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def load(self, *, actor: Actor) -> None:
        """Read everything; a failure shows zeros and is logged."""
        self._show(await read(lambda session: _read(session, actor)))
        self.has_failed = False

    def _fail(self, error: Exception) -> None:
        logger.error("The dashboard could not be read: %s", reason(error))
        self._show(Overview())
        self.has_failed = True

    def _show(self, overview: Overview) -> None:
        self.users = overview.users
        self.admins = overview.roles.get(Role.ADMIN, 0)
        self.managers = overview.roles.get(Role.MANAGER, 0)
        self.employees = overview.roles.get(Role.EMPLOYEE, 0)
        self.unanswered = overview.enquiry_summary.unanswered
        self.overdue = overview.enquiry_summary.overdue
        self.replies = overview.enquiry_summary.replies
        self.weeks = bars(overview.enquiry_summary.weeks)
        self.weeks_in_words = ", ".join(f"{week.label}: {week.count}" for week in overview.enquiry_summary.weeks)
        self.to_answer = list(overview.to_answer)
        self.changes = list(overview.changes)
        self.work_items = list(overview.work_items)
        self.factor_due = iso_text(overview.factor_due)
        self.is_loading = False


def _read(session: Session, actor: Actor) -> Overview:
    answers = may(actor, SiteAction.READ_ENQUIRIES)
    return Overview(
        users=accounts.count_profiles(session, actor),
        roles=accounts.count_by_role(session, actor),
        enquiry_summary=enquiries.summarise(session, actor) if answers else enquiries.Summary(),
        to_answer=enquiries.to_answer(session, actor) if answers else (),
        changes=worklist.recent_changes(session, actor),
        work_items=worklist.needs_attention(session, actor, CHECKS),
        factor_due=factor_policy.due_of(session, actor),
    )


def bars(weeks: tuple[enquiries.Week, ...]) -> list[Bar]:
    """The weeks as bars, scaled to the highest. No bars if all weeks are empty."""
    most = max((week.count for week in weeks), default=0)
    return [Bar(-(-FULL * week.count // most), week.count, week.label) for week in weeks if most]


def dashboard_tab() -> rx.Component:
    """The tab; the system status is for admins."""
    return rx.fragment(
        rx.cond(DashboardState.factor_due != "", _factor_note()),
        rx.el.header(_greeting(), _capabilities(), class_name="dashboard-head"),
        rx.el.div(_to_answer(), _changes(), _attention(), _chart(), class_name="work-panels"),
        rx.el.div(
            _tile(texts.TOTAL_USERS, DashboardState.users),
            _tile(texts.ADMINISTRATORS, DashboardState.admins),
            _tile(texts.MANAGERS, DashboardState.managers),
            _tile(texts.EMPLOYEES, DashboardState.employees),
            class_name="tiles",
        ),
        operations(),
    )


def _factor_note() -> rx.Component:
    """The day from which the user needs a second factor."""
    return rx.el.div(
        rx.el.p(texts.FACTOR_FROM, " ", local_time(at=DashboardState.factor_due, is_short=True), " ", texts.FACTOR_DUE),
        link(texts.FACTOR_SET_UP, href=paths.ADMIN_TWO_STEP),
        class_name="backoffice-note",
        role="status",
    )


def _greeting() -> rx.Component:
    is_named = CurrentUser.first_name != ""
    name = rx.cond(is_named, CurrentUser.first_name, admin_texts.NO_NAME)
    greeted = heading(
        greeting(morning=texts.GREETING_MORNING, afternoon=texts.GREETING_AFTERNOON, evening=texts.GREETING_EVENING),
        f", {name}!",
        level="h2",
        size="lg",
    )
    return rx.el.div(
        controls.bone_until(~CurrentUser.is_loading, greeted),
        rx.cond(is_named | CurrentUser.is_loading, rx.fragment(), link(texts.ADD_NAME, href=paths.ADMIN_PROFILE)),
    )


def _capabilities() -> rx.Component:
    lists = [
        (role, rx.el.ul(*(rx.el.li(_capability(capability)) for capability in capabilities)))
        for role, capabilities in texts.CAPABILITIES.items()
    ]
    # The first one has as much room as any, and is not seen while the session loads.
    what = rx.el.div(
        rx.el.p(texts.WELCOME.format(role=CurrentUser.role)),
        rx.match(CurrentUser.role, *lists, lists[0][1]),
        class_name="capabilities",
    )
    return controls.bone_until(~CurrentUser.is_loading, what)


def _capability(capability: Capability) -> rx.Component | str:
    if not capability.href:
        return capability.text
    is_here = capability.href.startswith("#")
    return (rx.el.a if is_here else link)(capability.text, href=capability.href)


def _tile(tile: Tile, number: int) -> rx.Component:
    return rx.el.article(
        rx.cond(
            DashboardState.is_loading,
            controls.bone(height="1.9rem", width="1.9rem"),
            rx.el.p(number, class_name="tile-number"),
        ),
        rx.el.div(rx.el.h3(tile.title), rx.el.p(tile.text, class_name="backoffice-muted")),
        class_name="tile",
    )


def _to_answer() -> rx.Component:
    state = DashboardState
    overdue = rx.cond(state.overdue > 0, f", {state.overdue} {texts.ENQUIRIES_OVERDUE}", "")
    waiting = rx.cond(state.unanswered > 0, f"{state.unanswered} {texts.ENQUIRIES_WAITING}{overdue}", "")
    return panels.panel(
        panels.panel_head(texts.TO_ANSWER, waiting, panels.panel_link(texts.ENQUIRIES_OPEN, routes.ADMIN_ENQUIRIES)),
        _lines("to_answer", state.to_answer, _enquiry, texts.TO_ANSWER_NONE),
        rx.cond(state.replies != "", rx.el.p(state.replies, class_name="backoffice-muted work-nothing")),
    )


def _enquiry(enquiry: ToAnswer) -> rx.Component:
    note = rx.cond(
        (enquiry.stage != "") & (enquiry.company != ""),
        f"{enquiry.stage} · {enquiry.company}",
        f"{enquiry.stage}{enquiry.company}",
    )
    return rx.el.li(
        rx.el.div(
            link(enquiry.name, href=routes.enquiry_page(enquiry.id), class_name="cell-link"),
            rx.el.p(note, class_name="cell-note"),
            failure_text(enquiry),
        ),
        rx.el.p(due_text(enquiry), class_name="work-age"),
    )


def _changes() -> rx.Component:
    return panels.panel(
        panels.panel_head(texts.CHANGES, "", panels.panel_link(texts.ALL_ACTIVITY, paths.ADMIN_ACTIVITY)),
        _lines("changes", DashboardState.changes, _change, texts.CHANGES_NONE),
    )


def _change(change: RecentChange) -> rx.Component:
    what = rx.cond(change.what != "", f"{change.record_type} · {change.what}", change.record_type)
    note = rx.cond(change.who != "", f"{what} · {change.who}", what)
    return panels.line(change.href, change.name, note, change.at)


def _lines(name: str, rows: list[ToAnswer] | list[RecentChange], line: Any, none: str) -> rx.Component:
    """The rows, or `none`; after a failure nothing, because nothing is known."""
    empty = rx.cond(DashboardState.has_failed, rx.fragment(), panels.nothing(none))
    return panels.lines(rows, line, name=name, empty=empty, is_loading=DashboardState.is_loading)


def _attention() -> rx.Component:
    items = rx.Var.create(DashboardState.work_items)
    return rx.cond(
        (items.length() > 0) | DashboardState.is_loading,
        panels.panel(
            panels.panel_head(texts.ATTENTION),
            panels.lines(items, _item, name="attention", empty=rx.fragment(), is_loading=DashboardState.is_loading),
        ),
    )


def _item(item: WorkItem) -> rx.Component:
    said = (rx.el.b(item.count), " ", rx.el.span(item.text))
    named = rx.el.p(
        *said,
        rx.el.span(rx.foreach(item.records, _record), " ", item.more, class_name="work-records"),
        class_name="work-matter",
    )
    return rx.el.li(rx.cond(item.href != "", link(*said, href=item.href, class_name="work-matter"), named))


def _record(record: RecordLink, index: int) -> rx.Component:
    return rx.fragment(rx.cond(index > 0, ", ", ""), link(record.name, href=record.href))


def _chart() -> rx.Component:
    """Bars per week, with a text alternative."""
    bars_of_weeks = rx.el.div(
        rx.foreach(DashboardState.weeks, _bar),
        class_name="chart-weeks",
        role="img",
        aria_label=f"{texts.ENQUIRIES_BY_WEEK}. {DashboardState.weeks_in_words}",
    )
    none = rx.cond(DashboardState.has_failed, rx.fragment(), panels.nothing(texts.ENQUIRIES_BY_WEEK_NONE))
    weeks = rx.cond(rx.Var.create(DashboardState.weeks).length() > 0, bars_of_weeks, none)
    return panels.panel(
        panels.panel_head(texts.ENQUIRIES_BY_WEEK),
        rx.cond(DashboardState.is_loading, controls.bone(height="8rem"), weeks),
        class_name="work-chart",
    )


def _bar(bar: Bar) -> rx.Component:
    return rx.el.div(
        rx.el.b(bar.count),
        rx.el.svg(height=bar.height),
        rx.el.span(bar.label, class_name="chart-label"),
        class_name="chart-week",
    )
