"""Several lines of text."""

from typing import Annotated

from ...base.text import clean_text, text_of
from ..form_fields import LONG, read_text
from .changes import Cell, by_word
from .field_type import MOST_CHARACTERS, FieldType


class TextField(FieldType):
    """Several lines of text of at most `limit` characters. The history shows its changes by word."""

    def __init__(self, limit: int = LONG) -> None:
        self.limit = limit

    def read(self, value: object) -> str:
        return read_text(clean_text, self.limit, value)

    def form_text(self, value: object) -> str:
        return clean_text(value)

    def compared(self, value: object) -> str:
        return text_of(value[:MOST_CHARACTERS] if isinstance(value, str) else value)

    def difference(self, name: str, label: str, before: str, after: str) -> Cell:
        return by_word(name, label, before, after)


Text = Annotated[str, TextField()]
