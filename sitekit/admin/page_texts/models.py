"""The table of changed texts, with the form of its columns."""

from typing import Annotated

from sqlmodel import Field, SQLModel

from ...records.fields.field_type import Input
from ...records.fields.flag import Flag
from ...records.record import Record, active_field
from . import screen_texts as texts
from .inputs import ORIGINAL, REPLACEMENT


class Text(Record, table=True):
    """A text of the public pages. Visitors read `text` in place of the original, `name`, while the row is active."""

    __tablename__ = "texts"

    name: Annotated[str, ORIGINAL, Input(texts.ORIGINAL)]
    text: Annotated[str, REPLACEMENT, Input(texts.TEXT)] = ""
    is_active: Annotated[Flag, Input(texts.USED)] = active_field()
    slug: str = Field(unique=True)


columns = SQLModel.metadata.tables["texts"].c
