"""Serves the files of the build from memory, in every encoding that the build contains."""

import hashlib
from functools import cache
from pathlib import Path

from .responses import Document, make_file

_TEXT = "; charset=utf-8"
# The media types served here; Reflex serves any other file.
_MEDIA_TYPES = {
    ".css": "text/css" + _TEXT,
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript" + _TEXT,
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain" + _TEXT,
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_SIDECARS = {"br": ".br", "zstd": ".zst", "gzip": ".gz"}


class BuiltFiles:
    """The files of the build, by path; `former` has the scripts and styles of earlier builds, which open pages name."""

    def __init__(self, folder: Path, former: Path | None = None) -> None:
        self._files = {
            "/" + file.relative_to(folder).as_posix(): file
            for file in folder.rglob("*")
            if file.is_file() and file.suffix not in (".html", *_SIDECARS.values())
        }
        for file in former.glob("*") if former else ():
            if file.suffix in _MEDIA_TYPES:
                self._files.setdefault(f"/assets/{file.name}", file)
        self._read = cache(_read)

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def get(self, path: str) -> Document | None:
        """The file at this path; None if it does not exist or has an unknown media type."""
        file = self._files.get(path)
        return self._read(file) if file and file.suffix in _MEDIA_TYPES else None


def fingerprint(folder: Path) -> str:
    """A name for a build: the same for builds with the same scripts and styles, whose names are hashes."""
    names = sorted(file.name for file in (folder / "assets").glob("*"))
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:12] if names else ""


def _read(file: Path) -> Document:
    beside = {name: file.with_name(file.name + ending) for name, ending in _SIDECARS.items()}
    encoded = {name: sidecar.read_bytes() for name, sidecar in beside.items() if sidecar.is_file()}
    return make_file(file.read_bytes(), _MEDIA_TYPES[file.suffix], encoded)
