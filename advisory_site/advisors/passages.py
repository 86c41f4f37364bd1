"""Splits a text into paragraphs and lists."""

from dataclasses import dataclass

# The sign that begins a list item, followed by a space.
POINT = "-"


@dataclass(frozen=True)
class DescriptionPart:
    """A part of a description: a paragraph, or the points of a list."""

    text: str = ""
    points: tuple[str, ...] = ()


def passages_of(text: str) -> tuple[DescriptionPart, ...]:
    """Split a text into paragraphs and lists: a line that begins with "- " is an item, a blank line ends a passage."""
    passages: list[DescriptionPart] = []
    continues = False  # whether the next line of the same kind continues the last passage
    for line in map(str.strip, text.splitlines()):
        last = passages[-1] if passages else DescriptionPart()
        if line.startswith(f"{POINT} "):
            point = line.removeprefix(POINT).strip()
            if last.points:
                passages[-1] = DescriptionPart(points=(*last.points, point))
            else:
                passages.append(DescriptionPart(points=(point,)))
        elif line and continues and last.text:
            passages[-1] = DescriptionPart(text=f"{last.text}\n{line}")
        elif line:
            passages.append(DescriptionPart(text=line))
        continues = bool(line)
    return tuple(passages)
