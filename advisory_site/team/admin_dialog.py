"""The team member dialog of the back office, opened by the address, for a new or an existing member."""

from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..backoffice.form_state import FormReplies, FormState
from ..content import messages
from ..core import routes
from ..core.permissions import Actor
from ..records.form_fields import Draft
from ..records.listing import ListQuery
from ..ui.backoffice.dialog import NEW, address_dialog
from ..ui.backoffice.forms import check_field, field_group, list_field, long_field, text_field
from ..ui.backoffice.record_form import record_form
from . import admin_texts as words
from . import service
from .fields import MemberDraft, MemberForm

EDIT = "edit"
FIELDS = dict(words.FIELDS)


class MemberDialogState(FormState, rx.State):
    """The state of the dialog. The address, sent with every event, names the member."""

    form: MemberForm = MemberForm()

    draft: ClassVar[type[Draft]] = MemberDraft
    replies: ClassVar[FormReplies] = FormReplies(
        fetch_failed=messages.MEMBERS_FETCH_FAILED,
        created=messages.MEMBER_CREATED,
        create_failed=messages.MEMBER_SAVE_FAILED,
        updated=messages.MEMBER_UPDATED,
        update_failed=messages.MEMBER_SAVE_FAILED,
    )
    tab: ClassVar[str] = "teams"

    def _address(self) -> str:
        """`NEW`, or a member's id."""
        return str(self.router.url.query_parameters.get(EDIT, ""))

    def _read(self, session: Session, actor: Actor) -> MemberForm:
        wanted = self._address()
        return MemberForm() if wanted == NEW else service.get_for_edit(session, actor, wanted)

    def _stored(self, session: Session, actor: Actor, record: int) -> MemberForm | None:
        return service.get_stored(session, actor, record)

    def _address_of(self, form: MemberForm) -> str:
        return str(form.id)

    def _path_to(self, address: str, parameters: dict[str, str]) -> str:
        return routes.admin_tab(self.tab, parameters | {EDIT: address})

    def _page_of(self, session: Session, actor: Actor, query: ListQuery, record: int) -> int:
        return service.page_of(session, actor, query, record)

    def _create(self, session: Session, actor: Actor, draft: MemberDraft) -> int:
        return service.create(session, actor, draft)

    def _update(
        self, session: Session, actor: Actor, record: int, draft: MemberDraft, version: int, overwrite: bool
    ) -> None:
        service.update(session, actor, record, draft, version, overwrite)


def member_dialog() -> rx.Component:
    """The dialog, open while the address has `edit`."""
    state = MemberDialogState
    is_new = state.form.id == 0
    form = record_form(
        state,
        "member-form",
        *_groups(),
        submit_label=rx.cond(is_new, words.CREATE, words.UPDATE),
        busy_label=rx.cond(is_new, words.CREATING, words.UPDATING),
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
            _list("expertise"),
            _list("achievements"),
        ),
        field_group(
            words.PLACE,
            _line(
                "display_order",
                value=rx.Var.create(MemberDialogState.form.display_order).to_string(),
                input_mode="numeric",
            ),
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
    return text_field(name, text.label, value, hint=text.hint, is_required=is_required, **props)


def _list(name: str) -> rx.Component:
    text = FIELDS[name]
    return list_field(name, text.label, getattr(MemberDialogState.form, name), hint=text.hint)


def _lines(name: str, rows: int) -> rx.Component:
    text, value = FIELDS[name], getattr(MemberDialogState.form, name)
    is_required = name in MemberDraft.required
    return long_field(name, text.label, value, hint=text.hint, is_required=is_required, rows=rows)
