"""The SVG shapes that the drawings use."""


def area(d: str, fill: str) -> str:
    """A filled path."""
    return f'<path d="{d}" fill="{fill}"/>'


def stroke(d: str, colour: str, width: float, cap: str = "round") -> str:
    """A line along a path."""
    return (
        f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linecap="{cap}" stroke-linejoin="round"/>'
    )


def rect(x: float, y: float, w: float, h: float, fill: str, r: float = 0) -> str:
    """A rectangle, with round corners where `r` is given."""
    corner = f' rx="{r:g}"' if r else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"{corner} fill="{fill}"/>'


def disc(x: float, y: float, r: float, fill: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>'


def ring(x: float, y: float, r: float, colour: str, width: float) -> str:
    """A circle's outline."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def sheet(width: int, height: int, *parts: str) -> str:
    """A whole picture, with width and height, so that a page can reserve its space."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'
