"""The team member dialog of the back office: opened by the address, for a new member or one being edited."""

from collections.abc import Mapping
from typing import Any

import reflex as rx
from sqlmodel import Session

from .. import routes
from ..admin.forms import FormReplies, FormState
from ..content import admin_team as words
from ..content import messages
from ..parsing import record_id
from ..permissions import Actor
from ..ui.dialog import NEW, address_dialog, closed
from ..ui.forms import check_field, field_group, long_field, record_form, text_field
from . import service
from .rules import MemberDraft, MemberForm

EDIT = "edit"
TAB = routes.admin_tab("teams")
FORM_ID = "member-form"
FIELDS = dict(words.FIELDS)


class MemberDialogState(FormState, rx.State):
    """One member as the dialog shows them. Whose dialog it is, the address says with every event."""

    form: MemberForm = MemberForm()
    shown: str = ""
    is_new: bool = True
    back: str = TAB

    async def _show(self, actor: Actor) -> None:
        wanted = self._wanted()
        self.draft_name = f"{actor.user_id}:{TAB}:{wanted}"
        self.back = closed(routes.ADMIN, self.router.url.query, EDIT)
        self.is_new = wanted == NEW
        await super()._show(actor)
        self.shown = wanted

    def _replies(self) -> FormReplies:
        saved = messages.MEMBER_CREATED if self._wanted() == NEW else messages.MEMBER_UPDATED
        return FormReplies(messages.MEMBERS_FETCH_FAILED, saved, messages.MEMBER_SAVE_FAILED, self.back)

    def _read(self, session: Session, actor: Actor) -> MemberForm:
        wanted = self._wanted()
        return MemberForm() if wanted == NEW else service.get_for_edit(session, actor, wanted)

    def _save(self, session: Session, actor: Actor, typed: Mapping[str, Any], overwrite: bool) -> None:
        draft, wanted = MemberDraft.read(typed), self._wanted()
        if wanted == NEW:
            service.create(session, actor, draft)
        else:
            service.update(session, actor, wanted, draft, record_id(typed.get("version")), overwrite)

    def _wanted(self) -> str:
        """What the address asks for: `NEW`, or a member's id."""
        return str(self.router.url.query_parameters.get(EDIT, ""))


def member_dialog() -> rx.Component:
    """The dialog, which is there while the address has `edit`."""
    state = MemberDialogState
    form = record_form(
        state,
        FORM_ID,
        rx.el.input(type="hidden", name="version", default_value=state.form.version.to_string()),
        *_groups(),
        cancel=state.back,
        submit_label=rx.cond(state.is_new, words.CREATE, words.UPDATE),
        busy_label=rx.cond(state.is_new, words.CREATING, words.UPDATING),
    )
    return address_dialog(form, parameter=EDIT, shown=state.shown, heading=words.EDIT_TITLE, new_heading=words.ADD)


def _groups() -> list[rx.Component]:
    return [
        field_group(
            words.WHO,
            _line("name", auto_complete="off", auto_focus=True),
            _line("designation"),
            _line("email", type_="email", auto_complete="off"),
            _line("linkedin_url", type_="url"),
            _line("image_url"),
        ),
        field_group(
            words.STORY,
            _lines("bio", 3),
            _lines("detailed_bio", 6),
            _lines("expertise", 2),
            _lines("achievements", 2),
        ),
        field_group(
            words.PLACE,
            _line("display_order", value=MemberDialogState.form.display_order.to_string(), input_mode="numeric"),
            check_field(
                "is_active",
                FIELDS["is_active"].label,
                MemberDialogState.form.is_active,
                hint=FIELDS["is_active"].hint,
            ),
        ),
    ]


def _line(name: str, **props: Any) -> rx.Component:
    text, value = FIELDS[name], props.pop("value", getattr(MemberDialogState.form, name))
    is_required = name in MemberDraft.required
    return text_field(MemberDialogState, name, text.label, value, hint=text.hint, is_required=is_required, **props)


def _lines(name: str, rows: int) -> rx.Component:
    text, value = FIELDS[name], getattr(MemberDialogState.form, name)
    is_required = name in MemberDraft.required
    return long_field(MemberDialogState, name, text.label, value, hint=text.hint, is_required=is_required, rows=rows)
