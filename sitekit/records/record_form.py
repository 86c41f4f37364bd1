"""A record as its form shows it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class RecordForm:
    """A record as its form shows it: every field as a text, and the rows of its groups.

    A flag is 'on' or empty. Line breaks are removed for one-line inputs, because browsers would remove them. `noted`
    has the groups whose note is shown. `id` and `version` are 0 for a new record.
    """

    id: int = 0
    version: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    noted: dict[str, bool] = field(default_factory=dict)

    def inputs(self) -> dict[str, object]:
        """What the form sends if nothing is changed."""
        return {**self.texts, **self.rows}
