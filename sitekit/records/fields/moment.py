"""A tick that stores the moment at which it was saved; the form shows it empty again."""

from typing import Annotated

from ...base.db.database import now
from ...base.text import one_line
from ...base.times import iso_text
from .field_type import FieldType

TICKED = "on"


class MomentField(FieldType):
    """The moment of the last save with the tick, as ISO text in UTC; empty before the first one."""

    is_sent_if_empty = False

    def read(self, value: object) -> str:
        return TICKED if isinstance(value, str) and one_line(value).lower() in ("on", "true", "1") else ""

    def form_text(self, value: object) -> str:
        return TICKED if value == TICKED else ""

    def stored(self, value: str) -> str:
        return iso_text(now()) if value else ""

    def public(self, value: object) -> str:
        return one_line(value)


Moment = Annotated[str, MomentField()]
