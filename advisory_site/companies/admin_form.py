"""The company form of the back office: every field of a company, new or being edited."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from .. import routes
from ..accounts.guard import staff_event
from ..admin.forms import Entry, FormReplies, FormState, Group
from ..admin.shell import form_page
from ..admin.threads import read
from ..content import admin as words
from ..content import company_form as texts
from ..content import messages
from ..parsing import is_slug, member_slug, one_line, record_id
from ..permissions import Actor
from ..ui.forms import entry, field_group, long_field, record_form, remove_button, repeating_group, text_field
from . import service
from .rules import CompanyDraft, CompanyForm

BACK = routes.admin_tab("companies")
FOUNDERS = "founders"


class CompanyFormState(FormState, rx.State):
    """One company as its form shows it."""

    form: CompanyForm = CompanyForm()
    is_new: bool = True
    slug_hint: str = texts.FIELDS["slug"].hint
    slug_given: str = ""
    _suggested: str = ""

    groups: ClassVar[dict[str, Group]] = {FOUNDERS: Group(("name", "title", "bio"), at_least=1)}

    def _replies(self) -> FormReplies:
        saved = messages.COMPANY_CREATED if self.is_new else messages.COMPANY_UPDATED
        failed = messages.COMPANY_CREATE_FAILED if self.is_new else messages.COMPANY_UPDATE_FAILED
        return FormReplies(messages.COMPANY_FETCH_FAILED, saved, failed, BACK)

    def _read(self, session: Session, actor: Actor) -> CompanyForm:
        slug = self._slug()
        self.is_new = not slug
        return service.get_for_edit(session, actor, slug) if slug else CompanyForm()

    def _save(self, session: Session, actor: Actor, typed: Mapping[str, Any], overwrite: bool) -> None:
        draft = CompanyDraft.read(typed)
        if self.is_new:
            service.create(session, actor, draft)
        else:
            version = record_id(typed.get("version")) or 0
            service.update(session, actor, self.form.id, draft, version, overwrite)

    def _slug(self) -> str:
        """The slug in the address; a new company's has none."""
        return str(self.slug)

    @staff_event
    async def consider_slug(self, name: str, typed: dict[str, Any], *, actor: Actor):
        """While typing pauses: suggest an address from the name, and say whether the one typed is free."""
        slug = one_line(typed.get("slug"))
        if name == "name" and self.is_new and slug in ("", self._suggested):
            slug = self._suggested = self.slug_given = member_slug(one_line(typed.get("name")))
        self.slug_hint, problem = texts.FIELDS["slug"].hint, ""
        if slug and not is_slug(slug):
            problem = messages.SLUG_INVALID
        elif slug:
            is_free = await read(lambda session: service.is_slug_free(session, actor, slug, self.form.id))
            self.slug_hint = words.SLUG_FREE if is_free else self.slug_hint
            problem = "" if is_free else messages.SLUG_TAKEN
        others = {field: sentence for field, sentence in self.errors.items() if field != "slug"}
        self.errors = others | ({"slug": problem} if problem else {})


def company_form_page() -> rx.Component:
    """`/admin/companies/new` and `/admin/companies/{slug}/edit`."""
    is_new = CompanyFormState.is_new
    return form_page(
        CompanyFormState,
        rx.cond(is_new, words.COMPANY_NEW_TITLE, words.COMPANY_EDIT_TITLE),
        BACK,
        words.COMPANY_BACK,
        record_form(
            CompanyFormState,
            "company-form",
            rx.el.input(type="hidden", name="version", default_value=CompanyFormState.form.version.to_string()),
            *_groups(),
            cancel=BACK,
            submit_label=rx.cond(is_new, words.COMPANY_CREATE, words.COMPANY_UPDATE),
            busy_label=rx.cond(is_new, words.COMPANY_CREATING, words.COMPANY_UPDATING),
            watched=("name", "slug"),
            on_pause=CompanyFormState.consider_slug,
        ),
    )


def _line(name: str, **props: Any) -> rx.Component:
    text = texts.FIELDS[name]
    props.setdefault("is_required", name in CompanyDraft.required)
    props.setdefault("hint", text.hint)
    return text_field(CompanyFormState, name, text.label, getattr(CompanyFormState.form, name), **props)


def _lines(name: str, rows: int) -> rx.Component:
    text = texts.FIELDS[name]
    is_required = name in CompanyDraft.required
    value = getattr(CompanyFormState.form, name)
    return long_field(CompanyFormState, name, text.label, value, hint=text.hint, is_required=is_required, rows=rows)


def _slug_line() -> rx.Component:
    """A suggested address arrives as a new start value, so the input is made anew with it."""
    state = CompanyFormState
    value = rx.cond(state.slug_given != "", state.slug_given, state.form.slug)
    return text_field(
        state,
        "slug",
        texts.FIELDS["slug"].label,
        value,
        hint=state.slug_hint,
        is_required=True,
        key=state.slug_given,
        auto_complete="off",
        spell_check=False,
    )


def _groups() -> list[rx.Component]:
    return [
        field_group(
            texts.BASICS,
            _line("name"),
            _slug_line(),
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
            _lines("services", 2),
            _lines("coverage_areas", 2),
            _lines("target_market", 2),
            _lines("key_metrics", 2),
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


def _founder(row: rx.Var[Entry], index: rx.Var[int]) -> rx.Component:
    def name(field: str) -> rx.Var[str]:
        return f"{FOUNDERS}.{row.key}.{field}"

    label = f"{words.FOUNDER} {index + 1}"
    state = CompanyFormState
    return entry(
        label,
        row.key,
        rx.cond(
            state.entries[FOUNDERS].length() > 1,
            remove_button(f"{words.FOUNDER_REMOVE} {index + 1}", state.remove_entry(FOUNDERS, row.key)),
        ),
        text_field(state, name("name"), texts.FOUNDER_FIELDS["name"].label, row.texts["name"]),
        text_field(state, name("title"), texts.FOUNDER_FIELDS["title"].label, row.texts["title"]),
        long_field(state, name("bio"), texts.FOUNDER_FIELDS["bio"].label, row.texts["bio"], rows=3),
    )
