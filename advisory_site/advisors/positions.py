"""The positions of an advisor: as stored, as visitors see them, and in the form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.text import clean_text, is_blank, one_line, record_list, text_list, text_of
from ..records.form_fields import LongLine, Row, Text

# The signs that begin a list item in a description, followed by a space.
POINT = "-"


@dataclass(frozen=True)
class Passage:
    """A part of a description: a paragraph, or the points of a list."""

    text: str = ""
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experience:
    """One position of an advisor, as visitors see it."""

    role: str = ""
    company: str = ""
    period: str = ""
    description: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Position:
    """One position as the form shows it: the stored role is the position, the stored period the duration."""

    position: str = ""
    company: str = ""
    duration: str = ""
    description: str = ""


class PositionRow(Row):
    """One position in the form."""

    position: LongLine = ""
    company: LongLine = ""
    duration: LongLine = ""
    description: Text = ""


def experience_of(value: object) -> tuple[Experience, ...]:
    """The positions in a stored value; empty if it is not a list."""
    return tuple(
        Experience(
            role=text_of(item.get("role")),
            company=text_of(item.get("company")),
            period=text_of(item.get("period")),
            description=passages_of(described(item)),
        )
        for item in record_list(value, "role")
    )


def described(position: Mapping[str, object]) -> str:
    """The description of a stored position, followed by the achievements of older records as list items."""
    description = text_of(position.get("description"))
    points = [f"{POINT} {one_line(achievement)}" for achievement in text_list(position.get("achievements"))]
    return "\n".join(([description] if not is_blank(description) else []) + points) if points else description


def passages_of(text: str) -> tuple[Passage, ...]:
    """Split a text into paragraphs and lists: a line that begins with "- " is an item, a blank line ends a passage."""
    passages: list[Passage] = []
    continues = False  # whether the next line of the same kind continues the last passage
    for line in map(str.strip, text.splitlines()):
        last = passages[-1] if passages else Passage()
        if line.startswith(f"{POINT} "):
            point = line.removeprefix(POINT).strip()
            if last.points:
                passages[-1] = Passage(points=(*last.points, point))
            else:
                passages.append(Passage(points=(point,)))
        elif line and continues and last.text:
            passages[-1] = Passage(text=f"{last.text}\n{line}")
        elif line:
            passages.append(Passage(text=line))
        continues = bool(line)
    return tuple(passages)


def positions_of(value: object) -> tuple[Position, ...]:
    """The positions in a stored value as the form shows them, without line breaks in one-line inputs."""
    return tuple(
        Position(
            position=one_line(text_of(held.get("role"))),
            company=one_line(text_of(held.get("company"))),
            duration=one_line(text_of(held.get("period"))),
            description=clean_text(described(held)),
        )
        for held in record_list(value, "role")
    )


def moved_achievements(value: object) -> int:
    """The number of stored positions with achievements, which the form shows in the description."""
    return sum(bool(text_list(held.get("achievements"))) for held in record_list(value, "role"))


def stored_experience(rows: Sequence[PositionRow]) -> list[dict[str, Any]]:
    """Positions as stored. Every save clears the achievements, because the form has them in the description."""
    return [
        {
            "role": row.position,
            "company": row.company,
            "period": row.duration,
            "description": row.description,
            "achievements": [],
        }
        for row in rows
    ]
