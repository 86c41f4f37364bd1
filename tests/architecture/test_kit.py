"""The kit knows no firm: it neither names one nor imports its site."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
# PostgreSQL's advisory locks have their name from there.
NAMES = re.compile(r"northstrait|adeline|singapore|(?<!pg_)advisory(?!_lock| lock)", re.IGNORECASE)
IMPORT = re.compile(r"\s*(?:from|import) advisory_site\b")
SUFFIXES = {".py", ".js", ".jsx", ".mjs", ".css"}


def lines() -> Iterator[tuple[str, str]]:
    """Each line of the kit's sources with its place."""
    for path in sorted((ROOT / "sitekit").rglob("*")):
        if path.suffix in SUFFIXES:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                yield f"{path.relative_to(ROOT)}:{number}", line


def test_the_kit_does_not_mention_the_firm() -> None:
    assert [
        f"{place}: {line.strip()}" for place, line in lines() if NAMES.search(line) and not IMPORT.match(line)
    ] == []


def test_the_kit_does_not_import_the_site() -> None:
    assert [(place, line) for place, line in lines() if IMPORT.match(line)] == []


def test_the_picture_encoder_starts_without_the_site() -> None:
    loads = "import sys, sitekit.records.pictures.encoder; sys.exit('advisory_site' in sys.modules)"
    subprocess.run([sys.executable, "-c", loads], cwd=ROOT, env={}, check=True)
