"""The inputs of a changed text: its original, and what visitors read in its place."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Session

from ...base import messages
from ...base.errors import InvalidInput
from ...base.permissions import Actor
from ...base.text import is_blank
from ...records.edits import Edit
from ...records.fields.line import LineField
from ...records.form_fields import LONG
from ...ui.copy import ORIGINALS
from . import screen_texts as texts

# Control characters, lone surrogates, and the private ones that mark texts in the frame.
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff]")


def most_characters(original: str) -> int:
    """How many characters may stand in place of an original: half as many again, and 40."""
    return len(original) * 3 // 2 + 40


class OriginalField(LineField):
    """The original of a text: one that the site has, and not another one later."""

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Refuse a new original that the site does not have or that is stored, and any change of one."""
        for row, edit in enumerate(edits):
            original, columns = edit.values.get(name), edit.record.__table__.c
            if edit.is_new:
                stored = sa.select(columns.id).where(columns.name == original)
                if original not in ORIGINALS or session.execute(stored).first():
                    raise InvalidInput(messages.FIELDS_INVALID, {name: texts.ORIGINAL_UNKNOWN}, row)
            elif original not in (None, edit.record.name):
                raise InvalidInput(messages.FIELDS_INVALID, {name: texts.ORIGINAL_FIXED}, row)


class ReplacementField(LineField):
    """What visitors read: one paragraph, not much longer than its original."""

    checked_with: ClassVar[tuple[str, ...]] = ("name",)

    def read(self, value: object) -> str:
        if isinstance(value, str) and _REFUSED.search(value):
            raise ValueError(texts.CHARACTER_REFUSED)
        return super().read(value)

    def check(self, name: str, values: Mapping[str, Any], *, is_public: bool) -> dict[str, str]:
        text, most = values.get(name), most_characters(values.get("name") or "")
        if is_public and text is not None and is_blank(text):
            return {name: texts.EMPTY}
        return {name: messages.TOO_LONG.format(limit=most)} if text and len(text) > most else {}


ORIGINAL = OriginalField(limit=LONG)
REPLACEMENT = ReplacementField(limit=LONG)
