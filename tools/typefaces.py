"""Makes the typefaces in `assets/fonts` from their full sources: `python tools/typefaces.py`.

Not needed to run or build the site. Install what it reads and uses first, in an environment of its own:
`pip install fonttools[woff]==4.68.0 fontpkg-newsreader==1.3 fontpkg-source-sans-3==3.52`.

Each typeface is split in two files. The first has the letters of English text and is small enough to be loaded before
the first paint; the second has the other Latin letters (French, Turkish, Vietnamese, ...) and is fetched only by pages
that contain one of them. `assets/site/fonts.css` has the two ranges. They must not overlap, because a browser fetches
every file whose range contains a character of the page.
"""

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parents[1] / "assets" / "fonts"
# English, with typographic signs.
FIRST = {
    *range(0x20, 0x5B),
    *range(0x61, 0x7B),
    *(0xA0, 0xA9, 0xB7, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026),
}
# Latin-1, Latin Extended-A, Vietnamese, Romanian, and the signs that such texts use.
LATIN = {
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *(0x1A0, 0x1A1, 0x1AF, 0x1B0),
    *range(0x218, 0x21C),
    *range(0x1EA0, 0x1EFA),
    *(0x201A, 0x201E, 0x2022, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2082, 0x20AB, 0x20AC, 0x2122, 0x2192, 0x2212),
}
# (file, package, source, axes kept or fixed, smallest kerning to keep, in font units)
FACES: tuple[tuple[str, str, str, dict[str, float | tuple[float, float]], int], ...] = (
    ("newsreader", "fontpkg_newsreader", "Newsreader[opsz,wght].ttf", {"opsz": 48, "wght": 500}, 40),
    ("newsreader-italic", "fontpkg_newsreader", "Newsreader-Italic[opsz,wght].ttf", {"opsz": 48, "wght": 400}, 40),
    ("source-sans", "fontpkg_source_sans_3", "SourceSans3[wght].ttf", {"wght": (400, 600)}, 45),
)


def main() -> None:
    """Write every file, and print its size and the range of its characters."""
    for name, package, source, axes, least in FACES:
        with as_file(files(package) / "files" / source) as file:
            for part, letters in ((name, FIRST), (f"{name}-more", LATIN - FIRST)):
                font = TTFont(file)
                _cut(font, letters)
                instantiateVariableFont(font, axes, inplace=True)
                _kern(font, least)
                font.flavor = "woff2"
                target = FONTS / f"{part}.woff2"
                font.save(target)
                print(f"{part}: {target.stat().st_size} bytes, U+{_ranges(set(font.getBestCmap() or {}))}")


def _cut(font: TTFont, letters: set[int]) -> None:
    options = Options(hinting=False, desubroutinize=True, layout_features=["kern", "liga"])
    options.drop_tables += ["STAT", "MVAR", "BASE"]
    options.name_IDs = [0, 13, 14]  # copyright and licence
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)


def _kern(font: TTFont, least: int) -> None:
    """Keep only kerning pairs of at least `least` units, grouped into classes."""
    pairs = {pair: value for pair, value in _pairs(font).items() if abs(value) >= least}
    del font["GPOS"]
    if not pairs:
        return
    lefts, rights = (_alike(pairs, side) for side in (0, 1))
    lines = [
        f"@{side}{i} = [{' '.join(group)}];"
        for side, groups in (("L", lefts), ("R", rights))
        for i, group in enumerate(groups)
    ]
    for i, left in enumerate(lefts):
        for j, right in enumerate(rights):
            if value := pairs.get((left[0], right[0])):
                lines.append(f"pos @L{i} @R{j} {value};")
    addOpenTypeFeaturesFromString(font, f"feature kern {{ {' '.join(lines)} }} kern;", tables=["GPOS"])


def _pairs(font: TTFont) -> dict[tuple[str, str], int]:
    """The kerning of each pair of glyphs; the first subtable that has a pair applies."""
    table = font["GPOS"].table
    found: dict[tuple[str, str], int] = {}
    lookups = (
        i
        for feature in table.FeatureList.FeatureRecord
        if feature.FeatureTag == "kern"
        for i in feature.Feature.LookupListIndex
    )
    for lookup in dict.fromkeys(lookups):
        for subtable in table.LookupList.Lookup[lookup].SubTable:
            subtable = getattr(subtable, "ExtSubTable", subtable)
            if subtable.LookupType == 2:
                for pair, value in _pairs_of(subtable, font.getGlyphOrder()):
                    found.setdefault(pair, value)
    return found


def _pairs_of(subtable: Any, glyphs: list[str]) -> Iterator[tuple[tuple[str, str], int]]:
    if subtable.Format == 1:
        for left, known in zip(subtable.Coverage.glyphs, subtable.PairSet, strict=True):
            for record in known.PairValueRecord:
                yield (left, record.SecondGlyph), getattr(record.Value1, "XAdvance", 0)
        return
    for left in subtable.Coverage.glyphs:
        row = subtable.Class1Record[subtable.ClassDef1.classDefs.get(left, 0)].Class2Record
        for right in glyphs:
            yield (left, right), getattr(row[subtable.ClassDef2.classDefs.get(right, 0)].Value1, "XAdvance", 0)


def _alike(pairs: dict[tuple[str, str], int], side: int) -> list[list[str]]:
    """Group the glyphs of one side that have the same kerning."""
    rows: dict[str, dict[str, int]] = {}
    for pair, value in pairs.items():
        rows.setdefault(pair[side], {})[pair[1 - side]] = value
    groups: dict[frozenset[tuple[str, int]], list[str]] = {}
    for glyph, row in sorted(rows.items()):
        groups.setdefault(frozenset(row.items()), []).append(glyph)
    return list(groups.values())


def _ranges(characters: set[int]) -> str:
    spans: list[list[int]] = []
    for character in sorted(characters):
        if spans and character == spans[-1][1] + 1:
            spans[-1][1] = character
        else:
            spans.append([character, character])
    return ", U+".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in spans)


if __name__ == "__main__":
    main()
