"""The advisor form of the back office: every field of an advisor, new or being edited."""

from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..backoffice.form_rows import Group
from ..backoffice.form_state import FormReplies, FormState
from ..backoffice.shell import form_page
from ..content import messages
from ..core import routes
from ..core.permissions import Actor
from ..records.form_fields import Draft
from ..records.listing import ListQuery
from ..ui.backoffice.forms import check_field, field_group, list_field, long_field, text_field
from ..ui.backoffice.record_form import record_form
from . import admin_texts as words
from . import service
from .admin_groups import EXPERIENCE, OFFERS, STATS, groups_of, names
from .fields import AdvisorDraft, AdvisorForm

FIELDS = dict(words.FIELDS)


class AdvisorFormState(FormState, rx.State):
    """The state of the advisor form."""

    form: AdvisorForm = AdvisorForm()

    draft: ClassVar[type[Draft]] = AdvisorDraft
    replies: ClassVar[FormReplies] = FormReplies(
        fetch_failed=messages.ADVISOR_FETCH_FAILED,
        created=messages.ADVISOR_CREATED,
        create_failed=messages.ADVISOR_CREATE_FAILED,
        updated=messages.ADVISOR_UPDATED,
        update_failed=messages.ADVISOR_UPDATE_FAILED,
    )
    groups: ClassVar[dict[str, Group]] = {
        STATS: Group(names(words.STAT_FIELDS)),
        EXPERIENCE: Group(names(words.POSITION_FIELDS)),
        OFFERS: Group(names(words.OFFER_FIELDS)),
    }
    tab: ClassVar[str] = "advisors"

    def _read(self, session: Session, actor: Actor) -> AdvisorForm:
        wanted = str(self.router.page.params.get("id", ""))
        return service.get_for_edit(session, actor, wanted) if wanted else AdvisorForm()

    def _stored(self, session: Session, actor: Actor, record: int) -> AdvisorForm | None:
        return service.get_stored(session, actor, record)

    def _address_of(self, form: AdvisorForm) -> str:
        return routes.advisor_edit_page(form.id)

    def _page_of(self, session: Session, actor: Actor, query: ListQuery, record: int) -> int:
        return service.page_of(session, actor, query, record)

    def _create(self, session: Session, actor: Actor, draft: AdvisorDraft) -> int:
        return service.create(session, actor, draft)

    def _update(
        self, session: Session, actor: Actor, record: int, draft: AdvisorDraft, version: int, overwrite: bool
    ) -> None:
        service.update(session, actor, record, draft, version, overwrite)

    def _is_slug_free(self, session: Session, actor: Actor, slug: str, record: int) -> bool:
        return service.is_slug_free(session, actor, slug, record)


def new_advisor_page() -> rx.Component:
    """`/admin/advisors/new`."""
    return _page(words.ADD, words.CREATE, words.CREATING)


def edit_advisor_page() -> rx.Component:
    """`/admin/advisors/{id}/edit`."""
    return _page(words.EDIT_TITLE, words.UPDATE, words.UPDATING)


def _page(title: str, submit_label: str, busy_label: str) -> rx.Component:
    state = AdvisorFormState
    form = record_form(
        state,
        "advisor-form",
        *_fields(),
        *groups_of(state),
        submit_label=submit_label,
        busy_label=busy_label,
        watched=("slug",),
    )
    return form_page(state, title, state.tab, words.BACK, form)


def _line(name: str, **props: Any) -> rx.Component:
    text, value = FIELDS[name], props.pop("value", getattr(AdvisorFormState.form, name))
    props.setdefault("hint", text.hint)
    return text_field(name, text.label, value, is_required=name in AdvisorDraft.required, **props)


def _list(name: str) -> rx.Component:
    text = FIELDS[name]
    return list_field(name, text.label, getattr(AdvisorFormState.form, name), hint=text.hint)


def _lines(name: str, rows: int) -> rx.Component:
    text, value = FIELDS[name], getattr(AdvisorFormState.form, name)
    is_required = name in AdvisorDraft.required
    return long_field(name, text.label, value, hint=text.hint, is_required=is_required, rows=rows)


def _fields() -> list[rx.Component]:
    active = FIELDS["is_active"]
    return [
        field_group(
            words.BASICS,
            _line("name", auto_complete="off"),
            _line("slug", auto_complete="off", spell_check=False),
            _line("title"),
            _line("company"),
            _line("location"),
            _line("availability"),
            _line("tagline"),
        ),
        field_group(words.STORY, _lines("bio", 3), _lines("detailed_bio", 8), _list("expertise")),
        field_group(
            words.REACH,
            _line("image_url"),
            _line("cover_image_url"),
            _line("email", type_="email", auto_complete="off"),
            _line("linkedin_url", type_="url"),
        ),
        field_group(
            words.PLACE,
            _line(
                "display_order",
                value=rx.Var.create(AdvisorFormState.form.display_order).to_string(),
                input_mode="numeric",
            ),
            check_field("is_active", active.label, AdvisorFormState.form.is_active, hint=active.hint),
        ),
    ]
