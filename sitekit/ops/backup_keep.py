"""Which backups are kept: the newest ones, or one per day, week and month."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..base.site import get_site

# The names that `backup_name` gives.
NAME = re.compile(rf"{re.escape(get_site().file_name)}-(\d{{8}}T\d{{6}})Z\.backup")
_TIME = "%Y%m%dT%H%M%S"
_NUMBER = re.compile(r"[1-9]\d{0,3}")
_SPAN = re.compile(r"([1-9]\d{0,3})([dwm])")
_PERIODS: dict[str, Callable[[datetime], tuple[int, ...]]] = {
    "d": lambda made: (made.year, made.month, made.day),
    "w": lambda made: made.isocalendar()[:2],
    "m": lambda made: (made.year, made.month),
}


def backup_name(made: datetime) -> str:
    """The name of a backup that is made now; names sort by time."""
    return f"{get_site().file_name}-{made.astimezone(UTC):{_TIME}}Z.backup"


def _made(name: str) -> datetime:
    match = NAME.fullmatch(name)
    assert match is not None
    return datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)


@dataclass(frozen=True)
class Keep:
    """A rule: so many of the newest backups, and the newest one of each of so many days, weeks and months (in UTC).

    As with restic and borg, only periods that have a backup count, so a pause deletes nothing.
    """

    newest: int = 0
    periods: tuple[tuple[str, int], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Keep":
        """The rule of a text such as `30` or `14d,8w,12m`; raises `ValueError`."""
        if _NUMBER.fullmatch(text):
            return cls(newest=int(text))
        matches = [_SPAN.fullmatch(part.strip()) for part in text.split(",")]
        spans = [(span[2], int(span[1])) for span in matches if span]
        if len(spans) < len(matches) or len({unit for unit, _ in spans}) < len(spans):
            raise ValueError(
                f"'{text}' is neither a number of backups, such as 30, nor numbers of days, weeks and months, such as"
                " 14d,8w,12m."
            )
        return cls(periods=tuple(spans))

    def unneeded(self, names: Sequence[str]) -> list[str]:
        """Those of the backups that the rule does not keep, oldest first."""
        newest_first = sorted(names, reverse=True)
        needed = set(newest_first[: self.newest])
        for unit, most in self.periods:
            newest_of: dict[tuple[int, ...], str] = {}
            for name in newest_first:
                newest_of.setdefault(_PERIODS[unit](_made(name)), name)
            needed.update(list(newest_of.values())[:most])
        return sorted(set(names) - needed)
