"""Passes the result of a form to its list: which record was saved, or that it could not be read."""

import reflex as rx


class ReturnState(rx.State):
    """The result of the last form, for its list."""

    _tab: str = ""
    _record: int = 0
    _is_reported: bool = False

    def _store(self, tab: str, *, record: int = 0, is_reported: bool = False) -> None:
        self._tab, self._record, self._is_reported = tab, record, is_reported

    def _pop(self, tab: str) -> tuple[int, bool]:
        """Return and clear the saved record's id and whether a read failure has been shown."""
        note = (self._record, self._is_reported) if tab and tab == self._tab else (0, False)
        self._store("")
        return note
