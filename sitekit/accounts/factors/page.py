"""`/admin/two-step`: the user's second factors and recovery codes, and their summary on the profile page."""

import reflex as rx

from ...admin.components import controls
from ...admin.components.browser import copy_button, keep_text
from ...admin.components.confirm import confirm_button, question
from ...admin.components.elements import heading
from ...admin.components.forms import field_group, text_field
from ...admin.components.record_form import backoffice_form
from ...admin.shell import back_link, side_page
from ...base import paths
from ...base.site import get_site
from ...ui.browser import MoveFocus
from ...ui.feedback import subject_of
from ...ui.local_time import local_time
from ...ui.notices import notice_place
from ..people.short_form import form_buttons, short_form
from ..sessions.session_state import AuthState
from . import texts
from .factors import Factor
from .passkey_section import RENAME_FORM, add_passkey, rename_form
from .passkey_setup import RenameFactorState
from .recovery_codes_state import RecoveryCodesState
from .state import AddAppState, ConfirmAppState, TwoStepState

BRAND = get_site().brand

CODES, SETUP_FORM = "recovery-codes", "confirm-app-form"


def two_step_page() -> rx.Component:
    """The page: what there is, how to add an app, and recovery codes."""
    has_factor = rx.Var.create(TwoStepState.factors).length() > 0
    return side_page(
        texts.TITLE,
        rx.cond(AuthState.must_add_factor, _must_note()),
        MoveFocus.create(to=f"#{CODES} h2", when=RecoveryCodesState.times_shown),
        MoveFocus.create(to=f"#{SETUP_FORM} input", when=ConfirmAppState.times_shown),
        MoveFocus.create(to=f"#{RENAME_FORM} [name=name]", when=RenameFactorState.times_asked),
        rx.cond(rx.Var.create(RecoveryCodesState.codes).length() > 0, _codes()),
        rx.el.div(field_group(texts.FACTORS, _factors()), class_name="backoffice-form"),
        rx.cond(RenameFactorState.factor > 0, rename_form()),
        add_passkey(),
        rx.cond(ConfirmAppState.secret != "", _setup(), _add_app()),
        rx.cond(has_factor, _new_codes()),
        back=back_link(texts.BACK, paths.ADMIN_PROFILE, at=paths.ADMIN_TWO_STEP),
    )


def two_step_summary() -> rx.Component:
    """Whether the user has a second factor, and the link to the page."""
    count = rx.Var.create(TwoStepState.factors).length()
    status = rx.cond(
        TwoStepState.has_failed,
        rx.fragment(),
        rx.cond(count > 0, rx.el.p(texts.ON, ": ", rx.foreach(TwoStepState.factors, _name)), rx.el.p(texts.OFF)),
    )
    return rx.el.div(
        field_group(
            texts.SUMMARY,
            rx.el.div(
                rx.cond(TwoStepState.is_loading, controls.bone(height="1.5rem"), status),
                rx.el.div(
                    controls.button_link(texts.MANAGE, href=paths.ADMIN_TWO_STEP, variant="outline"),
                    class_name="form-buttons",
                ),
                class_name="field-wide entries",
            ),
        ),
        class_name="backoffice-form",
    )


def _name(row: Factor, index: int) -> rx.Component:
    return rx.fragment(rx.cond(index > 0, ", ", ""), row.name)


def _must_note() -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(texts.MUST_TITLE), rx.el.br(), texts.MUST_TEXT), class_name="backoffice-note", role="status"
    )


def _factors() -> rx.Component:
    sections = rx.cond(
        rx.Var.create(TwoStepState.factors).length() > 0,
        rx.el.ul(rx.foreach(TwoStepState.factors, _factor), class_name="devices"),
        rx.el.p(texts.FACTORS_NONE),
    )
    return rx.el.div(
        rx.cond(
            TwoStepState.is_loading,
            controls.bone(height="4rem"),
            rx.cond(TwoStepState.has_failed, rx.fragment(), sections),
        ),
        # Together, because each would be a row of the grid.
        rx.el.div(
            *(notice_place(subject=subject_of(state)) for state in (TwoStepState, ConfirmAppState, RenameFactorState))
        ),
        class_name="field-wide entries",
    )


def _factor(row: Factor) -> rx.Component:
    added = local_time(at=row.added, is_short=True)
    used = rx.cond(row.used != "", rx.fragment(texts.LAST_USED, " ", local_time(at=row.used)), texts.NEVER_USED)
    return rx.el.li(
        rx.el.div(
            rx.el.p(row.name, class_name="cell-title"),
            rx.el.p(
                rx.match(row.kind, *texts.KINDS.items(), ""),
                ". ",
                texts.ADDED,
                " ",
                added,
                ", ",
                used,
                class_name="cell-note",
            ),
            rx.cond(row.is_readable, rx.fragment(), rx.el.p(texts.UNREADABLE, class_name="backoffice-error")),
        ),
        rx.el.div(
            controls.button(
                texts.RENAME,
                _about(row),
                on_click=RenameFactorState.ask(row.id),
                type_="button",
                variant="outline",
                size="sm",
            ),
            confirm_button(
                texts.REMOVE,
                _about(row),
                ask=question(texts.REMOVE_CONFIRM, texts.REMOVE, is_danger=True, name=row.name),
                on_confirm=TwoStepState.remove(row.id),
                variant="outline",
            ),
            class_name="form-buttons",
        ),
        key=row.id,
    )


def _about(row: Factor) -> rx.Component:
    return rx.el.span(" ", row.name, class_name="visually-hidden")


def _add_app() -> rx.Component:
    return short_form(
        AddAppState,
        "add-app-form",
        texts.APP,
        texts.APP_CONTINUE,
        text_field("name", texts.NAME, texts.NAME_DEFAULT, hint=texts.NAME_HINT, is_required=True),
    )


def _setup() -> rx.Component:
    """The QR code and the secret, and the form for the first code."""
    state = ConfirmAppState
    drawn = rx.el.svg(
        rx.el.rect(width="100%", height="100%", custom_attrs={"fill": "#fff"}),
        rx.el.path(d=state.qr_path, custom_attrs={"fill": "#000"}),
        view_box=f"0 0 {state.qr_size} {state.qr_size}",
        role="img",
        aria_label=texts.QR_LABEL,
        class_name="qr-code",
        custom_attrs={"shapeRendering": "crispEdges"},
    )
    typed = rx.el.div(
        rx.el.p(texts.SECRET, class_name="backoffice-muted"),
        rx.el.code(state.secret, class_name="secret-text"),
        copy_button(text=state.secret, label=texts.COPY, about=texts.SECRET, copied=texts.COPIED),
        rx.el.a(texts.OPEN_APP, href=state.address),
        class_name="entries",
    )
    code = text_field(
        "code",
        texts.CODE,
        "",
        is_required=True,
        auto_complete="one-time-code",
        input_mode="numeric",
        auto_capitalize="none",
    )
    return backoffice_form(
        state,
        SETUP_FORM,
        field_group(
            texts.SETUP,
            rx.el.div(drawn, typed, class_name="field-wide app-setup"),
            code,
            form_buttons(state, texts.CONFIRM, texts.WAIT),
        ),
    )


def _codes() -> rx.Component:
    """New recovery codes, shown once."""
    codes = rx.Var.create(RecoveryCodesState.codes)
    text = texts.CODES_HEAD.format(firm=BRAND.name) + "\n\n" + codes.join("\n") + "\n"
    return rx.el.section(
        heading(texts.CODES_TITLE, level="h2", size="sm", custom_attrs={"tabIndex": -1}),
        # On a phone the reply would cover the buttons.
        notice_place(),
        rx.el.p(texts.CODES_TEXT),
        rx.el.ol(rx.foreach(codes, lambda code: rx.el.li(rx.el.code(code)))),
        rx.el.div(
            keep_text(
                text=text,
                file_name=texts.CODES_FILE,
                print_label=texts.PRINT,
                download_label=texts.DOWNLOAD,
            ),
            copy_button(text=text, label=texts.COPY, about=texts.CODES_TITLE, copied=texts.COPIED),
            controls.button(texts.CODES_KEPT, on_click=RecoveryCodesState.hide, size="sm"),
            class_name="form-buttons",
        ),
        id=CODES,
        class_name="backoffice-note recovery-codes",
    )


def _new_codes() -> rx.Component:
    make = confirm_button(
        texts.NEW_CODES,
        ask=question(texts.NEW_CODES_CONFIRM, texts.NEW_CODES),
        on_confirm=TwoStepState.make_codes,
        variant="outline",
    )
    return rx.el.div(
        field_group(
            texts.RECOVERY,
            rx.el.div(
                rx.el.p(rx.el.b(TwoStepState.codes_left), f" {texts.CODES_LEFT}"),
                rx.el.div(make, class_name="form-buttons"),
                class_name="field-wide entries",
            ),
        ),
        class_name="backoffice-form",
    )
