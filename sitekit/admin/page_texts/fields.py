"""What lists show of a text."""

from dataclasses import dataclass

from ...base.times import iso_text
from ...records.selection import computed


@dataclass(frozen=True)
class TextRow:
    """A text as the back office lists it; the slug is its name in pages, the time an ISO text in UTC."""

    id: int = 0
    slug: str = ""
    name: str = ""
    text: str = ""
    is_active: bool = False
    updated_at: str = computed(iso_text, "updated_at")

    @property
    def shown(self) -> str:
        """What visitors read."""
        return self.text if self.is_active else self.name
