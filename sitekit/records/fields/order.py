"""The number by which staff order records."""

from typing import Any, ClassVar

from ...base.text import display_order
from .line import LineField


class OrderField(LineField):
    """A whole number; None if nothing was typed: a new record is then the last one."""

    value: ClassVar[Any] = int | None

    def read(self, value: object) -> Any:
        return None if value is None or not str(value).strip() else display_order(value)

    def form_text(self, value: object) -> str:
        return str(value)

    def stored(self, value: int | None) -> int:
        return value or 0
