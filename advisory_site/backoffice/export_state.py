"""The export of a list: an event that makes the link to its file, and the button that sends it."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..accounts.guard import staff_event
from ..accounts.session_state import auth_of
from ..content import csv_texts as words
from ..core.permissions import Actor
from ..db.database import now
from ..framework.event_marks import EventReply
from ..observability.audit_log import Act
from ..records import activity
from ..records.csv_export import CsvList
from ..records.listing import ListQuery, list_parameters
from ..ui.backoffice.chakra import rc
from ..ui.feedback import error_notice, subject_of, success_notice
from ..ui.icons import icon
from .db_calls import read, write

LIST = "list"


class ExportState(rx.State, mixin=True):
    """Mix in before a `ListState`, and set `csv`; the list must be in `dashboard.exports.EXPORTS`."""

    is_exporting: bool = False

    csv: ClassVar[CsvList]

    @staff_event
    async def export(self, *, actor: Actor) -> AsyncIterator[EventReply]:
        """Download everything that search and filter show."""
        async for reply in self._export(actor, list_parameters(self.router.url.query_parameters)):
            yield reply

    async def _export(self, actor: Actor, parameters: dict[str, str]) -> AsyncIterator[EventReply]:
        """Download the list of these parameters."""
        self.is_exporting = True
        yield None
        query, subject, texts = ListQuery.read(parameters), subject_of(self, "export"), self.csv.texts
        try:
            count, total = await read(lambda session: self.csv.count(session, actor, query))
            link = (await auth_of(self))._download_link(parameters | {LIST: self.csv.name})
            await write(lambda session: self._note(session, actor, count))
        except Exception as error:
            yield error_notice(error, texts.failed, subject)
        else:
            yield rx.download(url=link, filename=self.csv.file_name(now()))
            text = texts.cut if total > count else texts.done
            yield success_notice(text.format(count=f"{count:,}", total=f"{total:,}"), subject)
        finally:
            self.is_exporting = False

    def _note(self, session: Session, actor: Actor, count: int) -> None:
        subject = f"{count} {self.csv.name}"
        activity.note(session, Act.EXPORTED, subject, by=actor.user_id, of_table=self.csv.id.table.name)


def export_button(state: Any) -> rx.Component:
    """The button that exports a list; disabled if there is nothing to export."""
    return rc.button(
        icon("download", class_name="icon-small"),
        words.EXPORT,
        on_click=state.export,
        is_loading=state.is_exporting,
        loading_text=words.EXPORT,
        is_disabled=state.total == 0,
        variant="outline",
    )
