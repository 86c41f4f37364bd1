"""Makes pictures that look and compress like photographs, from a seed, without downloads."""

import io
import random
import struct
import zlib
from collections.abc import Sequence

import pillow_heif
from PIL import Image, ImageChops, ImageDraw, ImageFilter
from PIL.ExifTags import GPS, IFD, Base

pillow_heif.register_heif_opener()

Color = tuple[int, int, int]

SKIN = ((238, 206, 184), (224, 182, 152), (196, 148, 116), (152, 104, 76), (104, 68, 50))
HAIR = ((38, 28, 24), (84, 58, 40), (140, 104, 66), (120, 120, 124))
CLOTHES = ((34, 44, 66), (58, 60, 62), (120, 44, 48), (44, 84, 76), (206, 204, 198))
BACKGROUNDS = (((184, 192, 196), (112, 124, 132)), ((206, 196, 180), (148, 128, 106)), ((96, 116, 104), (44, 60, 54)))
# The longer side on which shapes are drawn before they are scaled; texture and noise are added at full size.
CANVAS = 1600
# The strength of both, so that files are as large as those of real photographs: 12 megapixels of a phone take 3 to 6 MB
# as JPEG of quality 85. Real portraits (scikit-image's "astronaut") take about 20 kB as AVIF of 480 by 600 pixels and
# quality 55, real landscapes (scikit-learn's "china" and "flower") 12 to 22 kB at 480 by 320.
TEXTURE_OF_PORTRAITS, TEXTURE_OF_LANDSCAPES = 0.4, 0.8
SENSOR = 0.23


def portrait(width: int = 1200, height: int = 1500, seed: int = 1) -> Image.Image:
    """A head and shoulders before a blurred background."""
    rng = random.Random(seed)
    canvas = _background(*_canvas_size(width, height), rng)
    skin, hair, unit = rng.choice(SKIN), rng.choice(HAIR), min(canvas.size)
    middle, eyes = canvas.width * rng.uniform(0.46, 0.54), canvas.height * 0.42

    def ellipse(x: float, y: float, w: float, h: float, color: Color, blur: float = 0.003, strands: int = 0) -> None:
        """Paint a part of the head: its centre relative to the eyes, and half its size, in shares of the width."""
        box = (middle + (x - w) * unit, eyes + (y - h) * unit, middle + (x + w) * unit, eyes + (y + h) * unit)
        _paint(canvas, box, color, blur * unit, strands, rng)

    ellipse(0, 0.78, 0.46, 0.4, rng.choice(CLOTHES), strands=40)
    ellipse(0, 0.22, 0.1, 0.22, _darker(skin, 0.8), blur=0.008)
    ellipse(0, -0.07, 0.23, 0.27, hair, strands=120)
    ellipse(0, 0.015, 0.19, 0.255, skin)
    for side in (-0.08, 0.08):
        ellipse(side, 0, 0.035, 0.015, (238, 236, 232), blur=0)
        ellipse(side, 0, 0.014, 0.014, (44, 32, 26), blur=0)
        ellipse(side, -0.043, 0.045, 0.007, hair, strands=120)
    ellipse(0, 0.065, 0.028, 0.045, _darker(skin, 0.92), blur=0.008)
    ellipse(0, 0.168, 0.065, 0.012, _darker(skin, 0.66))
    return _finish(canvas, (width, height), TEXTURE_OF_PORTRAITS, rng)


def landscape(width: int = 4000, height: int = 3000, seed: int = 1) -> Image.Image:
    """Sky, hills and a textured foreground: more detail than a portrait."""
    rng = random.Random(seed)
    w, h = _canvas_size(width, height)
    canvas = _gradient(w, h, (96, 140, 190), (214, 222, 224))
    clouds = _noise(w, h, rng, (6, 12, 24, 48))
    canvas.paste((244, 244, 242), mask=clouds.point(lambda level: max(0, min(255, (level - 130) * 4))))
    for number in range(4):
        share = (number + 1) / 4
        color = (int(130 - 80 * share), int(150 - 60 * share), int(140 - 90 * share))
        top = h * (0.4 + 0.15 * number)
        points = [(x, top + rng.uniform(-0.03, 0.03) * h) for x in range(0, w + 41, 40)]
        mask = Image.new("L", (w, h))
        ImageDraw.Draw(mask).polygon([(0, h), *points, (w, h)], fill=255)
        texture = _noise(w, h, rng, (40, 120, 360, 800))
        layer = ImageChops.multiply(Image.new("RGB", (w, h), color), Image.merge("RGB", [_lighter(texture)] * 3))
        canvas.paste(layer, mask=mask.filter(ImageFilter.GaussianBlur(1.5)))
    return _finish(canvas, (width, height), TEXTURE_OF_LANDSCAPES, rng)


def encoded(image: Image.Image, form: str = "JPEG", **options: object) -> bytes:
    """The file of a picture in a format, such as 'JPEG', 'PNG', 'WEBP', 'AVIF' and 'HEIF'."""
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def exif(orientation: int = 1) -> bytes:
    """The EXIF data of a phone, with a place and a name."""
    tags = Image.Exif()
    tags[Base.Orientation] = orientation
    tags[Base.Make] = "Camera of Ann"
    tags[Base.Artist] = "Ann Secret"
    place = tags.get_ifd(IFD.GPSInfo)
    place[GPS.GPSLatitudeRef], place[GPS.GPSLatitude] = "N", (1.0, 17.0, 11.5)
    place[GPS.GPSLongitudeRef], place[GPS.GPSLongitude] = "E", (103.0, 51.0, 2.5)
    data: bytes = tags.tobytes()
    return data


def png_header(width: int, height: int) -> bytes:
    """A PNG file that claims a size, with hardly any pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", head) + png_chunk(b"IDAT", zlib.compress(bytes(1000)))


def png_chunk(kind: bytes, body: bytes) -> bytes:
    """One chunk of a PNG file."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def jpeg_header(width: int, height: int) -> bytes:
    """A small JPEG file that claims another size."""
    data = encoded(Image.new("RGB", (64, 64)))
    return data.replace(struct.pack(">HH", 64, 64), struct.pack(">HH", height, width), 1)


def webp_header(width: int, height: int) -> bytes:
    """A small WebP file that claims another size."""
    data = encoded(Image.new("RGB", (64, 64)), "WEBP")
    return data.replace(struct.pack("<HH", 64, 64), struct.pack("<HH", width, height), 1)


def _canvas_size(width: int, height: int) -> tuple[int, int]:
    scale = min(1.0, CANVAS / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _background(width: int, height: int, rng: random.Random) -> Image.Image:
    """A wall or a garden, out of focus."""
    top, bottom = rng.choice(BACKGROUNDS)
    canvas = _gradient(width, height, top, bottom)
    tint = Image.new("RGB", (width, height), rng.choice(BACKGROUNDS)[0])
    return Image.composite(tint, canvas, _noise(width, height, rng, (3, 6, 11)))


def _gradient(width: int, height: int, top: Color, bottom: Color) -> Image.Image:
    mask = Image.linear_gradient("L").resize((width, height))
    return Image.composite(Image.new("RGB", mask.size, bottom), Image.new("RGB", mask.size, top), mask)


def _noise(width: int, height: int, rng: random.Random, cells: Sequence[int]) -> Image.Image:
    """Grey noise that adds up from coarse to fine; `cells` are the numbers of cells across."""
    field = Image.new("L", (width, height), 128)
    for level, across in enumerate(cells, start=2):
        down = max(2, across * height // width)
        layer = Image.frombytes("L", (across, down), rng.randbytes(across * down))
        field = Image.blend(field, layer.resize(field.size, Image.Resampling.BICUBIC), 1 / level)
    return field


def _paint(
    canvas: Image.Image, box: Sequence[float], color: Color, blur: float, strands: int, rng: random.Random
) -> None:
    """Paint an ellipse with a soft edge, lit from the left; `strands` is the strength of a texture of fine lines."""
    left, top, right, bottom = (round(edge) for edge in box)
    margin = round(3 * blur)
    size = (max(1, right - left + 2 * margin), max(1, bottom - top + 2 * margin))
    light = Image.linear_gradient("L").rotate(90).resize(size).point(lambda level: 165 + level * 90 // 255)
    pores = _noise(*size, rng, (24, 96)).point(lambda level: 247 + (level - 128) // 16)
    lines = Image.frombytes("L", (400, 5), rng.randbytes(2000)).resize(size, Image.Resampling.BICUBIC)
    lines = lines.point(lambda level: 255 - strands + level * strands // 255)
    shade = ImageChops.multiply(ImageChops.multiply(light, pores), lines)
    layer = Image.new("RGB", canvas.size, color)
    layer.paste(
        ImageChops.multiply(Image.new("RGB", size, color), Image.merge("RGB", [shade] * 3)),
        (left - margin, top - margin),
    )
    mask = Image.new("L", canvas.size)
    ImageDraw.Draw(mask).ellipse((left, top, right, bottom), fill=255)
    canvas.paste(layer, mask=mask.filter(ImageFilter.GaussianBlur(blur)))


def _finish(canvas: Image.Image, size: tuple[int, int], strength: float, rng: random.Random) -> Image.Image:
    """Scale to the full size, and add texture of the same strength at every scale, and the noise of a sensor."""
    image = canvas.resize(size, Image.Resampling.BICUBIC) if canvas.size != size else canvas
    cells = [across for across in (48 * 2**step for step in range(7)) if across <= size[0]]
    texture = Image.merge("RGB", [_noise(*size, rng, cells)] * 3)
    image = Image.blend(image, ImageChops.overlay(image, texture), strength)
    noise = Image.merge("RGB", [Image.frombytes("L", size, rng.randbytes(size[0] * size[1])) for _ in "RGB"])
    return Image.blend(image, ImageChops.overlay(image, noise), SENSOR)


def _darker(color: Color, share: float) -> Color:
    red, green, blue = (int(level * share) for level in color)
    return red, green, blue


def _lighter(texture: Image.Image) -> Image.Image:
    return texture.point(lambda level: 120 + level * 135 // 255)
