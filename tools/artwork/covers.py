"""The advisors' covers: contours, currents, arcs and ascents, drawn as lines."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

from tools.artwork.svg import rect, sheet, stroke

WIDTH, HEIGHT = 1600, 400


class Cover(NamedTuple):
    """The parameters of a cover: figure, phase and three colours."""

    figure: Callable[[float], list[str]]
    phase: float
    ground: str
    lines: str
    spark: str


def smooth(points: Sequence[tuple[float, float]]) -> str:
    """A smooth line: quadratic curves through the midpoints of the given points."""
    (x0, y0), *rest = points
    parts = [f"M{x0:.0f} {y0:.0f}"]
    for (ax, ay), (bx, by) in pairwise(rest):
        parts.append(f"Q{ax:.0f} {ay:.0f} {(ax + bx) / 2:.0f} {(ay + by) / 2:.0f}")
    return "".join(parts)


def swell(phase: float) -> list[str]:
    """Stacked wavy lines."""
    paths = []
    for row in range(15):
        points = []
        for step in range(14):
            x = -80 + step * 140
            lift = 54 * sin(x / 330 + phase) * (1 - row / 22) + 26 * sin(x / 170 + phase * 2 + row * 0.16)
            points.append((x, 40 + row * 27 - lift))
        paths.append(smooth(points))
    return paths


def island(phase: float) -> list[str]:
    """Nested contours of two hills on one island."""
    paths = []
    for cx, cy, reach, rings in ((1130, 205, 31, 9), (270, 185 + 30 * sin(phase), 25, 4)):
        for number in range(1, rings + 1):
            points = []
            for step in range(13):
                angle = step * pi / 6
                wobble = 1 + 0.16 * sin(2 * angle + phase) + 0.1 * cos(3 * angle - phase * 2)
                radius = number * reach * wobble
                points.append((cx + 1.9 * radius * cos(angle), cy + 0.82 * radius * sin(angle)))
            middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(points)]
            start = f"M{middles[-1][0]:.0f} {middles[-1][1]:.0f}"
            curves = (f"Q{p[0]:.0f} {p[1]:.0f} {m[0]:.0f} {m[1]:.0f}" for p, m in zip(points, middles, strict=False))
            paths.append(start + "".join(curves) + "z")
    return paths


def strait(phase: float) -> list[str]:
    """Lines that converge in a narrow passage and diverge again."""
    paths = []
    for row in range(17):
        spread = (row - 8) / 8
        points = []
        for step in range(13):
            x = -100 + step * 150
            gap = 62 + 190 * (1 - 1 / (1 + ((x - 760 - 120 * sin(phase)) / 420) ** 2))
            points.append((x, 200 + 46 * sin(x / 380 + phase) + spread * gap))
        paths.append(smooth(points))
    return paths


def ascent(phase: float) -> list[str]:
    """Growth curves with a common start."""
    paths = []
    for row in range(14):
        top = 350 - row * 31
        bend = 620 + 90 * sin(phase + row * 0.3)
        paths.append(f"M-20 {372 + row * 2}C{bend:.0f} {366 + row:.0f} {bend + 330:.0f} {top + 60} 1620 {top - 50}")
    return paths


def rings(phase: float) -> list[str]:
    """Concentric arcs around a point outside the picture."""
    cx, cy = 1180 + 160 * sin(phase), 470
    paths = []
    for number in range(1, 17):
        radius = 38 * number + 1.6 * number**2
        paths.append(f"M{cx - radius:.0f} {cy}a{radius:.0f} {radius:.0f} 0 0 1 {2 * radius:.0f} 0")
    return paths


COVERS = {
    "kavitha-raman": Cover(swell, 0.4, "#0a3a2f", "#3f7d6b", "#e7b95c"),
    "tan-wei-ming": Cover(ascent, 1.1, "#e9dfc8", "#b49f73", "#0b5d4b"),
    "putri-anindita": Cover(island, 0.9, "#8f4631", "#c98a70", "#f3dcae"),
    "jonathan-reyes": Cover(rings, 0.2, "#13211c", "#43574f", "#e7b95c"),
    "nguyen-hoang-long": Cover(strait, 1.9, "#cfe0d6", "#7fa797", "#b4573a"),
    "farah-nabila-ismail": Cover(island, 2.6, "#0b5d4b", "#4f9683", "#f0d394"),
    "gurdeep-singh-dhillon": Cover(ascent, 2.9, "#13211c", "#4d6158", "#d98a5f"),
    "naomi-tanaka": Cover(rings, 3.4, "#ead9cd", "#c09a83", "#0b5d4b"),
    "somchai-rattanakul": Cover(strait, 0.3, "#1f3a46", "#54798a", "#e7b95c"),
    "grace-okafor-lim": Cover(swell, 2.2, "#e6cf96", "#b08e42", "#8f4631"),
    "vincent-chew": Cover(island, 4.4, "#dfe7df", "#92ab9d", "#0b5d4b"),
    "isabelle-marchand": Cover(strait, 3.7, "#0a3a2f", "#3f7d6b", "#e0a38a"),
}


def draw(cover: Cover) -> str:
    """One cover as SVG text; one of its lines, a third of the way through, has the accent colour."""
    paths = cover.figure(cover.phase)
    chosen = len(paths) // 3
    quiet = "".join(path for number, path in enumerate(paths) if number != chosen)
    return sheet(
        WIDTH,
        HEIGHT,
        rect(0, 0, WIDTH, HEIGHT, cover.ground),
        stroke(quiet, cover.lines, 1.75),
        stroke(paths[chosen], cover.spark, 3.5),
    )


def draw_all() -> dict[str, str]:
    """Every cover as SVG text, by the advisor's slug."""
    return {slug: draw(cover) for slug, cover in COVERS.items()}
