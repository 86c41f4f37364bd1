"""The system status on the dashboard, for admins: the last verified backup, failed mail, and lost pictures."""

import logging
from dataclasses import dataclass
from datetime import timedelta

import reflex as rx
from sqlmodel import Session

from ...base import backup_log, messages
from ...base.backup_log import LastRehearsal
from ...base.mail import outbox
from ...base.mail.outbox import FailedMessage
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Actor, Role
from ...base.threads import Overloaded
from ...base.times import iso_text
from ...records import activity
from ...records.pictures.storage import PICTURES
from ...server.framework.event_marks import EventReply
from ...ui.feedback import reason, subject_of, success_notice
from ...ui.icons import icon
from ...ui.local_time import local_time
from ..components import controls
from ..components.confirm import confirm_button, question
from ..components.elements import heading
from ..components.table import Column, list_failed, rows_table
from ..current_user import has_role
from ..db_calls import read, write
from ..guard import admin_event
from . import texts

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BackupCard:
    """The last verified backup; if there is none, `file_name` is empty."""

    file_name: str = ""
    age: str = ""
    made: str = ""
    is_old: bool = False


class SystemStatusState(rx.State):
    """Backups and mail; only read for admins."""

    backup: BackupCard = BackupCard()
    rehearsal: LastRehearsal = LastRehearsal()
    waiting: int = 0
    waits_because: str = ""
    given_up: int = 0
    mails: list[FailedMessage] = []
    pictures_problem: str = ""
    is_loading: bool = True
    has_failed: bool = False

    @admin_event(failed=lambda self, error, _subject: self._show_load_error(error))
    async def load(self, *, actor: Actor) -> None:
        """Read the status; called when the section is mounted."""
        await self._load(actor)

    @admin_event(failed=messages.MAIL_SEND_AGAIN_FAILED, row="mail_id", reloads=True)
    async def send_again(self, mail_id: int, *, actor: Actor) -> EventReply:
        """Put a failed message back into the queue."""
        await write(lambda session: _requeue(session, actor, mail_id))
        await self._load(actor)
        return success_notice(messages.MAIL_SENT_AGAIN, subject_of(self, mail_id))

    @admin_event(failed=messages.MAIL_SEND_AGAIN_FAILED, reloads=True)
    async def send_all_again(self, *, actor: Actor) -> EventReply:
        """Put every failed message back into the queue."""
        count = await write(lambda session: _requeue_all(session, actor))
        await self._load(actor)
        return success_notice(messages.MAIL_ALL_SENT_AGAIN.format(count=count), subject_of(self))

    async def _load(self, actor: Actor) -> None:
        try:
            last, rehearsal, queue, self.waits_because, self.mails = await read(lambda session: _read(session, actor))
        except Exception as error:
            self._show_load_error(error)
            return
        self.backup, self.rehearsal = _card(last), rehearsal or LastRehearsal()
        self.waiting, self.given_up = queue.waiting, queue.given_up
        self.pictures_problem = await _problem_of_pictures()
        self.has_failed, self.is_loading = False, False

    def _show_load_error(self, error: Exception) -> None:
        """Show the error in the section in place of the numbers."""
        logger.error("Backups and mail could not be looked up: %s", reason(error))
        self.backup, self.rehearsal = BackupCard(), LastRehearsal()
        self.waiting, self.waits_because, self.given_up, self.mails, self.pictures_problem = 0, "", 0, [], ""
        self.has_failed, self.is_loading = True, False


async def _problem_of_pictures() -> str:
    """Why uploaded pictures cannot be stored or shown now; empty if they can."""
    try:
        return (await PICTURES.pool.run(PICTURES.answer)).detail
    except Overloaded:
        return texts.PICTURES_BUSY


def _requeue(session: Session, actor: Actor, mail_id: int) -> None:
    outbox.send_again(session, actor, mail_id)
    activity.log(session, AuditEvent.MAIL_SENT_AGAIN, f"message {mail_id}", by=actor.user_id)


def _requeue_all(session: Session, actor: Actor) -> int:
    count = outbox.send_all_again(session, actor)
    if count:
        activity.log(session, AuditEvent.MAIL_SENT_AGAIN, f"{count} messages", by=actor.user_id)
    return count


def _read(
    session: Session, actor: Actor
) -> tuple[backup_log.LastBackup | None, LastRehearsal | None, outbox.QueueStatus, str, list[FailedMessage]]:
    last, rehearsal = backup_log.last_verified(session, actor), backup_log.last_rehearsal(session, actor)
    mails = outbox.list_failed(session, actor)
    return last, rehearsal, outbox.queue_status(session), outbox.last_problem(session), mails


def _card(last: backup_log.LastBackup | None) -> BackupCard:
    if last is None:
        return BackupCard()
    return BackupCard(last.file_name, age_in_words(last.age), iso_text(last.made_at), last.is_old)


def age_in_words(age: timedelta) -> str:
    """An age in whole hours or, from two days on, whole days; rounded down."""
    hours, days = age // timedelta(hours=1), age // timedelta(days=1)
    if hours < 1:
        return texts.BACKUP_AGE_NOW
    if hours == 1:
        return texts.BACKUP_AGE_HOUR
    return (texts.BACKUP_AGE_DAYS if days > 1 else texts.BACKUP_AGE_HOURS).format(count=days if days > 1 else hours)


def operations() -> rx.Component:
    """The section; empty for users who are not admins."""
    return rx.cond(has_role(Role.ADMIN), _section())


def _section() -> rx.Component:
    failed = rx.el.div(list_failed(texts.FAILED, SystemStatusState.load), class_name="backoffice-panel")
    return rx.el.section(
        heading(texts.TITLE, level="h2", size="md"),
        rx.cond(
            SystemStatusState.has_failed,
            failed,
            rx.fragment(
                rx.cond(SystemStatusState.pictures_problem != "", _pictures()),
                rx.el.div(_backup(), _mail(), class_name="operations-tiles"),
                rx.cond(SystemStatusState.given_up > 0, _given_up()),
            ),
        ),
        on_mount=SystemStatusState.load,
        id=texts.ID,
        class_name="operations",
    )


def _backup() -> rx.Component:
    last = SystemStatusState.backup
    age = rx.cond(last.file_name == "", texts.BACKUP_NEVER, last.age)
    facts = (texts.BACKUP_MADE, " ", local_time(at=last.made, has_zone=True), ", ", last.file_name)
    made = rx.el.p(*facts, class_name="backoffice-muted cell-breaks")
    warning = rx.cond(last.file_name == "", texts.BACKUP_NONE, texts.BACKUP_OLD)
    return rx.el.article(
        rx.el.div(rx.el.h3(texts.BACKUP), icon("shield"), class_name="tile-head"),
        rx.cond(
            SystemStatusState.is_loading,
            controls.bone(height="5rem", width="100%"),
            rx.fragment(
                rx.el.p(age, class_name="tile-number"),
                rx.cond(last.file_name != "", made),
                rx.cond((last.file_name == "") | last.is_old, _warning(warning)),
                rx.cond(last.file_name != "", _rehearsal()),
            ),
        ),
        rx.el.p(texts.BACKUP_HOW, class_name="backoffice-muted"),
        rx.el.p(rx.el.code(texts.BACKUP_COMMAND), class_name="cell-breaks"),
        class_name="tile",
    )


def _rehearsal() -> rx.Component:
    last = SystemStatusState.rehearsal
    at = local_time(at=last.at, has_zone=True)
    good = rx.el.p(texts.REHEARSAL_GOOD, " ", at, ", ", last.file_name, class_name="backoffice-muted cell-breaks")
    problem = _warning(f"{texts.REHEARSAL_FAILED} {last.problem}")
    failed = rx.fragment(problem, rx.el.p(at, class_name="backoffice-muted"))
    never = rx.el.p(texts.REHEARSAL_NEVER, class_name="backoffice-muted")
    return rx.cond(last.at == "", never, rx.cond(last.problem == "", good, failed))


def _pictures() -> rx.Component:
    return _warning(f"{texts.PICTURES_AWAY} {SystemStatusState.pictures_problem}.")


def _warning(text: rx.Var[str] | str) -> rx.Component:
    return rx.el.div(icon("alert"), rx.el.p(text), class_name="backoffice-note backoffice-note-danger")


def _mail() -> rx.Component:
    why = SystemStatusState.waits_because
    fine = rx.el.p(texts.MAIL_FINE, class_name="backoffice-muted")
    return rx.el.article(
        rx.el.div(rx.el.h3(texts.MAIL), icon("mail"), class_name="tile-head"),
        rx.cond(
            SystemStatusState.is_loading,
            controls.bone(height="5rem", width="100%"),
            rx.el.dl(
                _count(SystemStatusState.waiting, texts.MAIL_WAITING),
                _count(SystemStatusState.given_up, texts.MAIL_GIVEN_UP, is_bad=SystemStatusState.given_up > 0),
                class_name="tile-counts",
            ),
        ),
        rx.cond(why != "", _warning(f"{texts.MAIL_RETRIED} {why}")),
        rx.cond(SystemStatusState.given_up > 0, _hint(), rx.cond(why == "", fine)),
        class_name="tile",
    )


def _count(number: int, label: str, is_bad: rx.Var[bool] | bool = False) -> rx.Component:
    """A number with its label: the number first on the screen, the label first for screen readers."""
    class_name = rx.cond(is_bad, "tile-number is-bad", "tile-number")
    return rx.el.div(rx.el.dt(label, class_name="backoffice-muted"), rx.el.dd(number, class_name=class_name))


def _hint() -> rx.Component:
    everything = confirm_button(
        texts.SEND_ALL_AGAIN,
        ask=question(messages.MAIL_SEND_ALL_CONFIRM, texts.SEND_ALL_AGAIN),
        on_confirm=SystemStatusState.send_all_again,
        variant="outline",
    )
    return rx.fragment(rx.el.p(texts.MAIL_HINT, class_name="backoffice-muted"), everything)


def _given_up() -> rx.Component:
    listed = rx.Var.create(SystemStatusState.mails).length()
    return rx.el.div(
        rows_table(SystemStatusState.mails, COLUMNS, label=texts.MAIL_TABLE),
        rx.cond(
            SystemStatusState.given_up > listed,
            rx.el.p(texts.MAIL_LISTED.format(count=listed), class_name="pager"),
        ),
        class_name="backoffice-panel",
    )


def _send_again(row: FailedMessage) -> rx.Component:
    return controls.button(
        texts.SEND_AGAIN,
        rx.el.span(f" {row.subject}, {row.recipient}", class_name="visually-hidden"),
        on_click=SystemStatusState.send_again(row.id),
        variant="outline",
        size="sm",
    )


COLUMNS = (
    Column(texts.RECIPIENT, lambda row: rx.el.span(row.recipient, class_name="cell-title"), is_main=True),
    Column(texts.SUBJECT, lambda row: row.subject),
    Column(texts.WHY, lambda row: row.why),
    Column(texts.GIVEN_UP_AT, lambda row: local_time(at=row.given_up), is_numeric=True),
    Column(texts.ACTIONS, _send_again, is_actions=True),
)
