"""Uploaded pictures: their sizes, file names and addresses, and what a page needs to show one.

A picture is stored as one file per width and format, all made at upload and never changed. A record holds the address
of one of them, the default JPEG file, so that the address alone shows the picture. Pages derive the others
from it: `ui/js/picture.jsx` has the same rule as `sizes_of`.
"""

import re
from dataclasses import dataclass

from .text import image_url, one_line

PREFIX = "/media/"
WIDTHS = (320, 480, 640, 960, 1280, 1920)
FORMATS = ("avif", "webp", "jpg")
MEDIA_TYPES = {"avif": "image/avif", "webp": "image/webp", "jpg": "image/jpeg"}
DEFAULT_WIDTH = 960
MOST_BYTES = 12_000_000  # of an uploaded file
KEY_LENGTH = 32
FILE_NAME = re.compile(rf"([0-9a-f]{{{KEY_LENGTH}}})-([0-9]{{1,4}})\.(avif|webp|jpg)")
_MENTIONED = re.compile(rf"{PREFIX}([0-9a-f]{{{KEY_LENGTH}}})-")

# Names of files that say nothing: of cameras and phones, of screenshots, and numbers alone.
_OF_A_DEVICE = re.compile(
    r"(?:img|image|dsc[nf]?|dcim|pxl|mvimg|gopr?|pic|picture|photo|foto|scan|screen ?shot|untitled|signal|wa|p)?"
    r"[\d\s_.,:()-]*(?:(?:at|wa|copy|edited)[\d\s_.,:()-]*)*"
)
_EXTENSION = re.compile(r"\.(?:jpe?g|png|webp|avif|hei[cf]|gif|svg|tiff?|bmp)", re.I)


@dataclass(frozen=True)
class Picture:
    """A picture as pages show it. Only an uploaded one has more than an address.

    `width` and `height` are those of its largest file, `position` is the focal point as CSS takes it. `alt` is its
    description; a decorative one has none, and screen readers skip it.
    """

    image_url: str = ""
    width: int = 0
    height: int = 0
    position: str = ""
    alt: str = ""
    is_decorative: bool = False


def picture_at(address: str | None) -> Picture:
    """The picture at a stored address."""
    return Picture(image_url(address))


def sizes_of(width: int) -> tuple[int, ...]:
    """The widths in which a picture of this width is stored; never wider than the picture itself."""
    return (*(one for one in WIDTHS[:-1] if one < width), min(width, WIDTHS[-1]))


def file_name(key: str, width: int, form: str) -> str:
    """The name of the file of a picture in one size and format."""
    return f"{key}-{width}.{form}"


def file_names(key: str, width: int) -> list[str]:
    """The names of all files of a picture of this width."""
    return [file_name(key, one, form) for one in sizes_of(width) for form in FORMATS]


def address_of(key: str, width: int) -> str:
    """The address of a picture of this width: that of its default JPEG file."""
    return PREFIX + file_name(key, max(one for one in sizes_of(width) if one <= DEFAULT_WIDTH), "jpg")


def thumbnail_of(address: str | None) -> str:
    """The address of the smallest size of an uploaded picture; of any other picture its own address."""
    url = image_url(address)
    found = FILE_NAME.fullmatch(url.removeprefix(PREFIX)) if url.startswith(PREFIX) else None
    return PREFIX + file_name(found[1], min(int(found[2]), WIDTHS[0]), "jpg") if found else url


def key_of(address: str) -> str:
    """The key of the picture with this address; empty for any other address."""
    found = FILE_NAME.fullmatch(address.removeprefix(PREFIX)) if address.startswith(PREFIX) else None
    return found[1] if found else ""


def keys_in(text: str) -> set[str]:
    """The keys of all uploaded pictures whose addresses are in a text."""
    return set(_MENTIONED.findall(text))


def is_file_name(text: str, own: str = "") -> bool:
    """Whether a description is only the name of a file: any such name, or the picture's `own`."""
    plain = one_line(text).casefold()
    stem, found = _without_extension(plain)
    is_one_word = " " not in plain and "_" in plain
    return found or is_one_word or bool(_OF_A_DEVICE.fullmatch(plain)) or stem == _without_extension(own)[0]


def _without_extension(name: str) -> tuple[str, bool]:
    """A name in lower case without the extension of a picture, and whether it has one."""
    plain = one_line(name).casefold()
    stem, dot, extension = plain.rpartition(".")
    return (stem, True) if dot and _EXTENSION.fullmatch(dot + extension) else (plain, False)
