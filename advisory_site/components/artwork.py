"""Brand mark, hero art and compass as inline SVG that takes its colours from the tokens.

The contour lines are computed: each is a circle distorted by two sine waves, smaller than the one around it and moved
towards the summit.
"""

from collections.abc import Sequence
from math import cos, pi, sin

import reflex as rx

RING_POINTS = 14


def brand_mark() -> rx.Component:
    """The brand mark, an N made of two shores and a compass needle."""
    return rx.el.svg(
        rx.el.path(d="M4 4c3.5 5 3.5 19 0 24h4.5V4H4ZM28 4c-3.5 5-3.5 19 0 24h-4.5V4H28Z", class_name="mark-shore"),
        rx.el.path(d="M8.5 4 19 14.2l4.5 13.8L13 17.8 8.5 4Z", class_name="mark-needle"),
        view_box="0 0 32 32",
        aria_hidden="true",
    )


def contour(level: float, center: tuple[float, float], reach: tuple[float, float]) -> str:
    """One closed contour line as path data; `level` goes from 0 (shore) to 1 (summit)."""
    drift, size = level * 0.16, 1 - level
    points = []
    for step in range(RING_POINTS):
        angle = 2 * pi * step / RING_POINTS
        bend = 1 + 0.1 * sin(2 * angle + 0.6 + 1.5 * level) + 0.075 * sin(3 * angle + 2.1 - level)
        points.append(
            (
                center[0] + reach[0] * (drift + size * bend * cos(angle)),
                center[1] + reach[1] * (size * bend * sin(angle) - drift),
            )
        )
    return _smooth(points)


def _smooth(points: list[tuple[float, float]]) -> str:
    """A closed curve through the points (Catmull-Rom, written as cubic Beziers).

    Uses relative coordinates, which are shorter, because the drawing is part of the page.
    """
    count = len(points)
    x, y = (round(value) for value in points[0])
    pieces = [f"M{x} {y}"]
    for index in range(count):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(index + offset) % count] for offset in (-1, 0, 1, 2))
        leaves = () if index else (bx + (cx - ax) / 6 - x, by + (cy - ay) / 6 - y)
        arrives = (cx - (dx - bx) / 6 - x, cy - (dy - by) / 6 - y)
        step = (round(cx) - x, round(cy) - y)
        pieces.append(("c" if leaves else "s") + _numbers(*leaves, *arrives, *step))
        x, y = x + step[0], y + step[1]
    return "".join(pieces) + "z"


def _numbers(*values: float) -> str:
    """Integers as path data; a minus sign needs no space before it."""
    return " ".join(f"{value:.0f}" for value in values).replace(" -", "-")


def chart(*hills: tuple[tuple[float, float], tuple[float, float], int]) -> rx.Component:
    """The contour lines of several hills, each given by centre, radius and number of lines."""
    lines = (contour(ring / (rings + 1), middle, reach) for middle, reach, rings in hills for ring in range(rings))
    return rx.el.path(d="".join(lines), class_name="contour")


def drawing(*shapes: rx.Component, box: str, class_name: str) -> rx.Component:
    """A decorative SVG, hidden from screen readers."""
    return rx.el.svg(*shapes, view_box=box, class_name=class_name, aria_hidden="true")


def buoy(x: int, y: int) -> rx.Component:
    """A small circle on a line."""
    return rx.el.circle(cx=str(x), cy=str(y), r="7", class_name="art-paper")


def diamond(x: int, y: int, size: int = 16) -> rx.Component:
    """A diamond at the end of a line."""
    return rx.el.path(d=f"M{x} {y - size}l{size} {size}-{size} {size}-{size}-{size}Z", class_name="art-gold")


def needle(x: int, y: int, length: int) -> list[rx.Component]:
    """A compass needle; its northern half is gold."""
    width = length // 5
    return [
        rx.el.path(d=f"M{x - width} {y}h{2 * width}l-{width} {length}Z", class_name="art-needle"),
        rx.el.path(d=f"M{x - width} {y}h{2 * width}l-{width}-{length}Z", class_name="art-gold"),
    ]


def unveiled(shapes: Sequence[rx.Component], *drawn: rx.Component, box: str, class_name: str) -> rx.Component:
    """Static shapes, and above them shapes that are revealed once, from left to right.

    They are two SVGs, so that the animation only moves composited layers and repaints nothing.
    """
    return rx.el.div(
        rx.el.svg(*shapes, view_box=box),
        rx.el.div(rx.el.svg(*drawn, view_box=box), class_name="unveiled"),
        class_name=class_name,
        aria_hidden="true",
    )


def hero_art() -> rx.Component:
    """Home: a growth curve across the chart of an island, with a compass rose in the corner."""
    return unveiled(
        (
            chart(((450, 390), (390, 290), 8), ((125, 640), (105, 62), 3)),
            rx.el.circle(cx="610", cy="640", r="56", class_name="contour"),
            rx.el.path(d="M610 566v148M536 640h148", class_name="contour"),
            *needle(610, 640, 52),
        ),
        rx.el.path(d="M716 150V700", class_name="art-gold-line art-dashes"),
        rx.el.path(d="M40 690C230 676 300 610 390 480S540 190 716 128", class_name="curve"),
        buoy(252, 627),
        buoy(390, 480),
        diamond(716, 128, 18),
        box="0 0 860 760",
        class_name="hero-art",
    )


def strait_art() -> rx.Component:
    """Why Us: two shores and a course between them."""
    return drawing(
        chart(((20, 230), (190, 170), 5), ((500, 190), (200, 190), 5)),
        rx.el.path(d="M232 420C210 340 262 300 262 220S240 120 268 70", class_name="art-gold-line art-dashes"),
        *needle(268, 44, 36),
        box="0 0 520 420",
        class_name="page-art",
    )


def bearings_art() -> rx.Component:
    """What We Do: four bearings from one point, each with another length."""
    marks = ((100, 74, 306), (190, 216, 329), (280, 201, 171), (370, 332, 172))
    return drawing(
        *(
            rx.el.path(d=f"M40 {400 - reach}a{reach} {reach} 0 0 1 {reach} {reach}", class_name="contour")
            for reach, _, _ in marks
        ),
        rx.el.path(d="".join(f"M40 400L{x} {y}" for _, x, y in marks), class_name="art-gold-line art-dashes"),
        *(diamond(x, y, 12) for _, x, y in marks),
        rx.el.path(d="M40 10V400H430", class_name="contour"),
        buoy(40, 400),
        box="0 0 520 420",
        class_name="page-art",
    )


def course_art() -> rx.Component:
    """How We Work: a course in four legs."""
    return unveiled(
        (chart(((330, 200), (250, 190), 6)),),
        rx.el.path(d="M20 390C90 380 130 350 165 305S260 250 300 190 400 110 470 60", class_name="curve"),
        *(buoy(x, y) for x, y in ((62, 380), (165, 305), (300, 190))),
        diamond(470, 60, 15),
        box="0 0 520 420",
        class_name="page-art",
    )


def compass_art() -> rx.Component:
    """The large compass behind the closing section: rings, a scale of degrees, and a star of eight points."""
    long_points = "M200 40l22 138 138 22-138 22-22 138-22-138-138-22 138-22Z"
    short_points = "M278 122l-40 78 40 78-78-40-78 40 40-78-40-78 78 40Z"
    return drawing(
        *(rx.el.circle(cx="200", cy="200", r=str(radius), class_name="contour") for radius in (110, 172, 196)),
        rx.el.circle(cx="200", cy="200", r="184", class_name="degrees", custom_attrs={"pathLength": "120"}),
        rx.el.path(d=short_points, class_name="contour"),
        rx.el.path(d=long_points + "M200 40v320M40 200h320", class_name="contour"),
        rx.el.path(d="M200 40l22 138-22 22Z", class_name="art-gold"),
        rx.el.path(d="M200 40l-22 138 22 22Z", class_name="art-gold art-shade"),
        box="0 0 400 400",
        class_name="closing-art",
    )
