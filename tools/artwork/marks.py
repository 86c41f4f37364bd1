"""The company marks: one geometric figure each, on a coloured tile."""

from math import cos, pi, sin

from tools.artwork.svg import area, disc, rect, ring, sheet, stroke

SIZE = 128


def turned(degrees: float, inner: str) -> str:
    """The same drawing, turned about the middle of the tile."""
    return f'<g transform="rotate({degrees:g} 64 64)">{inner}</g>'


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point at a distance and a bearing from the middle of the tile."""
    angle = degrees * pi / 180
    return round(64 + radius * cos(angle), 1), round(64 + radius * sin(angle), 1)


def kelong() -> str:
    """Stilts of a fishing platform above the swell."""
    posts = "".join(rect(x, top, 8, 90 - top, "#f3ead6") for x, top in ((32, 44), (60, 26), (88, 44)))
    deck = rect(24, 56, 80, 8, "#f3ead6")
    return posts + deck + stroke("M22 92q10.5-12 21 0t21 0 21 0 21 0", "#f0b45a", 8)


def musim() -> str:
    """The sun of one harvest over three terraces."""
    terraces = "".join(
        stroke(f"M{64 - r} 100a{r} {r} 0 0 1 {2 * r} 0", colour, 9, "butt")
        for r, colour in ((40, "#28543a"), (26, "#28543a"), (12, "#28543a"))
    )
    return terraces + disc(64, 38, 14, "#c2542d")


def monsoon_grid() -> str:
    """Nine cells filling from one corner, as a battery does."""
    full, half, low = "#ffd166", "#5f8fb4", "#2d5578"
    tones = (low, half, full, half, full, full, full, full, full)
    return "".join(rect(28 + 26 * (i % 3), 28 + 26 * (i // 3), 20, 20, tone, 5) for i, tone in enumerate(tones))


def ronda() -> str:
    """A round that stays open, with the patient in the gap."""
    (x1, y1), (x2, y2) = polar(32, 0), polar(32, -90)
    arc = stroke(f"M{x1} {y1}A32 32 0 1 1 {x2} {y2}", "#ffffff", 13, "butt")
    return arc + rect(81, 30, 24, 8, "#ffc9b5", 2) + rect(89, 22, 8, 24, "#ffc9b5", 2)


def selat() -> str:
    """Two shores and the channel between them."""
    west = area("M24 24h40c-22 18 14 44-8 80H24z", "#e8eef2")
    east = area("M104 104H76c22-36-14-62 8-80h20z", "#e8eef2")
    return west + east + rect(61, 56, 14, 14, "#f28c38", 2)


def halia() -> str:
    """Three drops from one prick; one of them is the answer."""
    drop = "M64 58C50 44 52 30 64 20c12 10 14 24 0 38z"
    tones = ((0, "#d43d51"), (120, "#e9b9a6"), (240, "#e9b9a6"))
    return "".join(turned(bearing, area(drop, tone)) for bearing, tone in tones) + disc(64, 66, 6, "#4a1d2b")


def saga_seed() -> str:
    """Three seeds in an opened pod."""
    pod = area("M24 84C40 34 84 20 106 26 102 74 66 108 24 84z", "#f6e7c9")
    return pod + disc(46, 78, 10, "#c5283d") + disc(67, 62, 12, "#c5283d") + disc(88, 44, 10, "#c5283d")


def toko_tally() -> str:
    """An awning over a tally of five."""
    awning = "".join(
        area(f"M{24 + 20 * i} 26h20v14a10 10 0 0 1-20 0z", "#f7f3e8" if i % 2 else "#ffb238") for i in range(4)
    )
    strokes = "".join(rect(x, 60, 8, 44, "#f7f3e8", 2) for x in (34, 51, 68, 85))
    return awning + strokes + stroke("M28 98 100 66", "#ffb238", 8)


def second_current() -> str:
    """One current ends where the next begins."""
    first = stroke("M88 46A24 24 0 1 0 64 64", "#cdf3d4", 15, "butt")
    second = stroke("M40 82A24 24 0 1 0 64 64", "#57c785", 15, "butt")
    return f'<g transform="translate(11.5 11.5) scale(.82)">{first}{second}</g>'


def ashlar() -> str:
    """Dressed stone in courses, one block of it new."""
    stones = ((24, 28, 46), (74, 28, 30), (24, 54, 22), (76, 54, 28), (24, 80, 46), (74, 80, 30))
    return "".join(rect(x, y, w, 22, "#d9d3c7", 2) for x, y, w in stones) + rect(50, 54, 22, 22, "#e0713a", 2)


def footnote() -> str:
    """The sign that sends a reader to the bottom of the page."""
    star = "".join(
        f'<rect x="78" y="26" width="8" height="40" rx="2" fill="#f2c14e" transform="rotate({a} 82 46)"/>'
        for a in (0, 60, 120)
    )
    return (
        star + rect(24, 60, 30, 9, "#f4efe6", 2) + rect(24, 78, 80, 9, "#f4efe6", 2) + rect(24, 96, 54, 9, "#f4efe6", 2)
    )


def cyclo() -> str:
    """Three wheels, two of them carrying the load."""
    frame = stroke("M40 88 64 42 88 88z", "#173b3f", 7, "butt")
    return (
        frame
        + ring(64, 42, 15, "#173b3f", 7)
        + "".join(disc(x, 88, 18.5, "#173b3f") + disc(x, 88, 6.5, "#9fe0c2") for x in (40, 88))
        + disc(64, 42, 11.5, "#ff7f50")
    )


def orchid_sentry() -> str:
    """An orchid with a keyhole at its heart."""
    petals = "".join(
        f'<ellipse cx="64" cy="38" rx="{rx}" ry="20" fill="{tone}" transform="rotate({a} 64 64)"/>'
        for a, rx, tone in (
            (0, 13, "#d8b4e8"),
            (144, 13, "#d8b4e8"),
            (216, 13, "#d8b4e8"),
            (72, 17, "#b07cc6"),
            (288, 17, "#b07cc6"),
        )
    )
    return petals + disc(64, 64, 16, "#2b1840") + disc(64, 60, 5.5, "#f6d77a") + area("M61 61h6l3 12H58z", "#f6d77a")


def mangrove() -> str:
    """Prop roots standing in a measured tide."""
    roots = "".join(
        stroke(f"M64 48C64 72 {64 + s} 60 {64 + s} 88", "#0d4a3c", 7, "butt") for s in (-34, -17, 0, 17, 34)
    )
    crown = area("M36 50a28 28 0 0 1 56 0z", "#0d4a3c")
    return crown + roots + "".join(rect(22, y, 84, 5, "#c9763b", 2.5) for y in (86, 98))


def tiffin() -> str:
    """Three tins and their handle."""
    tins = "".join(rect(36, y, 56, 18, tone, 4) for y, tone in ((46, "#fbe3c0"), (67, "#f0a35e"), (88, "#fbe3c0")))
    return stroke("M44 46V36a12 12 0 0 1 12-12h16a12 12 0 0 1 12 12v10", "#fbe3c0", 6, "butt") + tins


def bayan() -> str:
    """A phrase as it sounds, with the word that changes language."""
    heights = (16, 36, 62, 80, 48, 70, 28)
    return "".join(
        rect(24 + 12 * i, 64 - h / 2, 8, h, "#ff9f6b" if i == 4 else "#e9ecff", 4) for i, h in enumerate(heights)
    )


def ikat_loop() -> str:
    """A woven diamond with the stepped edge that dyed thread leaves."""
    steps = "M64 20h8v8h8v8h8v8h8v8h8v24h-8v8h-8v8h-8v8h-8v8H56v-8h-8v-8h-8v-8h-8v-8h-8V52h8v-8h8v-8h8v-8h8v-8z"
    diamond = area("M64 44h6v6h6v6h6v16h-6v6h-6v6H58v-6h-6v-6h-6V56h6v-6h6v-6z", "#22345e")
    return area(steps, "#efe2cd") + diamond + rect(58, 58, 12, 12, "#d9583b")


def perigee() -> str:
    """A warm planet and the nearest point of an orbit."""
    orbit = '<ellipse cx="64" cy="64" rx="46" ry="20" fill="none" stroke="#f4f0ff" stroke-width="5"/>'
    front = stroke("M18 64a46 20 0 0 0 92 0", "#f4f0ff", 5, "butt")
    return turned(-32, orbit + disc(64, 64, 25, "#ff6b4a") + front + disc(22, 72, 8, "#ffd08a"))


def barnacle() -> str:
    """Six plates of a shell around its opening."""
    plates = []
    for i in range(6):
        (ax, ay), (bx, by) = polar(44, 60 * i + 3), polar(44, 60 * i + 57)
        (cx, cy), (dx, dy) = polar(17, 60 * i + 53), polar(17, 60 * i + 7)
        plates.append(area(f"M{ax} {ay}L{bx} {by} {cx} {cy} {dx} {dy}z", "#8fd3e8" if i % 2 else "#e6f6fa"))
    return "".join(plates) + disc(64, 64, 8, "#ffb84d")


def sawit() -> str:
    """A palm's crown over the one fruit that is traced."""
    fronds = "".join(
        stroke(f"M64 78Q{64 + side * bend} {lift} {64 + side * reach} {fall}", tone, 9)
        for bend, lift, reach, fall, tone in (
            (12, 56, 42, 84, "#7fb069"),
            (16, 34, 42, 54, "#a9cf8f"),
            (4, 34, 20, 28, "#d6e8c3"),
        )
        for side in (-1, 1)
    )
    return fronds + disc(64, 92, 13, "#e4572e")


def kinfold() -> str:
    """Two sheets folded into one roof."""
    left = area("M24 62 64 26v40L44 84v20H24z", "#fff4e6")
    right = area("M104 62 64 26v40l20 18v20h20z", "#f7b267")
    return left + right + disc(64, 94, 10, "#fff4e6")


def tideline() -> str:
    """A coin with the tide coming in."""
    wave = "".join(
        stroke(f"M14 {y}q12.5-13 25 0t25 0 25 0 25 0", tone, 9, "butt")
        for y, tone in ((66, "#1f6fb2"), (83, "#1f6fb2"), (100, "#1f6fb2"))
    )
    clip = '<clipPath id="coin"><circle cx="64" cy="64" r="42"/></clipPath>'
    return f'{clip}{disc(64, 64, 42, "#f3f7fb")}<g clip-path="url(#coin)">{wave}</g>{disc(64, 42, 7, "#f2b134")}'


MARKS = {
    "kelong-systems": ("#0f4c5c", kelong),
    "musim": ("#efd9a0", musim),
    "monsoon-grid": ("#16324a", monsoon_grid),
    "ronda-health": ("#c8553d", ronda),
    "selat-freight": ("#1d4e6b", selat),
    "halia-diagnostics": ("#f7ece4", halia),
    "saga-seed": ("#2f4a3c", saga_seed),
    "toko-tally": ("#7a2e3b", toko_tally),
    "second-current": ("#0d3b36", second_current),
    "ashlar-materials": ("#3b3f45", ashlar),
    "footnote": ("#2c2a4a", footnote),
    "cyclo-electric": ("#9fe0c2", cyclo),
    "orchid-sentry": ("#2b1840", orchid_sentry),
    "mangrove-metrics": ("#d5e3c8", mangrove),
    "tiffin-cloud": ("#8c3b2a", tiffin),
    "bayan-voice": ("#2a3a8f", bayan),
    "ikat-loop": ("#22345e", ikat_loop),
    "perigee-thermal": ("#1d1836", perigee),
    "barnacle-robotics": ("#12475a", barnacle),
    "sawit-trace": ("#1f3d2b", sawit),
    "kinfold-care": ("#a4486a", kinfold),
    "tideline-pay": ("#14406b", tideline),
}


def draw_all() -> dict[str, str]:
    """Every mark as SVG text, by the company's slug."""
    return {
        slug: sheet(SIZE, SIZE, rect(0, 0, SIZE, SIZE, ground, 28), drawing())
        for slug, (ground, drawing) in MARKS.items()
    }
