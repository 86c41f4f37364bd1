"""One of a few texts, or any other."""

from dataclasses import KW_ONLY, dataclass

from .field_type import FieldType
from .line import LineField


@dataclass(frozen=True, eq=False)
class ChoiceField(LineField):
    """One of the `choices`, or another text that is typed. An empty text means `if_blank`."""

    choices: tuple[str, ...]
    _: KW_ONLY
    if_blank: str = ""

    difference = FieldType.difference

    def read(self, value: object) -> str:
        return super().read(value) or self.if_blank
