"""The form of a record: fields, drafts, errors, conflicts and buttons."""

from typing import Any

import reflex as rx

from ...base import messages, paths
from ...base.site import get_site
from ...records import draft_texts
from ...records.draft_times import HIDE_AT, PUBLISH_AT
from ...records.drafts import ID, VERSION
from ...records.form_texts import ON_THE_SITE
from ...ui.copy import NEW_TAB_NOTE
from ...ui.feedback import NoticeState, subject_of
from ...ui.icons import icon
from ...ui.local_time import local_time
from ...ui.marks import form_marks, mark_summary
from ...ui.notices import notice_place
from ...ui.scripts import script
from .. import texts
from ..current_user import changeable_form
from ..form_state import FormState
from . import controls
from .confirm import AskAgain, question
from .dialog import address_button
from .elements import heading, link
from .forms import text_field
from .menus import action_menu, menu_item, menu_link
from .submit import WhenFilled, purpose_button, submit_button
from .unsaved import DRAFT, PREVIEW, PUBLISH, STAY, unsaved_changes


class Renewed(rx.Component):
    """Remounts its children each time the counter `times` increases."""

    library, tag = script("renewed.jsx", "Renewed")
    times: rx.Var[int]


def record_form(
    state: type[FormState],
    form_id: str,
    *fields: rx.Component,
    submit_label: Any,
    busy_label: Any,
    rail: tuple[rx.Component, ...] = (),
    watched: tuple[str, ...] = (),
    stays: bool = False,
) -> rx.Component:
    """The whole form: fields, protection of unsaved changes, errors, and the buttons. With `stays` saving stays in it.

    The fields of the `rail` are beside the others on wide screens, with the link to the record's page; below the
    others on narrow ones. A `watched` field is checked when typing pauses.
    """
    ask = question(state.conflict.question, state.conflict.yes)
    labels = {"filled_label": draft_texts.SCHEDULE, "filled_busy_label": draft_texts.SCHEDULING}
    form = backoffice_form(
        state,
        form_id,
        unsaved_changes(state, form_id, destination=state.destination, is_staying=state.is_staying),
        hidden_number("record", state.form.id),
        hidden_number("version", state.form.version),
        *(rx.el.input(type="hidden", name=name, default_value=state.form.texts[name]) for name in (ID, VERSION)),
        rx.el.input(type="hidden", name="then"),
        rx.cond(state.restoring.number > 0, _restoring(state)),
        rx.cond(state.stored_draft.id > 0, _draft(state)),
        AskAgain.create(question=ask, times=state.times_refused, then=state.conflict.then),
        rx.el.div(
            rx.el.div(_view_link(state, "form-view-above"), *fields, class_name="form-main"),
            _rail(state, rail),
            class_name="form-columns",
        ),
        # Where the foot has no room for it, this is above it.
        rx.el.div(_last_save(state), class_name="form-end"),
        form_foot(
            state,
            controls.button_link(texts.CANCEL, href=state.back, variant="outline"),
            WhenFilled.create(
                purpose_button(draft_texts.SAVE_DRAFT, purpose=DRAFT),
                *([] if stays else [purpose_button(texts.SAVE_AND_CONTINUE, purpose=STAY)]),
                form=form_id,
                name=PUBLISH_AT,
                filled=purpose_button(draft_texts.PUBLISH_NOW, purpose=PUBLISH),
            ),
            submit_button(state, submit_label, busy_label, filled=PUBLISH_AT, **labels),
            _more_buttons(state, form_id, stays),
            about=_last_save(state),
            conflict=conflict_note(state),
        ),
        watched=watched,
        sends=("record", *watched, *state.record_type.compared_inputs),
        # The page address of a copy follows its name, until it is edited.
        proposed=rx.cond((state.form.id == 0) & ~state.is_restored, state.form.texts, {}),
        saves=state.saves,
    )
    return changeable_form(state.record_type.change_action, form)


def backoffice_form(
    state: Any,
    form_id: str,
    *content: rx.Component,
    watched: tuple[str, ...] = (),
    sends: tuple[str, ...] = (),
    proposed: Any = None,
    saves: Any = 0,
) -> rx.Component:
    """A form that marks invalid fields, and is remounted when the `revision` of its state increases.

    The check of a field also gets the values of the fields in `sends`. `proposed` is that of `FormMarks`.
    `saves` counts what was saved from the form as it stands.
    """
    form = form_marks(
        rx.el.form(
            *content, id=form_id, on_submit=state.save, no_validate=True, method="post", class_name="backoffice-form"
        ),
        drawn=state.errors,
        errors=state.errors,
        times_refused=state.times_refused,
        saves=saves,
        checks=state.checks,
        watched=list(watched),
        sends=list(sends),
        proposed={} if proposed is None else proposed,
        on_check=state.check.temporal,
        on_right=NoticeState.withdraw(subject_of(state)),
    )
    return Renewed.create(form, times=state.revision)


def hidden_number(name: str, number: Any) -> rx.Component:
    """A number that is sent with the form."""
    return rx.el.input(type="hidden", name=name, default_value=rx.Var.create(number).to_string())


def _rail(state: type[FormState], fields: tuple[rx.Component, ...]) -> rx.Component:
    parts = rx.el.div(
        heading(ON_THE_SITE, level="h2", size="sm"),
        _view_link(state, "form-view-beside"),
        purpose_button(draft_texts.PREVIEW, purpose=PREVIEW, size="sm"),
        rx.el.div(*fields, class_name="field-grid"),
        _schedule(state),
    )
    return rx.el.aside(parts, aria_label=ON_THE_SITE, class_name="form-rail")


def _schedule(state: type[FormState]) -> rx.Component:
    """The times at which what is typed is published, and hidden again."""
    zone = draft_texts.IN_ZONE.format(zone=get_site().zone_name)
    times = ((PUBLISH_AT, draft_texts.PUBLISH_AT), (HIDE_AT, draft_texts.HIDE_AT))
    chosen = rx.Var.create(state.form.texts)
    is_open = (chosen[PUBLISH_AT] != "") | (chosen[HIDE_AT] != "")
    return rx.el.details(
        rx.el.summary(draft_texts.SCHEDULE),
        rx.el.div(
            *(text_field(name, label, chosen[name], hint=zone, type_="datetime-local") for name, label in times),
            class_name="field-grid",
        ),
        open=is_open,
        class_name="form-schedule",
    )


def _draft(state: type[FormState]) -> rx.Component:
    """The note that there is a draft: whose, what is to happen with it, what can be done, and whether it is shown."""
    draft, record_type = state.stored_draft, state.record_type
    is_public = state.saved.page != ""
    compared = f"{paths.history_page(record_type.table_name, state.form.id)}?{DRAFT}=1"
    who = rx.fragment(
        f"{draft_texts.BY} ",
        rx.cond(draft.is_own, draft_texts.YOU, draft.by_name),
        ", ",
        local_time(at=draft.at, is_age=True),
        ". ",
        rx.cond(
            is_public,
            rx.fragment(f"{draft_texts.SITE_SHOWS} ", local_time(at=state.saved.at, is_short=True), "."),
            draft_texts.NOT_ON_SITE,
        ),
    )
    discard = controls.button(draft_texts.DISCARD, variant="outline", size="sm", on_click=state.discard_draft)
    return rx.el.div(
        rx.el.p(
            rx.el.span(draft.label, class_name=rx.cond(draft.is_blocked, "draft-mark is-blocked", "draft-mark")),
            " ",
            rx.cond(draft.is_beside, _has_draft(draft.by_name, draft.at), rx.cond(draft.is_pending, who)),
            rx.cond(draft.problem != "", f" {draft.problem}", ""),
        ),
        rx.el.div(
            rx.cond((state.form.id > 0) & draft.is_pending, link(draft_texts.COMPARE, href=compared)),
            rx.cond(
                draft.is_beside,
                address_button(draft_texts.GO_ON, change={DRAFT: draft.id}, variant="outline", size="sm"),
                rx.fragment(purpose_button(draft_texts.PREVIEW, purpose=PREVIEW, size="sm"), discard),
            ),
            class_name="form-buttons",
        ),
        class_name="backoffice-note form-draft",
        role="status",
    )


def _has_draft(name: Any, at: Any) -> rx.Component:
    return rx.fragment(f"{name} {draft_texts.HAS_DRAFT} ", local_time(at=at, is_age=True), ".")


def _view_link(state: type[FormState], class_name: str) -> rx.Component:
    """The link to the record's page, while it has one. It has two places, each for some widths of the screen."""
    return rx.cond(
        state.saved.page != "",
        rx.el.a(
            texts.VIEW_ON_SITE,
            rx.el.span(f" ({NEW_TAB_NOTE})", class_name="visually-hidden"),
            icon("external", class_name="icon-small"),
            href=state.saved.page,
            target="_blank",
            rel="noopener",
            class_name=f"form-view {class_name}",
        ),
    )


def _restoring(state: type[FormState]) -> rx.Component:
    """The note that the values are those of an older version, and a button to show the stored ones."""
    revision = state.restoring
    return rx.el.div(
        rx.el.p(
            f"{texts.RESTORING_VERSION} {revision.number}, {texts.RESTORING_OF} ",
            local_time(at=revision.at),
            rx.cond(revision.name != "", f", {texts.RESTORING_BY} {revision.name}", ""),
            ". ",
            texts.RESTORING_UNSAVED,
        ),
        controls.button(texts.SHOW_STORED, variant="outline", size="sm", on_click=state.discard),
        class_name="backoffice-note form-restoring",
        role="status",
    )


def _last_save(state: type[FormState]) -> rx.Component:
    """Who saved the record last and when, and the link to its history."""
    saved = state.saved
    who = rx.cond(saved.name != "", f"{texts.LAST_SAVED_BY} {saved.name}", texts.LAST_SAVED)
    return rx.cond(
        saved.at != "",
        rx.el.div(
            rx.el.p(rx.cond(saved.is_command, texts.LAST_SAVED_BY_SYSTEM, who), ", ", local_time(at=saved.at)),
            link(texts.HISTORY, href=state.history_path, class_name="form-history"),
            class_name="form-saved",
        ),
    )


def _more_buttons(state: type[FormState], form_id: str, stays: bool) -> rx.Component:
    """The menu that has the other buttons on a phone. It is inside the form, which submits when one is pressed."""
    label = rx.el.span(texts.MORE_BUTTONS, class_name="visually-hidden")
    return rx.el.div(
        action_menu(
            rx.fragment(icon("dots"), label),
            WhenFilled.create(
                menu_item(draft_texts.SAVE_DRAFT, custom_attrs={"data-then": DRAFT}),
                *([] if stays else [menu_item(texts.SAVE_AND_CONTINUE, custom_attrs={"data-then": STAY})]),
                form=form_id,
                name=PUBLISH_AT,
                filled=menu_item(draft_texts.PUBLISH_NOW, custom_attrs={"data-then": PUBLISH}),
            ),
            menu_item(draft_texts.PREVIEW, custom_attrs={"data-then": PREVIEW}),
            menu_link(texts.CANCEL, href=state.back),
            class_name="form-more",
            placement="top-end",
        )
    )


def form_foot(
    state: Any, *buttons: rx.Component, about: rx.Component | None = None, conflict: rx.Component | None = None
) -> rx.Component:
    """The foot of a form, which stays in view: one line, and the buttons at the end.

    The line has the fields to correct, or else a notice about the form, or else what is said `about` the record.
    """
    line = rx.el.div(
        notice_place(subject=subject_of(state), holds_success=True),
        mark_summary(),
        about or rx.fragment(),
        class_name="form-line",
    )
    bar = rx.el.div(line, rx.el.div(*buttons, class_name="form-buttons"), class_name="form-bar")
    return rx.el.div(conflict or rx.fragment(), bar, class_name="form-foot")


def conflict_note(state: Any) -> rx.Component:
    """Shown if another user saved first: who and when, and buttons to view that version or overwrite it."""
    clash, (saved, after) = state.conflict, messages.SAVED_BY_SOMEBODY_ELSE
    who_and_when = rx.cond(
        clash.draft > 0,
        rx.fragment(_has_draft(clash.name, clash.at), " ", draft_texts.SEE_OR_REPLACE),
        rx.fragment(clash.name, f" {saved} ", local_time(at=clash.at), after),
    )
    note = rx.el.div(
        rx.el.p(rx.cond(clash.at != "", who_and_when, clash.text)),
        rx.el.div(
            address_button(
                texts.LOOK,
                change={DRAFT: rx.cond(clash.draft > 0, clash.draft, "")},
                variant="outline",
                custom_attrs={"target": "_blank", "rel": "noopener"},
            ),
            # Not a submit button, because Enter would press the first one of the form.
            controls.button(texts.OVERWRITE, variant="outline", custom_attrs={"data-then": clash.then}),
            class_name="form-buttons",
        ),
        class_name="backoffice-note backoffice-note-danger",
        role="alert",
    )
    return rx.cond(clash.text != "", note)
