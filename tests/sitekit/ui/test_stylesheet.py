"""The stylesheet keeps its promises: weight, contrast in both themes, fonts that exist."""

import re
import subprocess
from itertools import product
from pathlib import Path

import pytest

from rxconfig import DESK
from sitekit.server.ssr.renderer import NODE
from sitekit.ui.public import head
from sitekit.ui.scripts import FOLDER, joined, stylesheet
from tests.support.each import check_each

ASSETS = Path(__file__).parents[3] / "assets"
CSS = joined(ASSETS / "site.css")
CHAKRA = (FOLDER / "chakra_theme.js").read_text(encoding="utf-8")
DECLARATION = re.compile(r"--([\w-]+):\s*([^;]+);")


def tokens_of(theme: str) -> dict[str, str]:
    """The custom properties of the document in a theme."""
    start = CSS.index("\n:root {")
    pair = re.compile(r"light-dark\((?P<light>[^(),]+(?:\([^)]*\))?), (?P<dark>[^(),]+(?:\([^)]*\))?)\)")
    return dict(DECLARATION.findall(pair.sub(lambda colours: colours[theme], CSS[start : CSS.index("}", start)])))


LIGHT, DARK = tokens_of("light"), tokens_of("dark")


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    bright, dim = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


# What the back office shows of the same components, or draws smaller.
IN_BOTH = {
    *("form-wrong", "icon", "icon-small", "notice", "notice-place", "notices"),
    "spark",
}


def classes(css: str) -> set[str]:
    """The classes that the rules of a stylesheet are about."""
    css = re.sub(r'/\*.*?\*/|url\([^)]*\)|"[^"]*"', "", css, flags=re.S)
    selectors = [start for start in re.findall(r"([^{};]+)\{", css) if not start.strip().startswith("@")]
    return {name for selector in selectors for name in re.findall(r"\.([A-Za-z][\w-]*)", selector)}


def test_the_stylesheets_share_no_class_by_accident() -> None:
    """The back office has both: a rule of the public pages would change its screens unseen."""
    assert classes(CSS) & classes(stylesheet(DESK)) == IN_BOTH


def test_no_rule_names_the_frame_only_to_outweigh_another() -> None:
    """Chakra's rules lie in a layer, so one class outweighs them. Icons are on public pages, too."""
    framed = re.findall(r"^\s*\.(?:backoffice|chakra-portal) (\S*\.[\w-]+)", stylesheet(DESK), flags=re.M)
    assert {name for name in framed if not name.startswith(".icon")} == set()


def test_the_stylesheet_stays_within_its_size_limit() -> None:
    """As it is sent to browsers: without comments and indentation, in brotli."""
    built = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", CSS, flags=re.S))
    size = "console.log(require('zlib').brotliCompressSync(require('fs').readFileSync(0)).length)"
    printed = subprocess.run([NODE, "-e", size], input=built, capture_output=True, text=True, check=True, timeout=30)
    assert int(printed.stdout) <= 12_000
    assert "@import" not in CSS


TEXT_ON = [
    (text, ground)
    for text in ("ink", "muted", "jade", "gold-text", "danger")
    for ground in ("paper", "surface", "sunken", "jade-soft")
] + [
    ("on-jade", "jade"),
    ("on-jade", "jade-strong"),
    ("on-deep", "deep"),
    ("on-deep-muted", "deep"),
    ("spark", "deep"),
    ("ink", "danger-soft"),
    ("danger", "danger-soft"),
]


def test_every_text_color_has_enough_contrast() -> None:
    themes = {"light": LIGHT, "dark": DARK}

    def check(case: tuple[str, tuple[str, str]]) -> None:
        name, (text, ground) = case
        tokens = themes[name]
        assert contrast(tokens[text], tokens[ground]) >= 4.5

    check_each(product(themes, TEXT_ON), check)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_field_borders_have_enough_contrast(tokens: dict[str, str]) -> None:
    assert contrast(tokens["field-line"], tokens["surface"]) >= 3


def test_the_fonts_are_bundled_and_small() -> None:
    fonts = [ASSETS / path for path in re.findall(r'url\("/(fonts/[^"]+)"\)', CSS)]
    assert fonts
    assert sum(font.stat().st_size for font in fonts) <= 80_000
    assert sum((ASSETS / "fonts" / f"{name}.woff2").stat().st_size for name in head.FONTS) <= 20_000
    assert len(list((ASSETS / "fonts").glob("*-OFL.txt"))) == 2


def test_the_two_font_files_of_a_typeface_share_no_character() -> None:
    """A browser fetches every part whose range holds a character of the page, also where an earlier one has it."""
    parts: dict[str, list[set[int]]] = {}
    for face in re.findall(r"@font-face \{([^}]*)\}", CSS):
        if ranges := re.search(r"unicode-range: ([^;]+);", face):
            spans = [span.strip().removeprefix("U+").split("-") for span in ranges[1].split(",")]
            letters = {code for span in spans for code in range(int(span[0], 16), int(span[-1], 16) + 1)}
            family = re.search(r'url\("/fonts/(.+?)(?:-more)?\.woff2"\)', face)
            assert family
            parts.setdefault(family[1], []).append(letters)
    assert len(parts) == 3
    assert all(len(both) == 2 and not both[0] & both[1] for both in parts.values())
    assert all(both[0] | both[1] >= set(map(ord, "Az09\u00e9\u1ec5\u015f\u2019\u00a0")) for both in parts.values())


def test_every_used_design_token_exists() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", CSS + stylesheet() + CHAKRA))
    of_single_rules = {"corner", "ring"}  # of a picture, for its crop: see ui/js/crop.js
    own = {name for name, _ in DECLARATION.findall(stylesheet())}
    assert used - of_single_rules - own <= set(LIGHT)
