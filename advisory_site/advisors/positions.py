"""The positions an advisor has held: as they are stored, as visitors read them, and as the form shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.text import clean_text, is_blank, one_line, record_list, text_list, text_of
from ..records.form_fields import LongLine, Row, Text

# What a line of a description begins with, to be a point of a list; a space follows.
POINT = "-"


@dataclass(frozen=True)
class Passage:
    """A part of a description: a paragraph, or the points of a list."""

    text: str = ""
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experience:
    """One position an advisor has held, as visitors read it."""

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
    """One position as filled in."""

    position: LongLine = ""
    company: LongLine = ""
    duration: LongLine = ""
    description: Text = ""


def experience_of(value: object) -> tuple[Experience, ...]:
    """The positions in a stored value; what is not a list counts as none."""
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
    """A stored position's description, and behind it the achievements of an older record, as lines of its list."""
    description = text_of(position.get("description"))
    points = [f"{POINT} {one_line(achievement)}" for achievement in text_list(position.get("achievements"))]
    return "\n".join(([description] if not is_blank(description) else []) + points) if points else description


def passages_of(text: str) -> tuple[Passage, ...]:
    """A text in its paragraphs and lists: a line that begins with "- " is a point, a blank line ends a paragraph."""
    passages: list[Passage] = []
    goes_on = False  # whether the line before belongs to the passage that a line like this one would continue
    for line in map(str.strip, text.splitlines()):
        last = passages[-1] if passages else Passage()
        if line.startswith(f"{POINT} "):
            point = line.removeprefix(POINT).strip()
            if last.points:
                passages[-1] = Passage(points=(*last.points, point))
            else:
                passages.append(Passage(points=(point,)))
        elif line and goes_on and last.text:
            passages[-1] = Passage(text=f"{last.text}\n{line}")
        elif line:
            passages.append(Passage(text=line))
        goes_on = bool(line)
    return tuple(passages)


def positions_of(value: object) -> tuple[Position, ...]:
    """The positions in a stored value as the form shows them; inputs of one line get one line."""
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
    """How many stored positions have achievements, which the form shows as lines of their description."""
    return sum(bool(text_list(held.get("achievements"))) for held in record_list(value, "role"))


def stored_experience(rows: Sequence[PositionRow]) -> list[dict[str, Any]]:
    """Positions as stored. Achievements are emptied on every save: the form has them as lines of the description."""
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
