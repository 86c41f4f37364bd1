"""Uploaded pictures: their sizes, file names and addresses, and what a page needs to show one.

A picture is stored as one file per width and format, all made at upload and never changed. A record holds the address
of one of them, the default JPEG file, so that the address alone shows the picture. Pages derive the others
from it: `ui/js/picture.jsx` has the same rule as `sizes_of`. Behind the address may stand how the record crops the
picture, "#x,y" or "#x,y,zoom": x and y in percent of what is cut off, `zoom` from 1 to 3; see `ui/js/crop.js`.
"""

import re
from dataclasses import dataclass

from ...base.text import image_url, one_line, text_list

PREFIX = "/media/"
WIDTHS = (320, 480, 640, 960, 1280, 1920)
FORMATS = ("avif", "webp", "jpg")
MEDIA_TYPES = {"avif": "image/avif", "webp": "image/webp", "jpg": "image/jpeg"}
DEFAULT_WIDTH = 960
MOST_BYTES = 25_000_000  # of an uploaded file
KEY_LENGTH = 32
FILE_NAME = re.compile(rf"([0-9a-f]{{{KEY_LENGTH}}})-([0-9]{{1,4}})\.(avif|webp|jpg)")
_CROP = re.compile(r"#(?:\d\d?|100),(?:\d\d?|100)(?:,(?:[12](?:\.\d)?|3))?\Z", re.ASCII)
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

    `width` and `height` are those of its largest file. `alt` is its description; a decorative one has none, and screen
    readers skip it. What a record describes itself, a portrait or a logo, needs neither.
    """

    image_url: str = ""
    width: int = 0
    height: int = 0
    alt: str = ""


def picture_at(address: str | None) -> Picture:
    """The picture at a stored address."""
    return Picture(image_url(address))


def answering(address: str | None, unanswered: object) -> str:
    """The stored address of a picture; empty if it is one of the `unanswered` ones of its record."""
    return "" if not address or address in text_list(unanswered) else address


def sizes_of(width: int) -> tuple[int, ...]:
    """The widths in which a picture of this width is stored; never wider than the picture itself."""
    return (*(step for step in WIDTHS[:-1] if step < width), min(width, WIDTHS[-1]))


def file_name(key: str, width: int, form: str) -> str:
    """The name of the file of a picture in one size and format."""
    return f"{key}-{width}.{form}"


def file_names(key: str, width: int) -> list[str]:
    """The names of all files of a picture of this width."""
    return [file_name(key, size, form) for size in sizes_of(width) for form in FORMATS]


def address_of(key: str, width: int) -> str:
    """The address of a picture of this width: that of its default JPEG file."""
    return PREFIX + file_name(key, max(size for size in sizes_of(width) if size <= DEFAULT_WIDTH), "jpg")


def thumbnail_of(address: str | None) -> str:
    """The address of the smallest size of an uploaded picture, with its crop; of any other picture its own address."""
    url = image_url(address)
    match, crop = _file_in(url), url[len(without_crop(url)) :]
    return PREFIX + file_name(match[1], min(int(match[2]), WIDTHS[0]), "webp") + crop if match else url


def without_crop(address: str) -> str:
    """The address of the whole picture."""
    return _CROP.sub("", address)


def key_of(address: str) -> str:
    """The key of the picture with this address; empty for any other address."""
    match = _file_in(address)
    return match[1] if match else ""


def _file_in(address: str) -> re.Match[str] | None:
    return FILE_NAME.fullmatch(without_crop(address).removeprefix(PREFIX)) if address.startswith(PREFIX) else None


def keys_in(text: str) -> set[str]:
    """The keys of all uploaded pictures whose addresses are in a text."""
    return set(_MENTIONED.findall(text))


def is_file_name(text: str, own: str = "") -> bool:
    """Whether a description is only the name of a file: any such name, or the picture's `own`."""
    plain = one_line(text).casefold()
    stem, has_extension = _without_extension(plain)
    is_one_word = " " not in plain and "_" in plain
    return has_extension or is_one_word or bool(_OF_A_DEVICE.fullmatch(plain)) or stem == _without_extension(own)[0]


def _without_extension(name: str) -> tuple[str, bool]:
    """A name in lower case without the extension of a picture, and whether it has one."""
    plain = one_line(name).casefold()
    stem, dot, extension = plain.rpartition(".")
    return (stem, True) if dot and _EXTENSION.fullmatch(dot + extension) else (plain, False)
