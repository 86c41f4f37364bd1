"""The portraits, composed of faces, hair and clothes from `features`, `hair` and `dress`."""

from dataclasses import dataclass

from tools.artwork import dress, features, hair
from tools.artwork.features import Face
from tools.artwork.hair import Hair
from tools.artwork.svg import area, disc, sheet

WIDTH, HEIGHT = 400, 500

PORCELAIN, HONEY, TAN, BROWN, UMBER = (
    features.Skin("#f1d3ba", "#dcae8e", "#b5705a"),
    features.Skin("#e6ba92", "#c99268", "#a05f48"),
    features.Skin("#cf9a6c", "#ad7649", "#87492f"),
    features.Skin("#a86f49", "#865234", "#66331f"),
    features.Skin("#78492f", "#5a3421", "#3f1f14"),
)
BLACK, SOFT_BLACK, CHESTNUT, GREY, SILVER = "#1b1a1c", "#2a2422", "#4a2f24", "#6d6f70", "#b9b8b2"

INK, DEEP, PAPER, GOLD, CLAY = "#1d2b2a", "#0a3a2f", "#f8f4ea", "#c9973f", "#a9533a"

PLAIN = Face()


@dataclass(frozen=True)
class Sitter:
    """One portrait: background, face, parts behind and in front of it, and clothes."""

    ground: tuple[str, str]
    skin: features.Skin
    hair: Hair
    clothes: str
    face: Face = PLAIN
    extras: str = ""
    halo: tuple[int, int, int] = (200, 230, 168)
    brow: str = SOFT_BLACK


SITTERS = {
    "adeline-koh": Sitter(
        ("#cfdfd4", "#e9f0e8"),
        PORCELAIN,
        hair.bob(BLACK, "#34302f"),
        dress.blazer(DEEP, "#06291f", PAPER),
        extras=features.earrings(GOLD),
        halo=(235, 215, 170),
    ),
    "rajan-subramaniam": Sitter(
        ("#e3c78b", "#efdcb0"),
        BROWN,
        hair.swept(GREY, "#85878a"),
        dress.open_collar(PAPER, "#dcd5c3", INK),
        Face(jaw=14),
        features.moustache("#55585a") + features.spectacles(INK, round_=False),
        (165, 225, 172),
    ),
    "siti-aisyah-rahman": Sitter(
        ("#e6cdbf", "#f3e4da"),
        HONEY,
        hair.hijab("#0f6b58", "#0a4f41"),
        dress.draped("#0f6b58", "#0a4f41", INK),
        halo=(215, 245, 175),
    ),
    "daniel-tay": Sitter(
        ("#1f3a34", "#2e5148"),
        PORCELAIN,
        hair.quiff(BLACK, "#3a3534"),
        dress.crew("#b9b2a0", "#9a937f"),
        Face(jaw=6),
        features.spectacles("#2a2422"),
        (200, 220, 165),
    ),
    "le-thi-minh-chau": Sitter(
        ("#efe0c2", "#f8efdc"),
        HONEY,
        hair.long_hair(BLACK, "#38302e"),
        dress.mandarin("#a9473a", "#8a3529", GOLD),
        halo=(240, 240, 180),
    ),
    "harpreet-singh-gill": Sitter(
        ("#d8e2d6", "#edf2ea"),
        TAN,
        hair.turban("#1f4f78", "#173c5c", "#2f6796"),
        dress.blazer("#4b5a53", "#3a4741", PAPER),
        Face(jaw=12),
        features.full_beard(BLACK, TAN),
        (200, 250, 178),
    ),
    "celine-marquez": Sitter(
        ("#c9836a", "#dda28b"),
        TAN,
        hair.waves(CHESTNUT, "#5f3e30"),
        dress.crew(PAPER, "#ddd5c2"),
        extras=features.earrings("#e7c474"),
        halo=(165, 220, 170),
    ),
    "marcus-wijaya": Sitter(
        ("#c8d3cf", "#dfe7e3"),
        TAN,
        hair.crop(SOFT_BLACK, "#443a36"),
        dress.batik("#5b3524", "#d6a45c"),
        Face(jaw=10),
        halo=(230, 230, 172),
    ),
    "kavitha-raman": Sitter(
        ("#e9d6b0", "#f4e8cd"),
        BROWN,
        hair.bun(GREY, "#8a8c8d"),
        dress.sari("#0b5d4b", "#c9973f", "#7d2f3c"),
        extras=features.bindi() + features.earrings(GOLD),
        halo=(170, 230, 175),
    ),
    "tan-wei-ming": Sitter(
        ("#23343b", "#35505a"),
        HONEY,
        hair.receding(SILVER, "#d0cfc9"),
        dress.suit("#141f24", "#0c1518", PAPER, CLAY),
        Face(jaw=10, lines=True),
        features.spectacles("#101416", round_=False),
        (225, 225, 168),
        "#8d8c88",
    ),
    "putri-anindita": Sitter(
        ("#d9e5dc", "#eef4ef"),
        TAN,
        hair.side_ponytail(BLACK, "#38302e"),
        dress.batik("#12384a", "#d9b779"),
        extras=features.earrings("#d9b779"),
        halo=(225, 225, 175),
    ),
    "jonathan-reyes": Sitter(
        ("#e7cfb9", "#f3e3d4"),
        TAN,
        hair.quiff(SOFT_BLACK, "#443a36"),
        dress.barong("#f4ead2", "#cdb98c"),
        Face(jaw=12),
        features.stubble(TAN),
        (180, 230, 170),
    ),
    "nguyen-hoang-long": Sitter(
        ("#b9cfc6", "#d4e3dc"),
        HONEY,
        hair.crop(BLACK, "#3a3534"),
        dress.open_collar("#3d6a8a", "#2d5069", INK),
        Face(jaw=8, lines=True),
        halo=(230, 220, 170),
    ),
    "farah-nabila-ismail": Sitter(
        ("#0f4a3d", "#1d6353"),
        PORCELAIN,
        hair.hijab("#e5cfa6", "#cbb284"),
        dress.draped("#e5cfa6", "#cbb284", "#5d2438"),
        extras=features.spectacles("#5d2438"),
        halo=(185, 240, 178),
    ),
    "gurdeep-singh-dhillon": Sitter(
        ("#d6b06a", "#e6c98f"),
        BROWN,
        hair.turban("#8d2f2a", "#6f211e", "#a8433c"),
        dress.suit(INK, "#111c1b", PAPER, GOLD),
        Face(jaw=14, lines=True),
        features.full_beard("#c9c7c0", BROWN),
        (200, 250, 180),
        "#a9a7a1",
    ),
    "naomi-tanaka": Sitter(
        ("#f0e3d6", "#faf3ea"),
        PORCELAIN,
        hair.pixie(SOFT_BLACK, "#453b38"),
        dress.turtleneck("#2b2b33", "#1c1c23"),
        extras=features.earrings("#b4573a"),
        halo=(230, 235, 175),
    ),
    "somchai-rattanakul": Sitter(
        ("#cdd9c9", "#e3ebdf"),
        TAN,
        hair.side_part(GREY, "#87898a"),
        dress.mandarin("#24433c", "#183029", GOLD),
        Face(jaw=14, lines=True),
        halo=(170, 225, 172),
    ),
    "grace-okafor-lim": Sitter(
        ("#e4bd72", "#f0d59f"),
        UMBER,
        hair.curls(BLACK, "#332c2b"),
        dress.blazer("#a9473a", "#8a3529", "#f1e2c4"),
        extras=features.earrings(PAPER),
        halo=(200, 225, 182),
        brow="#1a1210",
    ),
    "vincent-chew": Sitter(
        ("#dcd3c6", "#ece6dc"),
        HONEY,
        hair.side_part(SOFT_BLACK, "#453b38"),
        dress.layered("#4d6a3f", "#3b5330", PAPER),
        Face(jaw=8),
        features.spectacles("#3b2a20") + features.goatee(SOFT_BLACK),
        (225, 235, 172),
    ),
    "isabelle-marchand": Sitter(
        ("#31424a", "#465c66"),
        PORCELAIN,
        hair.mirrored(hair.waves("#8c5a34", "#a8713f")),
        dress.turtleneck("#d8c7a3", "#bda97f"),
        halo=(175, 225, 172),
        brow="#5d3b24",
    ),
}


def draw(sitter: Sitter) -> str:
    """One portrait as SVG text, drawn from back to front."""
    ground, light = sitter.ground
    x, y, radius = sitter.halo
    worn = [sitter.hair.front, sitter.extras]
    return sheet(
        WIDTH,
        HEIGHT,
        f'<clipPath id="face"><path d="{features.outline(sitter.face)}"/></clipPath>',
        area(f"M0 0h{WIDTH}v{HEIGHT}H0z", ground),
        disc(x, y, radius, light),
        sitter.hair.back,
        features.neck(sitter.skin),
        sitter.clothes,
        features.head(sitter.skin, sitter.face, sitter.brow, ears=sitter.hair.shows_ears),
        *(reversed(worn) if sitter.hair.over_extras else worn),
    )


def draw_all() -> dict[str, str]:
    """Every portrait as SVG text, by the person's slug."""
    return {slug: draw(sitter) for slug, sitter in SITTERS.items()}
