"""A tick: yes or no."""

from typing import Annotated, Any, ClassVar

from ...base.text import one_line
from .. import csv_texts, history_texts
from .field_type import FieldType

TRUE, FALSE = "true", "false"
_CELLS = dict.fromkeys((TRUE, "yes", "on", "1"), "on") | dict.fromkeys((FALSE, "no", "off", "0", ""), "")


class FlagField(FieldType):
    """A tick, sent as "on". Browsers do not send a checkbox that is not ticked, so a missing one is False."""

    value: ClassVar[Any] = bool
    is_sent_if_empty = False

    def read(self, value: object) -> bool:
        return value is True or (isinstance(value, str) and one_line(value).lower() in ("on", "true", "1"))

    def form_text(self, value: object) -> str:
        return "on" if value else ""

    def cell(self, typed: str) -> str:
        return TRUE if typed else FALSE

    def from_cell(self, cell: str) -> str:
        try:
            return _CELLS[one_line(cell).lower()]
        except KeyError:
            raise ValueError(csv_texts.FLAG_UNREADABLE) from None

    def compared(self, value: object) -> str:
        return (history_texts.YES if value else history_texts.NO) if isinstance(value, bool) else ""


Flag = Annotated[bool, FlagField()]
