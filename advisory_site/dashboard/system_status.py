"""The system status on the dashboard, for admins: the last verified backup, failed mail, and lost pictures."""

import logging
from dataclasses import dataclass
from datetime import timedelta

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import admin_event
from ..accounts.session_state import has_role
from ..backoffice.db_calls import read, write
from ..content import messages
from ..core.permissions import Actor, Role
from ..core.text import iso_text
from ..core.threads import MEDIA, Overloaded
from ..framework.event_marks import ChainedEvent, EventReply
from ..mail import outbox
from ..media.storage import StoreUnavailable, store
from ..observability.audit_log import Act
from ..ops import backup_log
from ..records import activity
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.table import Column, list_failed, rows_table
from ..ui.feedback import error_notice, reason, subject_of, success_notice
from ..ui.icons import icon
from ..ui.local_time import local_time
from . import status_texts as words
from .overview_texts import OPERATIONS_ID

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BackupCard:
    """The last verified backup; if there is none, `file_name` is empty."""

    file_name: str = ""
    age: str = ""
    made: str = ""
    is_old: bool = False


@dataclass(frozen=True)
class RehearsalCard:
    """The last rehearsed restore; if there was none, `at` is empty. `problem` says why it failed."""

    file_name: str = ""
    at: str = ""
    problem: str = ""


@dataclass(frozen=True)
class MailRow:
    """A failed message, as the table shows it."""

    id: int = 0
    recipient: str = ""
    subject: str = ""
    given_up: str = ""
    why: str = ""


class SystemStatusState(rx.State):
    """Backups and mail; only read for admins."""

    backup: BackupCard = BackupCard()
    rehearsal: RehearsalCard = RehearsalCard()
    waiting: int = 0
    given_up: int = 0
    mails: list[MailRow] = []
    pictures_problem: str = ""
    is_loading: bool = True
    has_failed: bool = False

    @admin_event
    async def load(self, *, actor: Actor) -> None:
        """Read the status; called when the section is mounted."""
        await self._load(actor)

    @admin_event
    async def send_again(self, mail_id: int, *, actor: Actor) -> EventReply:
        """Put a failed message back into the queue, and reload, because another user may have been first."""
        try:
            await write(lambda session: _requeue(session, actor, mail_id))
        except Exception as error:
            reply = error_notice(error, messages.MAIL_SEND_AGAIN_FAILED, subject_of(self, mail_id))
        else:
            reply = success_notice(messages.MAIL_SENT_AGAIN, subject_of(self, mail_id))
        await self._load(actor)
        return reply

    @admin_event
    async def send_all_again(self, *, actor: Actor) -> EventReply:
        """Put every failed message back into the queue."""
        try:
            count = await write(lambda session: _requeue_all(session, actor))
        except Exception as error:
            reply = error_notice(error, messages.MAIL_SEND_AGAIN_FAILED, subject_of(self))
        else:
            reply = success_notice(messages.MAIL_ALL_SENT_AGAIN.format(count=count), subject_of(self))
        await self._load(actor)
        return reply

    async def _load(self, actor: Actor) -> None:
        try:
            last, rehearsal, queue, given_up = await read(lambda session: _look(session, actor))
        except Exception as error:
            self._show_load_error(error)
            return
        self.backup, self.rehearsal = _card(last), _rehearsal_card(rehearsal)
        self.waiting, self.given_up = queue.waiting, queue.given_up
        self.mails = [
            MailRow(one.id, one.recipient, one.subject, iso_text(one.given_up_at), one.why) for one in given_up
        ]
        self.pictures_problem = await _problem_of_pictures()
        self.has_failed, self.is_loading = False, False

    def _show_load_error(self, error: Exception) -> None:
        """Show the error in the section in place of the numbers."""
        logger.error("Backups and mail could not be looked up: %s", reason(error))
        self.backup, self.rehearsal = BackupCard(), RehearsalCard()
        self.waiting, self.given_up, self.mails, self.pictures_problem = 0, 0, [], ""
        self.has_failed, self.is_loading = True, False

    def _on_database_down(self, handler: str, error: Exception) -> ChainedEvent | None:
        """Reply while the database is down."""
        if handler == "load":
            self._show_load_error(error)
            return None
        return error_notice(error, messages.MAIL_SEND_AGAIN_FAILED, subject_of(self))


async def _problem_of_pictures() -> str:
    """Why uploaded pictures cannot be stored or shown now; empty if they can."""
    try:
        await MEDIA.run(lambda: store().check())
    except StoreUnavailable as error:
        return error.reason
    except Overloaded:
        return words.PICTURES_BUSY
    return ""


def _requeue(session: Session, actor: Actor, mail_id: int) -> None:
    outbox.send_again(session, actor, mail_id)
    activity.note(session, Act.MAIL_SENT_AGAIN, f"message {mail_id}", by=actor.user_id)


def _requeue_all(session: Session, actor: Actor) -> int:
    count = outbox.send_all_again(session, actor)
    if count:
        activity.note(session, Act.MAIL_SENT_AGAIN, f"{count} messages", by=actor.user_id)
    return count


def _look(
    session: Session, actor: Actor
) -> tuple[
    backup_log.LastBackup | None, backup_log.LastRehearsal | None, outbox.QueueStatus, list[outbox.FailedMessage]
]:
    last, rehearsal = backup_log.last_verified(session, actor), backup_log.last_rehearsal(session, actor)
    return last, rehearsal, outbox.queue_status(session), outbox.list_failed(session, actor)


def _card(last: backup_log.LastBackup | None) -> BackupCard:
    if last is None:
        return BackupCard()
    return BackupCard(last.file_name, age_in_words(last.age), iso_text(last.made_at), last.is_old)


def _rehearsal_card(last: backup_log.LastRehearsal | None) -> RehearsalCard:
    return RehearsalCard(last.file_name, iso_text(last.rehearsed_at), last.problem) if last else RehearsalCard()


def age_in_words(age: timedelta) -> str:
    """An age in whole hours or, from two days on, whole days; rounded down."""
    hours, days = age // timedelta(hours=1), age // timedelta(days=1)
    if hours < 1:
        return words.BACKUP_AGE_NOW
    if hours == 1:
        return words.BACKUP_AGE_HOUR
    return (words.BACKUP_AGE_DAYS if days > 1 else words.BACKUP_AGE_HOURS).format(count=days if days > 1 else hours)


def operations() -> rx.Component:
    """The section; empty for users who are not admins."""
    return rx.cond(has_role(Role.ADMIN), _section())


def _section() -> rx.Component:
    failed = rx.el.div(list_failed(words.FAILED, SystemStatusState.load), class_name="backoffice-panel")
    return rx.el.section(
        rc.heading(words.TITLE, as_="h2", size="md"),
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
        id=OPERATIONS_ID,
        class_name="operations",
    )


def _backup() -> rx.Component:
    last = SystemStatusState.backup
    age = rx.cond(last.file_name == "", words.BACKUP_NEVER, last.age)
    facts = (words.BACKUP_MADE, " ", local_time(at=last.made, has_zone=True), ", ", last.file_name)
    made = rx.el.p(*facts, class_name="backoffice-muted cell-breaks")
    warning = rx.cond(last.file_name == "", words.BACKUP_NONE, words.BACKUP_OLD)
    return rx.el.article(
        rx.el.div(rx.el.h3(words.BACKUP), icon("shield"), class_name="tile-head"),
        rx.cond(
            SystemStatusState.is_loading,
            rc.skeleton(height="5rem", width="100%"),
            rx.fragment(
                rx.el.p(age, class_name="tile-number"),
                rx.cond(last.file_name != "", made),
                rx.cond((last.file_name == "") | last.is_old, _warning(warning)),
                rx.cond(last.file_name != "", _rehearsal()),
            ),
        ),
        rx.el.p(words.BACKUP_HOW, class_name="backoffice-muted"),
        rx.el.p(rx.el.code(words.BACKUP_COMMAND), class_name="cell-breaks"),
        class_name="tile",
    )


def _rehearsal() -> rx.Component:
    last = SystemStatusState.rehearsal
    at = local_time(at=last.at, has_zone=True)
    good = rx.el.p(words.REHEARSAL_GOOD, " ", at, ", ", last.file_name, class_name="backoffice-muted cell-breaks")
    problem = _warning(f"{words.REHEARSAL_FAILED} {last.problem}")
    failed = rx.fragment(problem, rx.el.p(at, class_name="backoffice-muted"))
    never = rx.el.p(words.REHEARSAL_NEVER, class_name="backoffice-muted")
    return rx.cond(last.at == "", never, rx.cond(last.problem == "", good, failed))


def _pictures() -> rx.Component:
    return _warning(f"{words.PICTURES_AWAY} {SystemStatusState.pictures_problem}.")


def _warning(text: rx.Var[str] | str) -> rx.Component:
    return rx.el.div(icon("alert"), rx.el.p(text), class_name="backoffice-note backoffice-note-danger")


def _mail() -> rx.Component:
    fine = rx.el.p(words.MAIL_FINE, class_name="backoffice-muted")
    return rx.el.article(
        rx.el.div(rx.el.h3(words.MAIL), icon("mail"), class_name="tile-head"),
        rx.cond(
            SystemStatusState.is_loading,
            rc.skeleton(height="5rem", width="100%"),
            rx.el.dl(
                _count(SystemStatusState.waiting, words.MAIL_WAITING),
                _count(SystemStatusState.given_up, words.MAIL_GIVEN_UP, is_bad=SystemStatusState.given_up > 0),
                class_name="tile-counts",
            ),
        ),
        rx.cond(SystemStatusState.given_up > 0, _hint(), fine),
        class_name="tile",
    )


def _count(number: int, label: str, is_bad: rx.Var[bool] | bool = False) -> rx.Component:
    """A number with its label: the number first on the screen, the label first for screen readers."""
    class_name = rx.cond(is_bad, "tile-number is-bad", "tile-number")
    return rx.el.div(rx.el.dt(label, class_name="backoffice-muted"), rx.el.dd(number, class_name=class_name))


def _hint() -> rx.Component:
    everything = confirm_button(
        words.SEND_ALL_AGAIN,
        sentence=messages.MAIL_SEND_ALL_CONFIRM,
        on_confirm=SystemStatusState.send_all_again,
        variant="outline",
    )
    return rx.fragment(rx.el.p(words.MAIL_HINT, class_name="backoffice-muted"), everything)


def _given_up() -> rx.Component:
    listed = rx.Var.create(SystemStatusState.mails).length()
    return rx.el.div(
        rows_table(SystemStatusState.mails, COLUMNS, label=words.MAIL_TABLE),
        rx.cond(
            SystemStatusState.given_up > listed,
            rx.el.p(words.MAIL_LISTED.format(count=listed), class_name="pager"),
        ),
        class_name="backoffice-panel",
    )


def _send_again(row: MailRow) -> rx.Component:
    return rc.button(
        words.SEND_AGAIN,
        rx.el.span(f" {row.subject}, {row.recipient}", class_name="visually-hidden"),
        on_click=SystemStatusState.send_again(row.id),
        variant="outline",
        size="sm",
    )


COLUMNS = (
    Column(words.RECIPIENT, lambda row: rx.el.span(row.recipient, class_name="cell-title"), is_main=True),
    Column(words.SUBJECT, lambda row: row.subject),
    Column(words.WHY, lambda row: row.why),
    Column(words.GIVEN_UP_AT, lambda row: local_time(at=row.given_up), is_numeric=True),
    Column(words.ACTIONS, _send_again, is_actions=True),
)
