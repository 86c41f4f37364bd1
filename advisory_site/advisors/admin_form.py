"""The advisor form of the back office: every field of an advisor, new or being edited."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx
from sqlmodel import Session

from .. import routes
from ..accounts.guard import staff_event
from ..admin.forms import FormReplies, FormState, Group
from ..admin.shell import form_page
from ..admin.threads import read
from ..content import admin as office_words
from ..content import admin_advisors as words
from ..content import messages
from ..parsing import is_slug, one_line, record_id
from ..permissions import Actor
from ..ui.forms import check_field, field_group, long_field, record_form, text_field
from . import service
from .admin_groups import EXPERIENCE, OFFERS, STATS, groups_of, names
from .rules import AdvisorDraft, AdvisorForm

BACK = routes.admin_tab("advisors")
FIELDS = dict(words.FIELDS)


class AdvisorFormState(FormState, rx.State):
    """One advisor as their form shows them. Which one it is, the address says with every event."""

    form: AdvisorForm = AdvisorForm()
    is_new: bool = True
    slug_hint: str = FIELDS["slug"].hint

    groups: ClassVar[dict[str, Group]] = {
        STATS: Group(names(words.STAT_FIELDS)),
        EXPERIENCE: Group(names(words.POSITION_FIELDS)),
        OFFERS: Group(names(words.OFFER_FIELDS)),
    }

    async def _show(self, actor: Actor) -> None:
        self.is_new = not self._wanted()
        self.slug_hint = FIELDS["slug"].hint
        await super()._show(actor)

    def _replies(self) -> FormReplies:
        saved = messages.ADVISOR_UPDATED if self._wanted() else messages.ADVISOR_CREATED
        failed = messages.ADVISOR_UPDATE_FAILED if self._wanted() else messages.ADVISOR_CREATE_FAILED
        return FormReplies(messages.ADVISOR_FETCH_FAILED, saved, failed, BACK)

    def _read(self, session: Session, actor: Actor) -> AdvisorForm:
        wanted = self._wanted()
        return service.get_for_edit(session, actor, wanted) if wanted else AdvisorForm()

    def _save(self, session: Session, actor: Actor, typed: Mapping[str, Any], overwrite: bool) -> None:
        draft, wanted = AdvisorDraft.read(typed), self._wanted()
        if wanted:
            service.update(session, actor, wanted, draft, record_id(typed.get("version")), overwrite)
        else:
            service.create(session, actor, draft)

    def _wanted(self) -> str:
        """The id in the address; a new advisor's has none."""
        return str(self.router.page.params.get("id", ""))

    @staff_event
    async def consider_slug(self, name: str, typed: dict[str, Any], *, actor: Actor):
        """While typing pauses: say whether the address that was typed is free."""
        slug, problem = one_line(typed.get("slug")), ""
        self.slug_hint = FIELDS["slug"].hint
        if slug and not is_slug(slug):
            problem = messages.SLUG_INVALID
        elif slug:
            wanted = self._wanted()
            is_free = await read(lambda session: service.is_slug_free(session, actor, slug, wanted))
            self.slug_hint = office_words.SLUG_FREE if is_free else self.slug_hint
            problem = "" if is_free else messages.SLUG_TAKEN
        others = {field: sentence for field, sentence in self.errors.items() if field != "slug"}
        self.errors = others | ({"slug": problem} if problem else {})


def advisor_form_page() -> rx.Component:
    """`/admin/advisors/new` and `/admin/advisors/{id}/edit`."""
    state = AdvisorFormState
    return form_page(
        state,
        rx.cond(state.is_new, words.ADD, words.EDIT_TITLE),
        BACK,
        words.BACK,
        record_form(
            state,
            "advisor-form",
            rx.el.input(type="hidden", name="version", default_value=state.form.version.to_string()),
            *_fields(),
            *groups_of(state),
            cancel=BACK,
            submit_label=rx.cond(state.is_new, words.CREATE, words.UPDATE),
            busy_label=rx.cond(state.is_new, words.CREATING, words.UPDATING),
            watched=("slug",),
            on_pause=state.consider_slug,
        ),
    )


def _line(name: str, **props: Any) -> rx.Component:
    text, value = FIELDS[name], props.pop("value", getattr(AdvisorFormState.form, name))
    props.setdefault("hint", text.hint)
    return text_field(AdvisorFormState, name, text.label, value, is_required=name in AdvisorDraft.required, **props)


def _lines(name: str, rows: int) -> rx.Component:
    text, value = FIELDS[name], getattr(AdvisorFormState.form, name)
    is_required = name in AdvisorDraft.required
    return long_field(AdvisorFormState, name, text.label, value, hint=text.hint, is_required=is_required, rows=rows)


def _fields() -> list[rx.Component]:
    active = FIELDS["is_active"]
    return [
        field_group(
            words.BASICS,
            _line("name", auto_complete="off"),
            _line("slug", hint=AdvisorFormState.slug_hint, auto_complete="off", spell_check=False),
            _line("title"),
            _line("company"),
            _line("location"),
            _line("availability"),
            _line("tagline"),
        ),
        field_group(words.STORY, _lines("bio", 3), _lines("detailed_bio", 8), _lines("expertise", 2)),
        field_group(
            words.REACH,
            _line("image_url"),
            _line("cover_image_url"),
            _line("email", type_="email", auto_complete="off"),
            _line("linkedin_url", type_="url"),
        ),
        field_group(
            words.PLACE,
            _line("display_order", value=AdvisorFormState.form.display_order.to_string(), input_mode="numeric"),
            check_field("is_active", active.label, AdvisorFormState.form.is_active, hint=active.hint),
        ),
    ]
