"""Faces for the portraits, with glasses, jewellery and beards: flat shapes on 400 by 500, lit from the left."""

from typing import NamedTuple

from tools.artwork.svg import area, disc, stroke


class Skin(NamedTuple):
    """A skin in three tones: light, shade, and the lips and creases."""

    light: str
    shade: str
    deep: str


class Face(NamedTuple):
    """The extra width of the jaw, and whether the face has wrinkles."""

    jaw: int = 0
    lines: bool = False


def outline(face: Face) -> str:
    """The contour of the face, from the left temple round by the chin."""
    inward, chin = 24 - face.jaw / 2, 38 + face.jaw / 2
    return (
        f"M138 186C136 134 162 104 200 104s64 30 62 82c-1 34-{inward - 14:g} 62-{inward:g} 84"
        f"-10 17-24 28-{chin:g} 28s-28-11-{chin:g}-28c-14-22-{inward - 1:g}-50-{inward:g}-84z"
    )


def neck(skin: Skin) -> str:
    """The neck, in the shadow of the chin."""
    return area("M166 262h68v70c4 14 8 20 16 27l-50 60-50-60c8-7 12-13 16-27z", skin.light) + area(
        "M166 276c10 20 20 30 34 30s26-12 34-32v58c2 5 4 9 7 13-28-2-60-20-75-50z", skin.shade
    )


def head(skin: Skin, face: Face, brow: str, *, ears: bool) -> str:
    """The head with its features; the right side and the nose are shaded."""
    sides = (
        "".join(
            f'<ellipse cx="{x}" cy="206" rx="12" ry="19" fill="{tone}"/>'
            for x, tone in ((138, skin.light), (262, skin.shade))
        )
        if ears
        else ""
    )
    shade = "M214 100c-7 36-9 60-6 84l9 48c1 8-5 11-13 11 5 20 4 40-2 60h72V100z"
    eyes = "".join(
        stroke(f"M{x} 199q11-10 22 0", "#221a18", 3.5) + disc(x + 11, 199, 4.6, "#221a18") for x in (161, 217)
    )
    brows = stroke("M157 180q14-9 28-3", brow, 5) + stroke("M215 177q14-6 28 3", brow, 5)
    mouth = stroke("M181 262q19 14 38 0", skin.deep, 4.5) + stroke("M193 275q7 3 14 0", skin.shade, 3)
    years = (
        stroke("M166 238q-6 10-4 20M234 238q6 10 4 20M178 148q22-5 44 0", skin.deep + "66", 2.5) if face.lines else ""
    )
    return (
        sides
        + area(outline(face), skin.light)
        + f'<path d="{shade}" fill="{skin.shade}" opacity=".62" clip-path="url(#face)"/>'
        + eyes
        + brows
        + stroke("M196 243q6 4 13 0", skin.deep, 3)
        + mouth
        + years
    )


def spectacles(colour: str, *, round_: bool = True) -> str:
    """Spectacles, round or square."""
    corner = 23 if round_ else 9
    height = 46 if round_ else 36
    top = 198 - height / 2
    lenses = "".join(f'<rect x="{x}" y="{top:g}" width="46" height="{height}" rx="{corner}"/>' for x in (149, 205))
    arms = '<path d="M195 194q5-4 10 0M149 194l-12-4M251 194l12-4"/>'
    return f'<g fill="#fff" fill-opacity=".12" stroke="{colour}" stroke-width="4.5">{lenses}{arms}</g>'


def earrings(colour: str) -> str:
    """A small stud at each lobe."""
    return "".join(disc(x, 229, 6, colour) for x in (134, 266))


def bindi() -> str:
    """A bindi between the brows."""
    return disc(200, 172, 4.5, "#8d2f2a")


def moustache(colour: str) -> str:
    """A full moustache."""
    return area("M170 260c4-12 20-16 30-10 10-6 26-2 30 10-10 2-20 0-30-3-10 3-20 5-30 3z", colour)


def goatee(colour: str) -> str:
    """A short beard on the chin."""
    return area("M180 280c6-6 34-6 40 0 0 10-8 20-20 20s-20-10-20-20z", colour) + stroke(
        "M182 252q18-9 36 0", colour, 5
    )


def stubble(skin: Skin) -> str:
    """A day's growth: the jaw in a darker tone."""
    d = "M138 214c8 40 26 34 40 34s12-2 22-2 8 2 22 2 32 6 40-34v84H138zM183 259q17 10 34 0 4 10-17 10t-17-10z"
    return f'<path d="{d}" fill="{skin.deep}" opacity=".3" clip-path="url(#face)" fill-rule="evenodd"/>'


def full_beard(colour: str, skin: Skin) -> str:
    """A dressed beard and moustache around the mouth."""
    beard = (
        "M134 200c6 34 18 46 32 48 12 0 20-8 34-8s22 8 34 8"
        "c14-2 26-14 32-48 6 50-2 92-22 116-14 16-30 22-44 22"
        "s-30-6-44-22c-20-24-28-66-22-116z"
    )
    mouth = area("M183 264q17-8 34 0-4 12-17 12t-17-12z", skin.deep)
    return (
        area(beard, colour)
        + mouth
        + area("M168 262c6-14 22-18 32-12 10-6 26-2 32 12-12-4-22-4-32 0-10-4-20-4-32 0z", colour)
    )
