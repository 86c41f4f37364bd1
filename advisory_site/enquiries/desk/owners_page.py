"""`/admin/enquiries/owners`: with whom the enquiries of each stage begin, for admins."""

from typing import Any, ClassVar

import reflex as rx
from pydantic import create_model
from sqlmodel import Session

from sitekit.accounts.people.short_form import short_form
from sitekit.admin.components.forms import ReferenceInput, field
from sitekit.admin.db_calls import read, write
from sitekit.admin.guard import staff_event
from sitekit.admin.shell import back_link, side_page
from sitekit.admin.staff_form import StaffForm
from sitekit.base.permissions import Actor
from sitekit.records.fields.line import LongLine
from sitekit.records.form_fields import FormData
from sitekit.records.form_texts import Section
from sitekit.server.framework.event_marks import ChainedEvent, EventReply
from sitekit.ui.feedback import in_place_of_content, subject_of, success_notice
from sitekit.ui.form import once

from ... import routes
from .. import desk_texts, messages, owners
from ..mails import STAGE_LABELS
from ..models import STAGES

# The choices by stage, as they were sent; `owners` has the rules.
_CHOICES: dict[str, Any] = dict.fromkeys(STAGES, (LongLine, ""))
StageOwnersData = create_model("StageOwnersData", __base__=FormData, **_CHOICES)


class StageOwnersState(StaffForm, rx.State):
    """The form: the person chosen for each stage, and those to choose from. `problem` is shown in place of it."""

    problem: str = ""
    chosen: dict[str, str] = dict.fromkeys(STAGES, "")
    people: list[list[str]] = []

    data_class: ClassVar = StageOwnersData

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def open(self, *, actor: Actor) -> None:
        """Read who answers each stage; the service allows it for admins only."""
        self.errors, self.checks, self.problem = {}, {}, ""
        await self._load(actor)

    @staff_event(failed=lambda self, error, _subject: self._refuse(error, messages.STAGE_OWNERS_FAILED))
    @once()
    async def save(self, form_data: dict[str, Any], *, actor: Actor) -> EventReply:
        """Store who answers each stage."""
        await write(lambda session: owners.name_for_stages(session, actor, form_data))
        await self._load(actor)
        self._saved()
        return success_notice(messages.STAGE_OWNERS_SAVED, subject_of(self))

    async def _load(self, actor: Actor) -> None:
        chosen, people = await read(lambda session: _read(session, actor))
        self.chosen = {stage: str(owner or "") for stage, owner in chosen.items()}
        self.people = [["", desk_texts.NOBODY], *([str(number), name] for number, name in people)]

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the form."""
        self.chosen, self.people = dict.fromkeys(STAGES, ""), []
        self.problem, replies = in_place_of_content(error, messages.STAGE_OWNERS_FETCH_FAILED, subject_of(self))
        return replies


def _read(session: Session, actor: Actor) -> tuple[dict[str, int], list[tuple[int, str]]]:
    return owners.by_stage(session, actor), owners.people(session)


def owners_page() -> rx.Component:
    """The page: one select for each stage."""
    state = StageOwnersState
    fields = (
        field(
            stage,
            STAGE_LABELS[stage],
            ReferenceInput.create(name=stage, options=state.people, default_value=state.chosen[stage]),
        )
        for stage in STAGES
    )
    text = Section(desk_texts.OWNERS_GROUP, desk_texts.OWNERS_TEXT)
    form = short_form(state, "owners-form", text, desk_texts.SAVE, *fields)
    problem = rx.el.p(state.problem, class_name="backoffice-note", role="alert")
    return side_page(
        desk_texts.OWNERS_TITLE,
        rx.cond(state.problem != "", problem, rx.cond(rx.Var.create(state.people).length() > 0, form)),
        back=back_link(desk_texts.BACK, routes.ADMIN_ENQUIRIES),
        at=routes.ADMIN_ENQUIRIES,
    )
