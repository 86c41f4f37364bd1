"""The company form of the back office: every field of a company, new or being edited."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import reflex as rx
from sqlmodel import Session

from ..backoffice.form_rows import Entry, Group
from ..backoffice.form_state import FormReplies, FormState
from ..backoffice.shell import form_page
from ..content import backoffice as words
from ..content import messages
from ..core import routes
from ..core.permissions import Actor
from ..core.text import one_line, record_id, slugify_hyphenated
from ..records.form_fields import Draft
from ..records.listing import ListQuery
from ..ui.backoffice.forms import (
    entry,
    field_group,
    list_field,
    long_field,
    remove_button,
    repeating_group,
    text_field,
)
from ..ui.backoffice.record_form import record_form
from . import form_texts as texts
from . import service
from .fields import CompanyDraft, CompanyForm

FOUNDERS = "founders"


class CompanyFormState(FormState, rx.State):
    """The state of the company form."""

    form: CompanyForm = CompanyForm()

    draft: ClassVar[type[Draft]] = CompanyDraft
    replies: ClassVar[FormReplies] = FormReplies(
        fetch_failed=messages.COMPANY_FETCH_FAILED,
        created=messages.COMPANY_CREATED,
        create_failed=messages.COMPANY_CREATE_FAILED,
        updated=messages.COMPANY_UPDATED,
        update_failed=messages.COMPANY_UPDATE_FAILED,
    )
    groups: ClassVar[dict[str, Group]] = {FOUNDERS: Group(("name", "title", "bio"), at_least=1)}
    tab: ClassVar[str] = "companies"

    if TYPE_CHECKING:
        slug: str  # Reflex adds it to the root state, because the route contains `[slug]`

    def _read(self, session: Session, actor: Actor) -> CompanyForm:
        slug = str(self.slug)
        return service.get_for_edit(session, actor, slug) if slug else CompanyForm()

    def _stored(self, session: Session, actor: Actor, record: int) -> CompanyForm | None:
        return service.get_stored(session, actor, record)

    def _address_of(self, form: CompanyForm) -> str:
        return routes.company_edit_page(form.slug)

    def _page_of(self, session: Session, actor: Actor, query: ListQuery, record: int) -> int:
        return service.page_of(session, actor, query, record)

    def _create(self, session: Session, actor: Actor, draft: CompanyDraft) -> int:
        return service.create(session, actor, draft)

    def _update(
        self, session: Session, actor: Actor, record: int, draft: CompanyDraft, version: int, overwrite: bool
    ) -> None:
        service.update(session, actor, record, draft, version, overwrite)

    def _is_slug_free(self, session: Session, actor: Actor, slug: str, record: int) -> bool:
        return service.is_slug_free(session, actor, slug, record)

    def _suggestions(self, name: str, typed: Mapping[str, object]) -> dict[str, str]:
        is_new = not record_id(typed.get("record"))
        return {"slug": slugify_hyphenated(one_line(typed.get("name")))} if name == "name" and is_new else {}


def new_company_page() -> rx.Component:
    """`/admin/companies/new`."""
    return _page(words.COMPANY_NEW_TITLE, words.COMPANY_CREATE, words.COMPANY_CREATING)


def edit_company_page() -> rx.Component:
    """`/admin/companies/{slug}/edit`."""
    return _page(words.COMPANY_EDIT_TITLE, words.COMPANY_UPDATE, words.COMPANY_UPDATING)


def _page(title: str, submit_label: str, busy_label: str) -> rx.Component:
    form = record_form(
        CompanyFormState,
        "company-form",
        *_groups(),
        submit_label=submit_label,
        busy_label=busy_label,
        watched=("name", "slug"),
    )
    return form_page(CompanyFormState, title, CompanyFormState.tab, words.COMPANY_BACK, form)


def _line(name: str, **props: Any) -> rx.Component:
    text = texts.FIELDS[name]
    props.setdefault("is_required", name in CompanyDraft.required)
    props.setdefault("hint", text.hint)
    return text_field(name, text.label, getattr(CompanyFormState.form, name), **props)


def _list(name: str) -> rx.Component:
    text = texts.FIELDS[name]
    return list_field(name, text.label, getattr(CompanyFormState.form, name), hint=text.hint)


def _lines(name: str, rows: int) -> rx.Component:
    text = texts.FIELDS[name]
    is_required = name in CompanyDraft.required
    value = getattr(CompanyFormState.form, name)
    return long_field(name, text.label, value, hint=text.hint, is_required=is_required, rows=rows)


def _groups() -> list[rx.Component]:
    return [
        field_group(
            texts.BASICS,
            _line("name"),
            _line("slug", auto_complete="off", spell_check=False),
            _line("tagline"),
            _line("industry"),
            _line("founded"),
            _line("employees"),
            _line("location"),
            _line("status"),
        ),
        field_group(texts.STORY, _lines("description", 3), _lines("detailed_description", 8)),
        repeating_group(
            CompanyFormState,
            FOUNDERS,
            _founder,
            text=texts.PEOPLE,
            add_label=words.FOUNDER_ADD,
        ),
        field_group(
            texts.LISTS,
            _list("services"),
            _list("coverage_areas"),
            _list("target_market"),
            _list("key_metrics"),
        ),
        field_group(
            texts.REACH,
            _line("website_url", type_="url"),
            _line("logo_url"),
            _line("email", type_="email"),
            _line("phone", type_="tel"),
        ),
        field_group(texts.LEGAL, _line("legal_entity_name"), _line("registration_number")),
    ]


def _founder(row: Entry, index: int) -> rx.Component:
    def name(field: str) -> str:
        return f"{FOUNDERS}.{row.key}.{field}"

    label = f"{words.FOUNDER} {index + 1}"
    state = CompanyFormState
    return entry(
        label,
        row.key,
        rx.cond(
            rx.Var.create(state.entries[FOUNDERS]).length() > 1,
            remove_button(f"{words.FOUNDER_REMOVE} {index + 1}", state.remove_entry(FOUNDERS, row.key)),
        ),
        text_field(name("name"), texts.FOUNDER_FIELDS["name"].label, row.texts["name"]),
        text_field(name("title"), texts.FOUNDER_FIELDS["title"].label, row.texts["title"]),
        long_field(name("bio"), texts.FOUNDER_FIELDS["bio"].label, row.texts["bio"], rows=3),
    )
