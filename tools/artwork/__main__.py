"""Writes every drawing into assets/images: `python -m tools.artwork`."""

from pathlib import Path

from tools.artwork import covers, marks, portraits

IMAGES = Path(__file__).resolve().parents[2] / "assets" / "images"


def write_all(images: Path = IMAGES) -> int:
    """Write each picture to `images/{folder}/{slug}.svg`, reproducibly; returns the number of files."""
    drawings = {
        "companies": marks.draw_all(),
        "people": portraits.draw_all(),
        "covers": covers.draw_all(),
    }
    for folder, pictures in drawings.items():
        (images / folder).mkdir(parents=True, exist_ok=True)
        for slug, svg in pictures.items():
            (images / folder / f"{slug}.svg").write_text(svg + "\n", encoding="utf-8")
    return sum(map(len, drawings.values()))


if __name__ == "__main__":
    print(f"{write_all()} drawings written to {IMAGES}")
