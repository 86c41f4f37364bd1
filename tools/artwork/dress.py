"""Clothes for the portraits, from the neck to the bottom of the picture; one function each."""

from tools.artwork.svg import area, stroke

BODY = "M0 500c4-62 30-98 84-116l74-28c12 26 26 38 42 38s30-12 42-38l74 28c54 18 80 54 84 116z"
SHADE = "M262 500c10-40 12-88 4-138l50 22c54 18 80 54 84 116z"


def body(colour: str, shade: str) -> str:
    """Shoulders and chest, with the right arm's side shaded."""
    return area(BODY, colour) + area(SHADE, shade)


def crew(colour: str, shade: str) -> str:
    """A plain round-necked knit."""
    return body(colour, shade) + stroke("M156 358c12 30 26 44 44 44s32-14 44-44", shade, 9)


def turtleneck(colour: str, shade: str) -> str:
    """A fine roll-neck."""
    roll = area("M162 316c22 16 54 16 76 0l8 42c-10 26-28 40-46 40s-36-14-46-40z", colour)
    return body(colour, shade) + roll + stroke("M158 346c24 20 60 20 84 0", shade, 3.5)


def open_collar(colour: str, shade: str, line: str) -> str:
    """A shirt with the top button undone."""
    points = area("M158 344l-18 22 30 48 30-22zM242 344l18 22-30 48-30-22z", colour)
    edges = stroke("M140 366l30 48 30-22 30 22 30-48", shade, 4)
    buttons = "".join(f'<circle cx="206" cy="{y}" r="3.5" fill="{line}" opacity=".55"/>' for y in (436, 474))
    return body(colour, shade) + points + edges + stroke("M200 396v104", shade, 3) + buttons


def blazer(colour: str, shade: str, shirt: str) -> str:
    """A jacket over a plain top."""
    top = area("M158 356c12 24 26 34 42 34s30-10 42-34l22 20-64 124-64-124z", shirt)
    lapels = area("M150 352l-34 22-4 44 28 8-8 16 68 58zM250 352l34 22 4 44-28 8 8 16-68 58z", shade)
    return (
        body(colour, shade)
        + top
        + lapels
        + stroke("M150 352l-34 22-4 44 28 8-8 16 68 58 68-58-8-16 28-8-4-44-34-22", colour, 3)
    )


def suit(colour: str, shade: str, shirt: str, tie: str) -> str:
    """A dark suit, white collar and tie."""
    top = area("M158 352l42 42 42-42 22 24-64 124-64-124z", shirt)
    knot = area("M188 394h24l-5 20 15 62-22 24-22-24 15-62z", tie)
    collar = area("M160 340l-10 20 28 44 22-16zM240 340l10 20-28 44-22-16z", "#ffffff")
    lapels = area("M148 354l-34 22-4 42 28 8-8 16 70 58zM252 354l34 22 4 42-28 8 8 16-70 58z", shade)
    return body(colour, shade) + top + knot + collar + lapels


def layered(colour: str, shade: str, shirt: str) -> str:
    """A cardigan over a collared shirt."""
    top = area("M158 352c12 24 26 36 42 36s30-12 42-36l12 12-54 112-54-112z", shirt)
    collar = area("M160 340l-14 20 28 42 26-18zM240 340l14 20-28 42-26-18z", "#ffffff")
    edge = stroke("M146 362l54 116 54-116M200 478v22", shade, 7)
    return body(colour, shade) + top + collar + edge + stroke("M146 360l28 42 26-18 26 18 28-42", "#cfc6b2", 2.5)


def mandarin(colour: str, shade: str, trim: str) -> str:
    """A stand collar with knotted fastenings."""
    collar = area("M160 322c24 18 56 18 80 0l8 36c-12 26-28 38-48 40-20-2-36-14-48-40z", colour)
    edge = stroke("M161 326c24 18 54 18 78 0M200 390v-54", trim, 3.5)
    knots = "".join(stroke(f"M188 {y}h24", trim, 5) for y in (412, 444, 476))
    return body(colour, shade) + collar + edge + stroke("M200 390v110", shade, 3) + knots


def barong(colour: str, trim: str) -> str:
    """A sheer embroidered shirt with a small collar."""
    points = area("M160 340l-14 22 30 40 24-18zM240 340l14 22-30 40-24-18z", "#fffaf0")
    panel = "".join(stroke(f"M{x} {y}l9 11-9 11-9-11z", trim, 2.5) for x in (176, 224) for y in (416, 446, 476))
    return (
        body(colour, "#e4d6b4")
        + panel
        + stroke("M200 386v114", trim, 3)
        + points
        + stroke("M146 362l30 40 24-18 24 18 30-40", trim, 3)
    )


def batik(ground: str, motif: str) -> str:
    """A shirt in a batik of four-petalled flowers."""
    flower = "q9 10 0 20q-9-10 0-20m0 24q9 10 0 20q-9-10 0-20m-2-2q-10 9-20 0q10-9 20 0m4 0q10-9 20 0q-10 9-20 0"
    cloth = (
        '<pattern id="cloth" width="54" height="54" patternUnits="userSpaceOnUse">'
        + area(f"M27 5{flower}M0 32{flower}M54 32{flower}M0-22{flower}M54-22{flower}", motif)
        + "</pattern>"
    )
    collar = area("M158 344l-18 22 30 48 30-22zM242 344l18 22-30 48-30-22z", ground)
    edge = stroke("M140 366l30 48 30-22 30 22 30-48", motif, 2.5)
    return cloth + area(BODY, ground) + area(BODY, "url(#cloth)") + collar + edge


def sari(colour: str, border: str, blouse: str) -> str:
    """A sari drawn over the left shoulder, with a woven border."""
    drape = area("M0 500c4-62 30-98 84-116l74-28c26 40 84 96 170 144z", colour)
    return (
        area(BODY, blouse)
        + drape
        + stroke("M150 362c32 50 92 98 166 138", border, 9)
        + stroke("M96 388c24 44 60 82 104 112M52 408c18 36 40 66 68 92", "#084436", 3)
    )


def draped(colour: str, fold: str, gown: str) -> str:
    """The lower folds of a headscarf over a gown."""
    fall = area("M112 306c-20 38-40 60-66 78 46 34 96 70 150 88 56-20 106-52 152-84-30-20-48-44-60-82z", colour)
    folds = stroke("M128 344c20 44 50 76 92 96M276 340c-20 52-60 92-116 112M104 366c10 22 26 40 44 54", fold, 3.5)
    return area(BODY, gown) + fall + folds
