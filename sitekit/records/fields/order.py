"""The number by which staff order records."""

import re
from typing import Any, ClassVar

from ...base.text import display_order, one_line, whole_number
from .. import csv_texts
from .line import LineField

# As spreadsheet programs write a whole number; three zeros may follow a separator of thousands.
_NO_FRACTION = re.compile(r"\.00?$")


class OrderField(LineField):
    """A whole number; None if nothing was typed: a new record is then the last one."""

    value: ClassVar[Any] = int | None

    def read(self, value: object) -> Any:
        return None if value is None or not str(value).strip() else display_order(value)

    def from_cell(self, cell: str) -> str:
        text = _NO_FRACTION.sub("", one_line(cell))
        if text and whole_number(text) is None:
            raise ValueError(csv_texts.ORDER_UNREADABLE)
        return text

    def form_text(self, value: object) -> str:
        return str(value)

    def stored(self, value: int | None) -> int:
        return value or 0
