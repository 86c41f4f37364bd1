"""`/admin/settings`: the theme of this browser, and the user's sessions."""

import reflex as rx

from ...admin.components import controls
from ...admin.components.browser import single_keys, theme_choice
from ...admin.components.confirm import confirm_button, question
from ...admin.components.elements import badge
from ...admin.components.forms import field_group
from ...admin.db_calls import read, write
from ...admin.guard import staff_event
from ...admin.shell import side_page
from ...base import messages
from ...base.identity import Identity
from ...base.permissions import Actor
from ...base.text import one_line
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import error_notice, subject_of, success_notice
from ...ui.local_time import local_time
from ..people import texts
from . import sessions
from .session_state import AuthState
from .sessions import Device


class DeviceState(rx.State):
    """The user's active sessions."""

    devices: list[Device] = []
    has_failed: bool = False
    is_loading: bool = True

    @staff_event(failed=lambda self, error, _subject: self._show_load_error(error), says_outage=True)
    async def load(self, *, identity: Identity) -> None:
        """Read the user's active sessions. This is the page's `on_load`."""
        self.devices = await read(lambda session: sessions.list_devices(session, identity.user.id, identity.session_id))
        self.has_failed, self.is_loading = False, False

    def _show_load_error(self, error: Exception) -> ChainedEvent:
        self.devices, self.has_failed, self.is_loading = [], True, False
        return error_notice(error, texts.SESSIONS_FAILED, subject_of(self))

    @staff_event(failed=messages.SIGN_OUT_FAILED, row="session_id", says_outage=True)
    async def sign_out(self, session_id: str, *, actor: Actor) -> EventReply:
        """End one of the user's own sessions."""
        session_id = one_line(session_id)
        await write(lambda session: sessions.end_one(session, actor.user_id, session_id))
        return [success_notice(messages.DEVICE_SIGNED_OUT, subject_of(self, session_id)), DeviceState.load]


def settings_page() -> rx.Component:
    """The settings page: theme, keyboard and active sessions."""
    return side_page(
        texts.SETTINGS_TITLE,
        rx.el.div(
            field_group(texts.THEME, theme_choice(dict(texts.THEMES), texts.THEME.title)),
            field_group(texts.KEYBOARD, single_keys(label=texts.SINGLE_KEYS)),
            field_group(texts.SESSIONS, _devices()),
            class_name="backoffice-form",
        ),
    )


def _devices() -> rx.Component:
    everywhere = confirm_button(
        texts.SIGN_OUT_EVERYWHERE,
        ask=question(texts.SIGN_OUT_EVERYWHERE_CONFIRM, texts.SIGN_OUT_EVERYWHERE),
        on_confirm=AuthState.sign_out_everywhere,
        variant="outline",
    )
    return rx.el.div(
        rx.cond(
            DeviceState.is_loading,
            controls.bone(height="4rem"),
            rx.cond(
                DeviceState.has_failed,
                rx.fragment(),
                rx.el.ul(rx.foreach(DeviceState.devices, _device), class_name="devices"),
            ),
        ),
        rx.el.div(everywhere, class_name="form-buttons"),
        class_name="field-wide entries",
    )


def device_facts(row: Device) -> rx.Component:
    """What a device is called, and when it was used."""
    begun, used = local_time(at=row.begun, is_short=True), local_time(at=row.used)
    times = rx.el.p(texts.SINCE, " ", begun, ", ", texts.LAST_USED, " ", used, class_name="cell-note")
    return rx.el.div(rx.el.p(row.name, class_name="cell-title"), times)


def _device(row: Device) -> rx.Component:
    return rx.el.li(
        device_facts(row),
        rx.cond(
            row.is_this,
            badge(texts.THIS_DEVICE, variant="solid"),
            confirm_button(
                texts.SIGN_OUT_DEVICE,
                ask=question(texts.SIGN_OUT_DEVICE_CONFIRM, texts.SIGN_OUT_DEVICE, name=row.name),
                on_confirm=DeviceState.sign_out(row.session_id),
                variant="outline",
            ),
        ),
        key=row.session_id,
    )
