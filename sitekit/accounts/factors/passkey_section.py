"""The parts of `/admin/two-step` that add a passkey and rename a factor."""

import reflex as rx

from ...admin.components import controls
from ...admin.components.forms import field_group, text_field
from ...admin.components.passkey_button import passkey_button, with_passkeys
from ...admin.components.record_form import backoffice_form
from ...records.form_texts import Section
from ...ui.browser import MoveFocus
from ...ui.feedback import subject_of
from ...ui.notices import notice_place
from ..people import texts
from ..people.short_form import form_buttons, short_form
from . import texts as factor_texts
from .passkey_setup import AddPasskeyState, RenameFactorState

RENAME_FORM, READY = "rename-factor-form", "new-passkey"


def add_passkey() -> rx.Component:
    """The form that names a new passkey, and then the button that creates it."""
    state = AddPasskeyState
    return rx.fragment(
        MoveFocus.create(to=f"#{READY}", when=state.times_shown),
        rx.cond(
            state.is_available,
            with_passkeys(
                rx.el.div(rx.cond(state.name != "", _ready(), _form())),
                _unavailable(factor_texts.PASSKEY_WORDS["unavailable"]),
            ),
            _unavailable(factor_texts.PASSKEY_UNAVAILABLE),
        ),
    )


def rename_form() -> rx.Component:
    """The form that renames one factor."""
    state = RenameFactorState
    name = text_field("name", factor_texts.NAME, state.name, is_required=True)
    buttons = form_buttons(state, factor_texts.RENAME, factor_texts.RENAMING)
    return backoffice_form(state, RENAME_FORM, field_group(factor_texts.RENAME_GROUP, name, buttons))


def _form() -> rx.Component:
    state = AddPasskeyState
    name = text_field("name", factor_texts.NAME, state.suggested, hint=factor_texts.NAME_HINT, is_required=True)
    return short_form(state, "add-passkey-form", factor_texts.PASSKEY, factor_texts.PASSKEY_CONTINUE, name)


def _ready() -> rx.Component:
    state = AddPasskeyState
    return _section(
        factor_texts.PASSKEY_READY,
        rx.el.p(state.name, class_name="cell-title", id=READY, tab_index=-1),
        rx.el.div(
            controls.button(texts.CANCEL, on_click=state.cancel, variant="outline"),
            passkey_button(
                offer=state.offer,
                answers=state.answers,
                words=dict(factor_texts.PASSKEY_WORDS),
                creates=True,
                variant="solid",
                on_begin=state.begin,
                on_response=state.finish,
            ),
            class_name="form-buttons",
        ),
        notice_place(subject=subject_of(state)),
    )


def _unavailable(why: str) -> rx.Component:
    return _section(factor_texts.PASSKEY, rx.el.p(why))


def _section(text: Section, *content: rx.Component) -> rx.Component:
    return rx.el.div(
        field_group(text, rx.el.div(*content, class_name="field-wide entries")), class_name="backoffice-form"
    )
