"""The export of a list: an event that makes the link to its file, and the button that sends it."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

import reflex as rx
from sqlmodel import Session

from ...base import paths
from ...base.db.database import now
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Actor
from ...records import activity, csv_texts
from ...records.csv_export import CsvList
from ...records.listing import ListQuery, list_parameters
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import error_notice, subject_of, success_notice
from ...ui.icons import icon
from ..components import controls
from ..db_calls import read, write
from ..guard import staff_event
from ..user_accounts import user_accounts

LIST = "list"


class ExportState(rx.State, mixin=True):
    """Mix in before a `ListState`, and set `csv`; the list must be one of those of the `ExportEndpoint`."""

    is_exporting: bool = False

    csv: ClassVar[CsvList]

    @staff_event(failed=lambda self, error, _subject: self._refuse_export(error))
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
            link = await download_link(self, parameters | {LIST: self.csv.name})
            await write(lambda session: self._note(session, actor, count))
            yield rx.download(url=link, filename=self.csv.file_name(now()))
            text = texts.cut if total > count else texts.done
            yield success_notice(text.format(count=f"{count:,}", total=f"{total:,}"), subject)
        finally:
            self.is_exporting = False

    def _refuse_export(self, error: Exception) -> ChainedEvent:
        return error_notice(error, self.csv.texts.failed, subject_of(self, "export"))

    def _note(self, session: Session, actor: Actor, count: int) -> None:
        subject = f"{count} {self.csv.name}"
        activity.log(session, AuditEvent.EXPORTED, subject, by=actor.user_id, of_table=self.csv.id.table.name)


async def download_link(state: rx.State, subject: Mapping[str, str]) -> str:
    """The address of a file to download now; only the `ExportEndpoint` interprets the subject."""
    token = await user_accounts().issue_link(state, subject)
    return f"{paths.ADMIN_EXPORT}?{urlencode({'token': token})}"


def export_button(state: Any) -> rx.Component:
    """The button that exports a list; disabled if there is nothing to export."""
    return controls.button(
        icon("download", class_name="icon-small"),
        csv_texts.EXPORT,
        on_click=state.export,
        is_loading=state.is_exporting,
        loading_text=csv_texts.EXPORT,
        is_disabled=state.total == 0,
        variant="outline",
    )
