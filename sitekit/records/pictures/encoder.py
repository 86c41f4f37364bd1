"""The program that decodes an uploaded picture and encodes it again: all sizes in AVIF, WebP and JPEG.

`encoding.py` starts it for every upload, `python -m sitekit.records.pictures.encoder FILE FOLDER`, in a separate
process: the decoders are written in C and read untrusted files. It prints one line of JSON, either the size of the
largest picture or the name of a `PictureRefusal`. It imports little, so that it starts fast.
"""

import contextlib
import errno
import io
import json
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import pillow_heif
from PIL import AvifImagePlugin, Image, ImageCms, ImageFile, JpegImagePlugin, PngImagePlugin, WebPImagePlugin
from PIL.ExifTags import Base
from PIL.Image import Resampling, Transpose

from .addresses import FORMATS, WIDTHS, sizes_of
from .landlock import confine
from .refusals import PictureRefusal

DECODERS = (
    JpegImagePlugin.JpegImageFile.format,
    PngImagePlugin.PngImageFile.format,
    WebPImagePlugin.WebPImageFile.format,
    AvifImagePlugin.AvifImageFile.format,
    pillow_heif.HeifImageFile.format,
)
MAX_PIXELS = 64_000_000
# A JPEG is decoded at reduced size. Not more than twice MAX_PIXELS: there Pillow refuses a picture of any kind.
MAX_JPEG_PIXELS = 100_000_000
MIN_SIDE = 16
MAX_RATIO = 20
# Of the largest picture. Upright pictures are no higher than others are wide, or they would take twice the time.
LONGEST_SIDE = WIDTHS[-1]
# Of a progressive JPEG, where a scan of a few bytes passes over the whole picture. Encoders make about ten scans. Of
# libjpeg-turbo only the program "djpeg" has such a limit, as -maxscans.
MAX_SCANS = 100
# A marker of a JPEG. In compressed data FF is followed by 00 or by the number of a restart.
JPEG_MARKER = re.compile(rb"\xff+([^\x00\xff\xd0-\xd7])")
START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN, FIRST_WITH_LENGTH = 0xD8, 0xD9, 0xDA, 0xC0

NICENESS = 5
LIMITS = {
    "RLIMIT_AS": 1280 * 2**20,  # 64 megapixels of AVIF, 12 bits with alpha, take 1186 MB; 100 of JPEG 855 MB
    "RLIMIT_CPU": 30,  # seconds
    "RLIMIT_FSIZE": 16 * 2**20,
    "RLIMIT_CORE": 0,
}
# Pillow imports some of its modules when a picture needs them.
CODE = [Path(folder) for folder in (sys.prefix, sys.base_prefix, "/usr/lib", "/lib64", "/etc/ld.so.cache")]
# In AVIF a portrait of 480 by 600 pixels, as phones load it, takes 15 to 25 kB. Speed 5 takes a fifth less, but six
# times as long.
OPTIONS: dict[str, dict[str, Any]] = {
    "avif": {"format": "AVIF", "quality": 55, "speed": 6, "max_threads": 1, "autotiling": False},
    "webp": {"format": "WEBP", "quality": 80, "method": 4},
    "jpg": {"format": "JPEG", "quality": 80, "progressive": True, "optimize": True},
}

# The transformations for the EXIF tag "Orientation".
TURNS = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}


class EncodingRefused(Exception):
    """The picture is refused, for this reason."""

    def __init__(self, reason: PictureRefusal) -> None:
        super().__init__(reason.name)
        self.reason = reason


def main(source: str, target: str) -> None:
    """Encode a file into a folder, and print the result."""
    _limit()
    _prepare()
    confine([Path(source), *CODE], Path(target))
    reply: dict[str, object]
    try:
        picture = read(Path(source))
        write(picture, Path(target))
        reply = {"width": picture.width, "height": picture.height}
    except EncodingRefused as refused:
        reply = {"refused": refused.reason.name}
    except MemoryError:
        reply = {"refused": PictureRefusal.TOO_COMPLEX.name}
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        reply = {"refused": PictureRefusal.DISK_FULL.name}
    print(json.dumps(reply))


def _limit() -> None:
    """Set the limits of this process; those that the platform does not have are left out."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    with contextlib.suppress(OSError):
        # If the machine runs out of memory, Linux ends this process and not the server.
        Path("/proc/self/oom_score_adj").write_text("1000")
    with contextlib.suppress(ImportError):
        import resource

        for name, limit in LIMITS.items():
            with contextlib.suppress(AttributeError, OSError, ValueError):
                resource.setrlimit(getattr(resource, name), (limit, limit))


def _prepare() -> None:
    """Set what Pillow and its decoders have as globals."""
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    warnings.simplefilter("ignore")
    # One thread: another processor stays free for other requests.
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    pillow_heif.register_heif_opener(thumbnails=False, depth_images=False, aux_images=False, decode_threads=1)


def read(source: Path) -> Image.Image:
    """The picture as RGB or RGBA: upright, in sRGB, at most LONGEST_SIDE long, without metadata.

    Raises `EncodingRefused`.
    """
    with source.open("rb") as file:
        head = file.read(32)
    if not head:
        raise EncodingRefused(PictureRefusal.EMPTY)
    if not any(accept and accept(head) for _, accept in (Image.OPEN[name] for name in DECODERS)):
        raise EncodingRefused(PictureRefusal.FORMAT)
    try:
        with Image.open(source, formats=DECODERS) as image:
            is_jpeg = isinstance(image, JpegImagePlugin.JpegImageFile)
            _check(image, MAX_JPEG_PIXELS if is_jpeg else MAX_PIXELS)
            if is_jpeg and _scans(source.read_bytes()) > MAX_SCANS:
                raise EncodingRefused(PictureRefusal.TOO_COMPLEX)
            return _normalize(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise EncodingRefused(PictureRefusal.TOO_LARGE) from None
    except (EncodingRefused, MemoryError):
        raise
    except Exception as error:  # the decoders raise any kind for a broken file
        # Those of HEIC and AVIF say in words that memory could not be allocated.
        raise EncodingRefused(
            PictureRefusal.TOO_COMPLEX if "alloc" in str(error) else PictureRefusal.UNREADABLE
        ) from error


def _check(image: ImageFile.ImageFile, max_pixels: int) -> None:
    """Refuse a picture by its header."""
    shorter, longer = sorted(image.size)
    if shorter * longer > max_pixels:
        raise EncodingRefused(PictureRefusal.TOO_LARGE)
    if shorter < MIN_SIDE:
        raise EncodingRefused(PictureRefusal.TOO_SMALL)
    if longer > MAX_RATIO * shorter:
        raise EncodingRefused(PictureRefusal.TOO_NARROW)
    if _is_animated(image):
        # Other products silently keep the first frame, which users report as a bug (payload #2181, sanity #4284).
        raise EncodingRefused(PictureRefusal.ANIMATED)


def _scans(jpeg: bytes) -> int:
    """The number of scans of a JPEG's first picture. Finds markers as libjpeg does, also between broken data."""
    scans = at = 0
    while (match := JPEG_MARKER.search(jpeg, at)) and (marker := match[1][0]) != END_OF_IMAGE:
        at = match.end()
        scans += marker == START_OF_SCAN
        if marker >= FIRST_WITH_LENGTH and marker != START_OF_IMAGE:
            at += max(2, int.from_bytes(jpeg[at : at + 2], "big"))  # nothing within a thumbnail or comment counts
    return scans


def _is_animated(image: ImageFile.ImageFile) -> bool:
    # A JPEG or HEIC file of several pictures, such as a burst, is not animated: its main picture is used.
    if image.format in ("PNG", "WEBP", "AVIF"):
        return bool(getattr(image, "is_animated", False))
    return (image.get_format_mimetype() or "").endswith("-sequence")


def _normalize(file: ImageFile.ImageFile) -> Image.Image:
    scale = min(1, LONGEST_SIDE / max(file.size))
    size = (max(1, round(file.width * scale)), max(1, round(file.height * scale)))
    file.draft(None, size)  # a JPEG is decoded at the size needed, or up to twice as large
    alpha = _alpha_of_color(file)
    file.load()
    orientation, profile = _orientation(file), file.info.get("icc_profile")
    if alpha:
        file.putalpha(alpha)
    image = _with_channels(file)
    if image.size != size:
        image = image.resize(size, Resampling.LANCZOS, reducing_gap=3.0)
    image = _to_srgb(image, profile)
    return image if orientation is None else image.transpose(orientation)


def _orientation(image: Image.Image) -> Transpose | None:
    try:
        return TURNS.get(image.getexif().get(Base.Orientation, 1))
    except Exception:  # broken EXIF data: the picture is shown as it is, as browsers do
        return None


def _alpha_of_color(image: ImageFile.ImageFile) -> Image.Image | None:
    """The alpha of a PNG's transparent color of 16 bits; a level of grey is scaled as Pillow scales the picture."""
    clear, raw = image.info.get("transparency"), image.tile[0].args if image.format == "PNG" else ""
    if clear is not None and raw in ("L;2", "L;4"):
        image.info["transparency"] = clear * (85 if raw == "L;2" else 17)
    if clear is None or raw != "RGB;16B":
        return None
    del image.info["transparency"]
    alpha = Image.new("L", image.size, 0)
    # Pillow reads one byte of each level: the upper one, or with the bytes in the other order the lower one.
    for order, shift in (("RGB;16B", 8), ("RGB;16L", 0)):
        with Image.open(image.filename, formats=DECODERS) as half:
            half.tile = [type(tile)(tile.codec_name, tile.extents, tile.offset, order) for tile in half.tile]
            for band, level in zip(half.split(), clear, strict=True):
                alpha.paste(255, mask=band.point([255 * (byte != level >> shift & 255) for byte in range(256)]))
    return alpha


def _with_channels(image: Image.Image) -> Image.Image:
    """The picture in a mode that can be scaled: L, LA, RGB, RGBA or CMYK."""
    if image.mode.startswith("I"):
        # 16 bits of grey. The transparent level is compared before levels are merged to 8 bits.
        clear, image = image.info.get("transparency"), image.convert("I")
        grey = image.point([level >> 8 for level in range(1 << 16)], "L")
        if isinstance(clear, int):
            grey.putalpha(image.point([255 * (level != clear) for level in range(1 << 16)], "L"))
        return grey
    if image.mode in ("P", "PA") or "transparency" in image.info:
        return image.convert("RGBA" if image.has_transparency_data else "RGB")
    return image.convert("L") if image.mode == "1" else image


def _to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """The picture as RGB, or as RGBA if it is not opaque, without metadata. A profile that does not fit is ignored."""
    alpha = image.getchannel("A") if image.mode in ("LA", "RGBA") else None
    colors = image.convert(image.mode.removesuffix("A"))
    if profile:
        with contextlib.suppress(OSError, ImageCms.PyCMSError):
            given, srgb = ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB")
            colors = ImageCms.profileToProfile(colors, given, srgb, outputMode="RGB") or colors
    colors = colors.convert("RGB")
    if alpha and alpha.getextrema() != (255, 255):
        colors.putalpha(alpha)
    colors.info = {}
    return colors


def write(picture: Image.Image, target: Path) -> None:
    """Write all sizes of a picture in all formats into a folder, as `<width>.<format>`."""
    made = {picture.width: picture}
    for width in reversed(sizes_of(picture.width)):
        if width not in made:
            # Scaled from one at least twice as wide: that is as sharp as from the largest, and faster.
            source = made[min((made_width for made_width in made if made_width >= 2 * width), default=picture.width)]
            height = max(1, round(picture.height * width / picture.width))
            made[width] = source.resize((width, height), Resampling.LANCZOS)
        for form in FORMATS:
            buffer = io.BytesIO()
            (_on_white(made[width]) if form == "jpg" else made[width]).save(buffer, **OPTIONS[form])
            (target / f"{width}.{form}").write_bytes(buffer.getvalue())


def _on_white(image: Image.Image) -> Image.Image:
    """The picture without transparency, which JPEG does not have."""
    if image.mode == "RGB":
        return image
    canvas = Image.new("RGB", image.size, "white")
    canvas.paste(image, mask=image.getchannel("A"))
    return canvas


if __name__ == "__main__":
    main(*sys.argv[1:])
