"""The drawing room: brand mark, hero art and compass, as inline SVG that takes its colours from the tokens.

The contour lines are computed here, not pasted: a ring is a circle bent by two waves, and each ring
inside it is smaller and drifts towards the summit, which is how a hill looks on a chart.
"""

from math import cos, pi, sin

import reflex as rx

RING_POINTS = 14


def brand_mark() -> rx.Component:
    """An N: two shores, and between them the needle that shows the way through the strait."""
    return rx.el.svg(
        rx.el.path(
            d="M4 4c3.5 5 3.5 19 0 24h4.5V4H4ZM28 4c-3.5 5-3.5 19 0 24h-4.5V4H28Z", class_name="mark-shore"
        ),
        rx.el.path(d="M8.5 4 19 14.2l4.5 13.8L13 17.8 8.5 4Z", class_name="mark-needle"),
        view_box="0 0 32 32",
        aria_hidden="true",
    )


def contour(level: float, center: tuple[float, float], reach: tuple[float, float]) -> str:
    """One closed contour line as path data; `level` runs from 0, the shore, to 1, the summit."""
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
    """A closed curve through the points (Catmull-Rom, written as cubic Beziers)."""
    count = len(points)
    pieces = [f"M{points[0][0]:.0f} {points[0][1]:.0f}"]
    for index in range(count):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
            points[(index + offset) % count] for offset in (-1, 0, 1, 2)
        )
        first = "" if index else f"C{bx + (cx - ax) / 6:.0f} {by + (cy - ay) / 6:.0f} "
        command = first or "S"
        pieces.append(f"{command}{cx - (dx - bx) / 6:.0f} {cy - (dy - by) / 6:.0f} {cx:.0f} {cy:.0f}")
    return "".join(pieces) + "Z"


ISLAND = "".join(contour(level / 9, (450, 395), (400, 300)) for level in range(8))
ISLET = "".join(contour(level / 4, (120, 640), (105, 62)) for level in range(3))


def hero_art() -> rx.Component:
    """A growth curve that climbs across the chart of an island, with its bearings in the corner."""
    return rx.el.svg(
        rx.el.path(d=ISLAND + ISLET, class_name="contour"),
        rx.el.path(d="M60 690C250 672 330 600 420 470S590 190 780 120", path_length=1, class_name="curve"),
        *_milestones(),
        *_small_compass(),
        view_box="0 0 860 760",
        preserve_aspect_ratio="xMidYMid meet",
        class_name="hero-art",
        aria_hidden="true",
    )


def _milestones() -> list[rx.Component]:
    """Where the curve pauses: two reviews and, in gold, the point it was drawn for."""
    return [
        *(
            rx.el.circle(cx=str(x), cy=str(y), r="7", class_name="art-paper")
            for x, y in ((278, 619), (420, 470))
        ),
        rx.el.path(d="M780 102l18 18-18 18-18-18Z", class_name="art-gold"),
        rx.el.path(d="M780 150V700", class_name="art-gold-line art-dashes"),
    ]


def _small_compass() -> list[rx.Component]:
    return [
        rx.el.circle(cx="130", cy="150", r="62", class_name="contour"),
        rx.el.path(d="M130 70v160M50 150h160", class_name="contour"),
        rx.el.path(d="M130 92l13 58-13 58-13-58Z", class_name="art-needle"),
        rx.el.path(d="M130 92l13 58h-26Z", class_name="art-gold"),
    ]


def compass_art() -> rx.Component:
    """The large compass behind the closing call: rings, a ring of degrees, and a star of eight points."""
    long_points = "M200 40l22 138 138 22-138 22-22 138-22-138-138-22 138-22Z"
    short_points = "M278 122l-40 78 40 78-78-40-78 40 40-78-40-78 78 40Z"
    return rx.el.svg(
        *(
            rx.el.circle(cx="200", cy="200", r=str(radius), class_name="contour")
            for radius in (110, 172, 196)
        ),
        rx.el.circle(cx="200", cy="200", r="184", class_name="degrees", custom_attrs={"pathLength": "120"}),
        rx.el.path(d=short_points, class_name="contour"),
        rx.el.path(d=long_points + "M200 40v320M40 200h320", class_name="contour"),
        rx.el.path(d="M200 40l22 138-22 22Z", class_name="art-gold"),
        view_box="0 0 400 400",
        class_name="closing-art",
        aria_hidden="true",
    )
