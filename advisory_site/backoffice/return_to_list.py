"""Passes the result of a form to its list: which record was saved, or that it could not be read."""

import reflex as rx


class ReturnState(rx.State):
    """The result of the last form; its list takes it."""

    _tab: str = ""
    _record: int = 0
    _is_told: bool = False

    def _leave(self, tab: str, *, record: int = 0, is_told: bool = False) -> None:
        self._tab, self._record, self._is_told = tab, record, is_told

    def _take(self, tab: str) -> tuple[int, bool]:
        """Return and clear the saved record's id and whether a read failure has been shown."""
        note = (self._record, self._is_told) if tab and tab == self._tab else (0, False)
        self._leave("")
        return note
