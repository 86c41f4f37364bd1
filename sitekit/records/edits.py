"""What is written into a record: its new values, and what happens if its slug is taken."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import sqlalchemy as sa


class IfTaken(StrEnum):
    """What happens if another record has the slug that a record wants."""

    REFUSE = "refuse"
    NUMBER = "number"  # the first free one of wanted-2, wanted-3, ... is taken
    KEEP = "keep"  # the record keeps the slug it has


@dataclass(frozen=True)
class Edit:
    """What to write into a record, which is stored or new. `values` are those of its columns, without the slug.

    An empty `slug` stays as it is. A place of None in `values` is the last one. `typed` is all that was read from the
    form, `restored_from` the number of the revision whose values they are.
    """

    record: Any
    values: dict[str, Any]
    slug: str = ""
    if_taken: IfTaken = IfTaken.NUMBER
    typed: Mapping[str, Any] = field(default_factory=dict)
    restored_from: int | None = None

    @property
    def is_new(self) -> bool:
        """Whether the record was never stored."""
        return bool(sa.inspect(self.record).transient)
