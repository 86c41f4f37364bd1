"""`/admin/settings`: the theme of this browser, and the user's sessions."""

from dataclasses import dataclass

import reflex as rx

from ..accounts import sessions
from ..accounts.device_names import device_name
from ..accounts.guard import staff_event
from ..accounts.session_state import AuthState, auth_of
from ..backoffice.db_calls import read, write
from ..backoffice.shell import side_page
from ..content import messages
from ..content.backoffice import BACK
from ..core import routes
from ..core.permissions import Actor
from ..core.text import iso_text
from ..framework.event_marks import EventReply
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.forms import field_group
from ..ui.backoffice.theme_choice import theme_choice
from ..ui.feedback import error_notice, subject_of, success_notice
from ..ui.local_time import local_time
from . import texts as words


@dataclass(frozen=True)
class DeviceRow:
    """A session as the page lists it; times are ISO texts in UTC."""

    session_id: str = ""
    name: str = ""
    begun: str = ""
    used: str = ""
    is_this: bool = False


def device_row(one: sessions.Device) -> DeviceRow:
    """A session as the pages list it."""
    times = iso_text(one.created_at), iso_text(one.refreshed_at)
    return DeviceRow(one.session_id, device_name(one.device), *times, one.is_this)


class DeviceState(rx.State):
    """The user's active sessions."""

    devices: list[DeviceRow] = []
    has_failed: bool = False
    is_loading: bool = True

    @staff_event
    async def load(self, *, actor: Actor) -> EventReply:
        """Read the user's active sessions. This is the page's `on_load`."""
        try:
            identity = await (await auth_of(self))._identity()
            found = await read(lambda session: sessions.list_devices(session, actor.user_id, identity.session_id))
        except Exception as error:
            self.devices, self.has_failed, self.is_loading = [], True, False
            return error_notice(error, words.SESSIONS_FAILED, subject_of(self))
        self.devices = [device_row(one) for one in found]
        self.has_failed, self.is_loading = False, False
        return None

    @staff_event
    async def sign_out(self, session_id: str, *, actor: Actor) -> EventReply:
        """End one of the user's own sessions."""
        try:
            await write(lambda session: sessions.end_one(session, actor.user_id, session_id))
        except Exception as error:
            return error_notice(error, messages.SIGN_OUT_FAILED, subject_of(self, session_id))
        return [success_notice(messages.DEVICE_SIGNED_OUT, subject_of(self, session_id)), DeviceState.load]


def settings_page() -> rx.Component:
    """The settings page: theme and active sessions."""
    return side_page(
        words.SETTINGS_TITLE,
        routes.ADMIN,
        BACK,
        rx.el.div(
            field_group(words.THEME, theme_choice(dict(words.THEMES), words.THEME.title)),
            field_group(words.SESSIONS, _devices()),
            class_name="backoffice-form",
        ),
    )


def _devices() -> rx.Component:
    everywhere = confirm_button(
        words.SIGN_OUT_EVERYWHERE,
        sentence=words.SIGN_OUT_EVERYWHERE_CONFIRM,
        on_confirm=AuthState.sign_out_everywhere,
        variant="outline",
    )
    return rx.el.div(
        rx.cond(
            DeviceState.is_loading,
            rc.skeleton(height="4rem"),
            rx.cond(
                DeviceState.has_failed,
                rx.el.p(words.SESSIONS_FAILED, class_name="backoffice-error"),
                rx.el.ul(rx.foreach(DeviceState.devices, _device), class_name="devices"),
            ),
        ),
        everywhere,
        class_name="field-wide entries",
    )


def device_facts(row: DeviceRow) -> rx.Component:
    """What a device is called, and when it was used."""
    begun, used = local_time(at=row.begun, is_short=True), local_time(at=row.used)
    times = rx.el.p(words.SINCE, " ", begun, ", ", words.LAST_USED, " ", used, class_name="cell-note")
    return rx.el.div(rx.el.p(row.name, class_name="cell-title"), times)


def _device(row: DeviceRow) -> rx.Component:
    return rx.el.li(
        device_facts(row),
        rx.cond(
            row.is_this,
            rc.badge(words.THIS_DEVICE, variant="solid"),
            confirm_button(
                words.SIGN_OUT_DEVICE,
                sentence=words.SIGN_OUT_DEVICE_CONFIRM,
                on_confirm=DeviceState.sign_out(row.session_id),
                variant="outline",
            ),
        ),
        key=row.session_id,
    )
