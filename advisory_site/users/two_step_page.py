"""`/admin/two-step`: the user's second factors and recovery codes, and their summary on the profile page."""

import reflex as rx

from ..accounts.recovery_codes_state import RecoveryCodesState
from ..accounts.session_state import AuthState
from ..backoffice.shell import side_page
from ..content.firm import FIRM
from ..core import routes
from ..ui.backoffice.chakra import button_link, rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.copy_button import copy_button
from ..ui.backoffice.forms import field_group, text_field
from ..ui.backoffice.keep_text import keep_text
from ..ui.backoffice.record_form import backoffice_form
from ..ui.browser import MoveFocus
from ..ui.feedback import subject_of
from ..ui.local_time import local_time
from ..ui.notices import notice_place
from . import two_step_texts as words
from .passkey_section import RENAME_FORM, add_passkey, rename_form
from .passkey_state import RenameFactorState
from .short_form import form_buttons, short_form
from .two_step_state import AddAppState, ConfirmAppState, FactorRow, TwoStepState

CODES, SETUP_FORM = "recovery-codes", "confirm-app-form"


def two_step_page() -> rx.Component:
    """The page: what there is, how to add an app, and recovery codes."""
    has_factor = rx.Var.create(TwoStepState.factors).length() > 0
    return side_page(
        words.TITLE,
        routes.ADMIN_PROFILE,
        words.BACK,
        rx.cond(AuthState.must_add_factor, _must_note()),
        MoveFocus.create(to=f"#{CODES} h2", when=RecoveryCodesState.times_shown),
        MoveFocus.create(to=f"#{SETUP_FORM} input", when=ConfirmAppState.times_shown),
        MoveFocus.create(to=f"#{RENAME_FORM} [name=name]", when=RenameFactorState.times_asked),
        rx.cond(rx.Var.create(RecoveryCodesState.codes).length() > 0, _codes()),
        rx.el.div(field_group(words.FACTORS, _factors()), class_name="backoffice-form"),
        rx.cond(RenameFactorState.factor > 0, rename_form()),
        add_passkey(),
        rx.cond(ConfirmAppState.secret != "", _setup(), _add_app()),
        rx.cond(has_factor, _new_codes()),
    )


def two_step_summary() -> rx.Component:
    """Whether the user has a second factor, and the link to the page."""
    count = rx.Var.create(TwoStepState.factors).length()
    status = rx.cond(
        TwoStepState.has_failed,
        rx.fragment(),
        rx.cond(count > 0, rx.el.p(words.ON, ": ", rx.foreach(TwoStepState.factors, _name)), rx.el.p(words.OFF)),
    )
    return rx.el.div(
        field_group(
            words.SUMMARY,
            rx.el.div(
                rx.cond(TwoStepState.is_loading, rc.skeleton(height="1.5rem"), status),
                rx.el.div(button_link(words.MANAGE, href=routes.ADMIN_TWO_STEP, variant="outline")),
                class_name="field-wide entries",
            ),
        ),
        class_name="backoffice-form",
    )


def _name(row: FactorRow, place: int) -> rx.Component:
    return rx.fragment(rx.cond(place > 0, ", ", ""), row.name)


def _must_note() -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(words.MUST_TITLE), rx.el.br(), words.MUST_TEXT), class_name="backoffice-note", role="status"
    )


def _factors() -> rx.Component:
    shown = rx.cond(
        rx.Var.create(TwoStepState.factors).length() > 0,
        rx.el.ul(rx.foreach(TwoStepState.factors, _factor), class_name="devices"),
        rx.el.p(words.FACTORS_NONE),
    )
    return rx.el.div(
        rx.cond(
            TwoStepState.is_loading,
            rc.skeleton(height="4rem"),
            rx.cond(TwoStepState.has_failed, rx.fragment(), shown),
        ),
        # Together, because each would be a row of the grid.
        rx.el.div(
            *(notice_place(subject=subject_of(one)) for one in (TwoStepState, ConfirmAppState, RenameFactorState))
        ),
        class_name="field-wide entries",
    )


def _factor(row: FactorRow) -> rx.Component:
    added = local_time(at=row.added, is_short=True)
    used = rx.cond(row.used != "", rx.fragment(words.LAST_USED, " ", local_time(at=row.used)), words.NEVER_USED)
    return rx.el.li(
        rx.el.div(
            rx.el.p(row.name, class_name="cell-title"),
            rx.el.p(
                rx.match(row.kind, *words.KINDS.items(), ""),
                ". ",
                words.ADDED,
                " ",
                added,
                ", ",
                used,
                class_name="cell-note",
            ),
            rx.cond(row.is_readable, rx.fragment(), rx.el.p(words.UNREADABLE, class_name="backoffice-error")),
        ),
        rx.el.div(
            rc.button(
                words.RENAME,
                _about(row),
                on_click=RenameFactorState.ask(row.id),
                type_="button",
                variant="outline",
                size="sm",
            ),
            confirm_button(
                words.REMOVE,
                _about(row),
                sentence=words.REMOVE_CONFIRM,
                on_confirm=TwoStepState.remove(row.id),
                variant="outline",
            ),
            class_name="form-buttons",
        ),
        key=row.id,
    )


def _about(row: FactorRow) -> rx.Component:
    return rx.el.span(" ", row.name, class_name="visually-hidden")


def _add_app() -> rx.Component:
    return short_form(
        AddAppState,
        "add-app-form",
        words.APP,
        words.CONTINUE,
        text_field("name", words.NAME, words.NAME_DEFAULT, hint=words.NAME_HINT, is_required=True),
    )


def _setup() -> rx.Component:
    """The QR code and the secret, and the form for the first code."""
    state = ConfirmAppState
    drawn = rx.el.svg(
        rx.el.rect(width="100%", height="100%", fill="#fff"),
        rx.el.path(d=state.qr_path, fill="#000"),
        view_box=f"0 0 {state.qr_size} {state.qr_size}",
        role="img",
        aria_label=words.QR_LABEL,
        class_name="qr-code",
        custom_attrs={"shapeRendering": "crispEdges"},
    )
    typed = rx.el.div(
        rx.el.p(words.SECRET, class_name="backoffice-muted"),
        rx.el.code(state.secret, class_name="secret-text"),
        copy_button(text=state.secret, label=words.COPY, about=words.SECRET, copied=words.COPIED),
        rx.el.a(words.OPEN_APP, href=state.address),
        class_name="entries",
    )
    code = text_field(
        "code",
        words.CODE,
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
            words.SETUP,
            rx.el.div(drawn, typed, class_name="field-wide app-setup"),
            code,
            form_buttons(state, words.CONFIRM, words.WAIT),
        ),
    )


def _codes() -> rx.Component:
    """New recovery codes, shown once."""
    codes = rx.Var.create(RecoveryCodesState.codes)
    text = words.CODES_HEAD.format(firm=FIRM.name) + "\n\n" + codes.join("\n") + "\n"
    return rx.el.section(
        rc.heading(words.CODES_TITLE, as_="h2", size="sm", custom_attrs={"tabIndex": -1}),
        rx.el.p(words.CODES_TEXT),
        rx.el.ol(rx.foreach(codes, lambda code: rx.el.li(rx.el.code(code)))),
        rx.el.div(
            keep_text(
                text=text,
                file_name=words.CODES_FILE,
                print_label=words.PRINT,
                download_label=words.DOWNLOAD,
            ),
            copy_button(text=text, label=words.COPY, about=words.CODES_TITLE, copied=words.COPIED),
            rc.button(words.CODES_KEPT, on_click=RecoveryCodesState.hide, type_="button", size="sm"),
            class_name="form-buttons",
        ),
        id=CODES,
        class_name="backoffice-note recovery-codes",
    )


def _new_codes() -> rx.Component:
    make = confirm_button(
        words.NEW_CODES,
        sentence=words.NEW_CODES_CONFIRM,
        on_confirm=TwoStepState.make_codes,
        variant="outline",
    )
    return rx.el.div(
        field_group(
            words.RECOVERY,
            rx.el.div(
                rx.el.p(rx.el.b(TwoStepState.codes_left), f" {words.CODES_LEFT}"),
                rx.el.div(make),
                class_name="field-wide entries",
            ),
        ),
        class_name="backoffice-form",
    )
