"""New recovery codes while `/admin/two-step` shows them, once."""

import reflex as rx

from ...admin.guard import setup_event
from ...base.permissions import Actor


class RecoveryCodesState(rx.State):
    """The codes; opening the page again hides them."""

    codes: list[str] = []
    times_shown: int = 0
    _is_next_page: bool = False

    @setup_event
    def hide(self, *, actor: Actor) -> None:
        """Hide the codes for good."""
        self._clear()

    def _clear(self) -> None:
        self.codes = []

    def _show(self, made: tuple[str, ...], *, is_next_page: bool = False) -> None:
        """Show codes on the page that is open, or on the next one."""
        self.codes, self._is_next_page = list(made), is_next_page
        self.times_shown += 1

    def _open_page(self) -> None:
        """Hide the codes of an earlier visit."""
        if not self._is_next_page:
            self._clear()
        self._is_next_page = False
