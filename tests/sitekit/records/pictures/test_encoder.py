"""The encoder reads pictures of every kind as they are meant to look."""

import io
import struct
import zlib
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pillow_heif
import pytest
from PIL import Image, ImageCms, ImageDraw
from PIL.Image import Resampling, Transpose

from sitekit.records.pictures import encoder
from tests.support.each import check_each
from tests.support.photographs import encoded, exif, png_chunk, portrait

pytestmark = pytest.mark.spec("IMG-2")

Read = Callable[[bytes], Image.Image]
RED, GREEN, BLUE, WHITE = (220, 30, 30), (30, 200, 30), (30, 30, 220), (255, 255, 255)
# The stored picture is the upright one, turned so that this EXIF orientation turns it back.
STORED = {
    1: None,
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_90,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_270,
}


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a file as the encoder does."""

    def do(data: bytes) -> Image.Image:
        (tmp_path / "upload").write_bytes(data)
        return encoder.read(tmp_path / "upload")

    return do


def quarters(width: int = 320, height: int = 160) -> Image.Image:
    """Red, green, blue and white, from the top left by rows."""
    image = Image.new("RGB", (width, height), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width // 2 - 1, height // 2 - 1), RED)
    draw.rectangle((width // 2, 0, width, height // 2 - 1), GREEN)
    draw.rectangle((0, height // 2, width // 2 - 1, height), BLUE)
    return image


def corners(image: Image.Image) -> list[tuple[int, ...]]:
    """The colours in the middle of each quarter."""
    spots = [(x * image.width // 4, y * image.height // 4) for y in (1, 3) for x in (1, 3)]
    found = [image.getpixel(spot) for spot in spots]
    return [color for color in found if isinstance(color, tuple)]


def is_like(image: Image.Image, expected: Sequence[tuple[int, ...]]) -> bool:
    """Whether the quarters have these colours, but for what a lossy format changes."""
    pairs = zip(corners(image), expected, strict=True)
    return all(abs(one - other) < 12 for color, wanted in pairs for one, other in zip(color, wanted, strict=True))


def test_a_large_picture_is_scaled_to_1920_pixels_on_its_longer_side(read: Read) -> None:
    assert read(encoded(quarters(2500, 1000))).size == (1920, 768)
    assert read(encoded(quarters(1000, 2500))).size == (768, 1920)


def test_a_small_picture_keeps_its_size(read: Read) -> None:
    assert read(encoded(quarters(), "PNG")).size == (320, 160)


def test_pictures_are_turned_upright(read: Read) -> None:
    def check(case: tuple[int, str]) -> None:
        orientation, form = case
        turn = STORED[orientation]
        stored = quarters().transpose(turn) if turn is not None else quarters()
        upright = read(encoded(stored, form, exif=exif(orientation), quality=95))
        assert upright.size == (320, 160)
        assert is_like(upright, [RED, GREEN, BLUE, WHITE])

    check_each(product(STORED, ["JPEG", "PNG", "WEBP"]), check)


@pytest.mark.parametrize("form", ["AVIF", "HEIF"])
def test_a_picture_rotated_by_its_container_and_exif_is_turned_once(read: Read, form: str) -> None:
    stored = quarters().transpose(Transpose.ROTATE_90)
    upright = read(encoded(stored, form, exif=exif(6), quality=95))
    assert upright.size == (320, 160)
    assert is_like(upright, [RED, GREEN, BLUE, WHITE])


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")  # ignored by the program
def test_pictures_with_broken_exif_data_are_accepted(read: Read) -> None:
    data = encoded(quarters(), exif=b"Exif\0\0II*\0\xff\xff\xff\xff" + b"\xff" * 40, quality=95)
    assert is_like(read(data), [RED, GREEN, BLUE, WHITE])


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF", "HEIF"])
def test_every_format_is_read(read: Read, form: str) -> None:
    assert is_like(read(encoded(quarters(), form, quality=95)), [RED, GREEN, BLUE, WHITE])


@pytest.mark.parametrize(
    ("mode", "form"), [("P", "PNG"), ("CMYK", "JPEG"), ("RGBA", "PNG"), ("RGBA", "WEBP"), ("RGBA", "HEIF")]
)
def test_every_color_mode_becomes_rgb(read: Read, mode: str, form: str) -> None:
    image = read(encoded(quarters().quantize(8) if mode == "P" else quarters().convert(mode), form, quality=95))
    assert image.mode == "RGB", "opaque pictures need no alpha"
    assert is_like(image, [RED, GREEN, BLUE, WHITE])


@pytest.mark.parametrize("mode", ["1", "L", "LA", "I;16"])
def test_grayscale_of_any_depth_becomes_rgb(read: Read, mode: str) -> None:
    grey = Image.new("L", (100, 100), 255)
    grey.paste(0, (0, 0, 50, 50))
    if mode == "I;16":
        grey.paste(128, (50, 0, 100, 50))
        pixels = b"".join(struct.pack("<H", level * 257) for level in grey.tobytes())
        image = read(encoded(Image.frombytes("I;16", grey.size, pixels), "PNG"))
        expected = [(0,) * 3, (128,) * 3, WHITE, WHITE]
    else:
        image, expected = read(encoded(grey.convert(mode), "PNG")), [(0,) * 3, WHITE, WHITE, WHITE]
    assert image.mode == "RGB"
    assert is_like(image, expected)


def test_sixteen_bit_color_becomes_rgb(read: Read) -> None:
    rows = (b"\0" + struct.pack(">3H", *(level * 257 for level in BLUE)) * 64) * 64
    head = struct.pack(">IIBBBBB", 64, 64, 16, 2, 0, 0, 0)
    chunks = png_chunk(b"IHDR", head) + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")
    assert is_like(read(b"\x89PNG\r\n\x1a\n" + chunks), [BLUE] * 4)


def test_a_ten_bit_heic_picture_becomes_rgb(read: Read) -> None:
    deep = pillow_heif.from_bytes("RGB;16", (64, 64), struct.pack("<3H", *(level * 257 for level in BLUE)) * 64 * 64)
    file = io.BytesIO()
    deep.save(file, quality=95)
    assert is_like(read(file.getvalue()), [BLUE] * 4)


@pytest.mark.parametrize("form", ["PNG", "WEBP", "AVIF", "HEIF"])
def test_transparency_is_kept(read: Read, form: str) -> None:
    image = quarters().convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 160, 80))
    found = read(encoded(image, form, quality=95))
    assert found.mode == "RGBA"
    assert [color[3] > 250 for color in corners(found)] == [False, True, True, True]


@pytest.mark.parametrize("mode", ["P", "L", "RGB"])
def test_a_single_transparent_color_is_kept(read: Read, mode: str) -> None:
    image = Image.new(mode, (100, 100), 1)
    image.paste(0, (0, 0, 50, 50))
    transparent = (0, 0, 0) if mode == "RGB" else 0
    found = read(encoded(image, "PNG", transparency=transparent))
    assert [color[3] for color in corners(found)] == [0, 255, 255, 255]


def rgb_profile() -> bytes:
    """A profile in which red is green, and green is red."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace(b"rXYZ", b"rXY?", 1).replace(b"gXYZ", b"rXYZ", 1).replace(b"rXY?", b"gXYZ", 1)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF", "HEIF"])
def test_colors_are_converted_to_srgb(read: Read, form: str) -> None:
    swapped = read(encoded(quarters(), form, icc_profile=rgb_profile(), quality=95))
    assert is_like(swapped, [(30, 220, 30), (200, 30, 30), BLUE, WHITE])
    assert swapped.info == {}


@pytest.mark.parametrize("profile", [b"", b"no profile", rgb_profile()[:200], b"\xff" * 4000, "LAB"], ids=range(5))
def test_a_broken_or_unsuitable_color_profile_is_ignored(read: Read, profile: bytes | str) -> None:
    if isinstance(profile, str):
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    assert is_like(read(encoded(quarters(), icc_profile=profile, quality=95)), [RED, GREEN, BLUE, WHITE])
    assert read(encoded(quarters().convert("CMYK"), icc_profile=rgb_profile())).mode == "RGB"


def test_the_first_picture_of_a_multi_picture_file_is_used(read: Read) -> None:
    several = encoded(quarters(), "MPO", save_all=True, append_images=[quarters(160, 80)], quality=95)
    assert is_like(read(several), [RED, GREEN, BLUE, WHITE])
    burst = pillow_heif.from_pillow(quarters())
    burst.add_from_pillow(quarters(160, 80))
    file = io.BytesIO()
    burst.save(file, quality=95)
    assert read(file.getvalue()).size == (320, 160)


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_portrait_weighs_at_most_25_kb_on_a_phone(seed: int, read: Read, tmp_path: Path) -> None:
    # Of 360 pixels with ratio 2: it loads the file of 320 for a card, and that of 480 on a person's page.
    # Smaller files are made of that of 960, as here; the larger ones take most of the time.
    large = read(encoded(portrait(1600, 2000, seed), quality=92))
    encoder.write(large.resize((960, 1200), Resampling.LANCZOS), tmp_path)
    sizes = [(tmp_path / f"{width}.avif").stat().st_size for width in (320, 480)]
    assert max(sizes) <= 25_000, sizes


def png(depth: int, color_type: int, clear: tuple[int, ...], *, is_interlaced: bool = False) -> bytes:
    """A PNG of 64 by 48 pixels: the left half has the transparent color, the right half one that differs a little."""
    others = tuple(level ^ 1 for level in clear)
    palette = b""
    if color_type == 3:
        colors = [(10 * number % 256, 40, 50) for number in range(1 << depth)]
        palette = png_chunk(b"PLTE", b"".join(map(bytes, colors))) + png_chunk(b"tRNS", b"\xff" * clear[0] + b"\0")
    else:
        palette = png_chunk(b"tRNS", struct.pack(f">{len(clear)}H", *clear))
    passes = [(0, 0, 1, 1)]
    if is_interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    lines = b""
    for left, top, right, down in passes:
        columns = range(left, 64, right)
        bits = "".join(f"{level:0{depth}b}" for at in columns for level in (clear if at < 32 else others))
        bits += "0" * (-len(bits) % 8)
        lines += (b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")) * len(range(top, 48, down))
    header = struct.pack(">2I5B", 64, 48, depth, color_type, 0, 0, int(is_interlaced))
    parts = png_chunk(b"IHDR", header), palette, png_chunk(b"IDAT", zlib.compress(lines)), png_chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


TRANSPARENT = [
    *((depth, 0, (level,)) for depth in (1, 2, 4, 8, 16) for level in (0, 1, (1 << depth) - 1, (1 << depth) // 2)),
    *((depth, 3, (level,)) for depth in (1, 2, 4, 8) for level in (0, 1, (1 << depth) - 1)),
    *((8, 2, color) for color in ((40, 10, 50), (0, 0, 0), (255, 255, 255))),
    *((16, 2, color) for color in ((40_000, 10_000, 50_000), (40, 10, 50), (0, 0, 0), (65_535, 65_535, 65_535))),
]


def test_the_transparent_color_of_a_png_of_each_type_and_depth_is_kept(read: Read) -> None:
    def check(case: tuple[int, int, tuple[int, ...], bool]) -> None:
        depth, color_type, clear, is_interlaced = case
        found = read(png(depth, color_type, clear, is_interlaced=is_interlaced))
        assert found.mode == "RGBA"
        assert [found.getpixel((at, 24))[3] for at in (2, 30, 33, 62)] == [0, 0, 255, 255]  # type: ignore[index]

    check_each([(*case, is_interlaced) for case in TRANSPARENT for is_interlaced in (False, True)], check)
