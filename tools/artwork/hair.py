"""Hair and headdress for the portraits, each in a part behind the head and a part in front of it."""

from typing import NamedTuple

from tools.artwork.svg import area, disc, stroke


class Hair(NamedTuple):
    """Hair or headdress: the part behind the head, and the part in front of it."""

    back: str
    front: str
    shows_ears: bool = True
    over_extras: bool = False


def mirrored(hair: Hair) -> Hair:
    """The same hair, combed the other way."""
    flip = '<g transform="matrix(-1 0 0 1 400 0)">'
    return hair._replace(back=f"{flip}{hair.back}</g>", front=f"{flip}{hair.front}</g>")


def bob(colour: str, sheen: str) -> Hair:
    """A chin-length bob, parted at the side."""
    back = area(
        "M200 78c-54 0-86 38-86 96 0 50-8 84-6 122 26 16 56 20 92 20s66-4 92-20c2-38-6-72-6-122 0-58-32-96-86-96z",
        colour,
    )
    front = area(
        "M176 108c-28 26-36 62-36 112 0 28-4 46-6 62-12-4-20-8-24-12-2-34 0-66 6-104 8-56 38-88 84-88"
        "s76 32 84 88"
        "c6 38 8 70 6 104-4 4-12 8-24 12-2-16-6-34-6-62 0-44-14-70-42-84-18-8-32-16-42-28z",
        colour,
    )
    return Hair(back, front + stroke("M150 118c-16 24-22 56-24 96M226 112c22 14 38 44 42 84", sheen, 3), False)


def long_hair(colour: str, sheen: str) -> Hair:
    """Long straight hair, parted in the middle."""
    back = area("M200 78c-56 0-88 38-88 98 0 90-14 150-22 206h220c-8-56-22-116-22-206 0-60-32-98-88-98z", colour)
    front = area(
        "M200 82c-50 0-82 34-84 92l-6 130"
        "c10 12 22 20 32 22-4-40-6-80-4-124 20-18 46-50 62-96 16 46 42 78 62 96"
        " 2 44 0 84-4 124 10-2 22-10 32-22l-6-130c-2-58-34-92-84-92z",
        colour,
    )
    return Hair(back, front + stroke("M186 96c-34 16-52 48-56 96M214 96c34 16 52 48 56 96", sheen, 3), False)


def waves(colour: str, sheen: str) -> Hair:
    """Shoulder-length waves, swept from one side."""
    back = area(
        "M204 74c-60-4-98 36-96 94 2 30-18 42-16 72 2 26-14 38-10 66 6 40 60 50 118 50"
        "s112-10 118-50c4-28-12-40-10-66"
        " 2-30-18-42-16-72 2-58-28-90-88-94z",
        colour,
    )
    front = area(
        "M232 100"
        "c-16 46-48 70-92 84-4 30 2 44-8 66-6 14-4 30 2 46-22-2-36-14-36-34 0-22 14-32 14-56 0-20-4-30-2-48"
        " 6-52 40-82 88-84 56-2 92 30 94 84 0 18-2 28-2 48 0 24 14 34 14 56 0 20-14 32-36 34 6-16 8-32 2-46"
        "-10-22-4-42-6-68-2-36-14-62-32-82z",
        colour,
    )
    return Hair(back, front + stroke("M218 96c-22 36-56 54-96 66M248 108c22 26 28 54 30 86", sheen, 3), False)


def bun(colour: str, sheen: str) -> Hair:
    """Hair drawn back into a low bun, with jasmine round it."""
    jasmine = "".join(disc(x, y, 5, "#fbf6e6") for x, y in ((245, 296), (256, 292), (265, 285), (271, 275), (273, 264)))
    back = disc(244, 264, 28, colour) + jasmine + area("M128 190c-6-66 26-104 72-104s82 38 78 104l-14 40H138z", colour)
    front = area("M134 206c-10-72 18-122 66-122s76 50 66 122c-6-42-22-72-66-88-44 16-60 46-66 88z", colour)
    return Hair(back, front + stroke("M196 92c-30 10-48 38-54 76M206 92c30 10 48 38 54 76", sheen, 3))


def side_ponytail(colour: str, sheen: str) -> Hair:
    """A fringe and a tail over one shoulder."""
    back = area(
        "M130 200c-10-72 18-118 70-118s80 46 72 116c-2 24 22 44 26 92 4 44-10 86-40 112-18-40-20-90-14-140z",
        colour,
    )
    front = area(
        "M132 214c-12-80 16-132 70-132s78 50 68 130c-4-24-10-42-20-56-34 2-70-8-90-30-2 36-24 50-28 88z",
        colour,
    )
    return Hair(back, front + stroke("M166 104c14 24 46 40 84 42M278 270c10 36 4 76-14 102", sheen, 3))


def pixie(colour: str, sheen: str) -> Hair:
    """A short cut with a long fringe."""
    back = area("M126 214c-12-82 18-134 74-134s88 50 74 134l-14 30H140z", colour)
    front = area(
        "M130 228"
        "c-16-88 14-148 76-148 54 0 80 46 66 "
        "140-4-8-8-20-12-40-30-4-62-18-82-48-8 34-34 46-38 66 0 12-4 22-10 30z",
        colour,
    )
    return Hair(back, front + stroke("M186 100c18 32 48 52 80 58M160 108c-14 18-22 36-24 58", sheen, 3))


def curls(colour: str, sheen: str) -> Hair:
    """A rounded crown of curls."""
    crown = (
        (200, 96, 58),
        (148, 112, 44),
        (252, 112, 44),
        (118, 158, 38),
        (282, 158, 38),
        (120, 208, 30),
        (280, 208, 30),
    )
    back = "".join(disc(x, y, r, colour) for x, y, r in crown)
    edge = (
        (146, 146, 18),
        (166, 124, 20),
        (200, 114, 22),
        (234, 124, 20),
        (254, 146, 18),
        (137, 172, 12),
        (263, 172, 12),
    )
    front = "".join(disc(x, y, r, colour) for x, y, r in edge)
    rings = "M120 130q8-16 24-12M172 76q14-12 30-4M240 80q16 0 22 14M276 138q14 4 14 20M104 176q-2-14 10-20"
    return Hair(back, front + stroke(rings, sheen, 4))


def crop(colour: str, sheen: str) -> Hair:
    """A close crop."""
    cut = "M132 196c-10-70 14-108 68-108s78 38 68 108c-4-10-6-24-10-40-8-20-30-28-58-28s-50 8-58 28c-4 16-6 30-10 40z"
    return Hair("", area(cut, colour) + stroke("M160 112q40-18 80 0", sheen, 3))


def quiff(colour: str, sheen: str) -> Hair:
    """Short sides and a lifted front."""
    cut = (
        "M134 198"
        "c-12-56-4-96 26-108 10-18 60-26 88-6 24 16 30 60 18 "
        "114-4-12-6-28-10-46-24 0-62-2-86-24-10 18-22 24-26 34-4 14-6 26-10 36z"
    )
    return Hair("", area(cut, colour) + stroke("M172 104c22 16 52 22 82 20M184 92c20 10 42 14 62 12", sheen, 3))


def side_part(colour: str, sheen: str) -> Hair:
    """Neat hair with a side parting."""
    cut = (
        "M134 200"
        "c-12-66 10-114 66-114 58 0 80 44 66 "
        "114-4-14-6-30-12-48-14-10-24-18-30-30-20 14-46 20-74 24-8 16-12 38-16 54z"
    )
    return Hair("", area(cut, colour) + stroke("M222 120c-18-4-46 4-70 16M226 116c14 4 26 16 34 34", sheen, 3))


def swept(colour: str, sheen: str) -> Hair:
    """Full hair combed back."""
    cut = (
        "M132 202c-14-74 12-122 68-122s82 48 68 122c-4-22-8-42-18-58-14-14-32-20-50-20s-36 6-50 20c-10 16-14 36-18 58z"
    )
    return Hair(
        "",
        area(cut, colour)
        + stroke("M168 128c2-18 12-30 24-36M200 122c0-14 4-24 8-32M232 128c-2-16-6-26-12-32", sheen, 3),
    )


def receding(colour: str, sheen: str) -> Hair:
    """Hair at the sides and a high forehead."""
    sides = (
        "M134 206c-12-42-8-66 10-82-4 14-2 20-2 30-2 16-4 32-8 52"
        "zM266 206c12-42 8-66-10-82 4 14 2 20 2 30 2 16 4 32 8 52z"
    )
    top = "M138 156C142 108 168 92 200 92s58 16 62 64c-10-30-32-40-62-40s-52 10-62 40z"
    return Hair("", area(sides + top, colour) + stroke("M168 106q32-12 64 0", sheen, 2.5))


def hijab(colour: str, fold: str) -> Hair:
    """A draped headscarf, pinned under the chin; the clothes carry its lower folds."""
    back = area("M200 70c-66 0-98 46-96 112 2 70-8 120-34 170h260c-26-50-36-100-34-170 2-66-30-112-96-112z", fold)
    front = (
        "M200 72c-62 0-94 44-92 108 2 74 18 122 92 158 74-36 90-84 92-158 2-64-30-108-92-108z"
        "M200 120c34 0 54 24 54 66 0 62-24 108-54 108s-54-46-54-108c0-42 20-66 54-66z"
    )
    scarf = f'<path d="{front}" fill="{colour}" fill-rule="evenodd"/>'
    return Hair(
        back,
        scarf + stroke("M122 150c-2 70 18 124 62 160M146 104c30-24 78-24 108 0M280 210c-6 40-24 74-56 98", fold, 3.5),
        False,
        True,
    )


def turban(colour: str, fold: str, light: str) -> Hair:
    """A tied turban whose wraps cross over the forehead."""
    wrap = "M120 178c-18-74 22-124 80-124s98 50 80 124c-18-22-44-40-80-58-36 18-62 36-80 58z"
    lay = area("M200 120c-10-34 4-58 42-58 34 12 52 56 38 116-18-22-44-40-80-58z", light)
    wraps = (
        "M128 150c14-34 40-60 76-74M122 164c18-32 44-56 78-70M200 112"
        "c26-8 52-22 66-36M206 116c26-4 54-16 70-30M214 122c24 0 46-6 66-18"
    )
    under = area("M180 124l20-14 20 14-20 8z", fold)
    return Hair("", area(wrap, colour) + lay + under + stroke(wraps, fold, 3.5), True, True)
