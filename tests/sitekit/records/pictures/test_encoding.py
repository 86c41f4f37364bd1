"""Uploaded pictures are encoded in all sizes, or refused with a sentence; the child process may die."""

import asyncio
import fcntl
import io
import itertools
import logging
import math
import os
import socket
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from sitekit.records.pictures import encoder, encoding, landlock, texts
from sitekit.records.pictures.addresses import FORMATS, MOST_BYTES, file_names, sizes_of
from sitekit.records.pictures.encoding import Encoded, PictureRefused, encode
from sitekit.records.pictures.refusals import PictureRefusal
from tests.conftest import IS_CI
from tests.support.each import check_each
from tests.support.photographs import encoded, exif, jpeg_header, landscape, png_header, portrait, webp_header

pytestmark = [pytest.mark.spec("IMG-1"), pytest.mark.spec("IMG-2")]

SMALL = portrait(300, 400)
READABLE = ["JPEG", "PNG", "WEBP", "AVIF", "HEIF"]


def run(data: bytes, folder: Path) -> Encoded:
    """Encode an upload into `folder / "files"`."""
    (folder / "files").mkdir()
    (folder / "upload").write_bytes(data)
    return asyncio.run(encode(folder / "upload", folder / "files"))


def refusal(data: bytes, folder: Path) -> PictureRefusal:
    """The reason for which an upload is refused; nothing of it is left."""
    with pytest.raises(PictureRefused) as refused:
        run(data, folder)
    assert list((folder / "files").iterdir()) == []
    return PictureRefusal(refused.value.message)


@pytest.mark.parametrize("form", READABLE)
def test_a_picture_is_encoded_in_all_sizes_and_formats(form: str, tmp_path: Path) -> None:
    result = run(encoded(landscape(1100, 550), form), tmp_path)
    assert (result.width, result.height) == (1100, 550)
    assert list(result.files) == [(width, kind) for width in sizes_of(1100) for kind in FORMATS]
    names = {name.partition("-")[2] for name in file_names("", 1100)}
    assert {path.name for path in (tmp_path / "files").iterdir()} == names
    for (width, kind), path in result.files.items():
        with Image.open(path) as image:
            image.load()
            assert image.size == (width, round(width / 2))
            assert image.format == {"avif": "AVIF", "webp": "WEBP", "jpg": "JPEG"}[kind]


def test_the_same_upload_makes_the_same_files(tmp_path: Path) -> None:
    results = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        results.append(run(encoded(SMALL), tmp_path / name))
    first, second = ([path.read_bytes() for path in result.files.values()] for result in results)
    assert first == second


def test_transparency_is_kept_but_in_jpeg_it_is_white(tmp_path: Path) -> None:
    image = Image.new("RGBA", (320, 320), (200, 30, 30, 255))
    image.paste((0, 0, 0, 0), (0, 0, 160, 320))
    result = run(encoded(image, "PNG"), tmp_path)
    pixels = []
    for kind in FORMATS:
        with Image.open(result.files[320, kind]) as made:
            pixels.append(made.convert("RGBA").getpixel((40, 40)))
    avif, webp, jpeg = pixels
    assert isinstance(avif, tuple) and isinstance(webp, tuple)
    assert (avif[3], webp[3], jpeg) == (0, 0, (255, 255, 255, 255))


@pytest.mark.parametrize("level", [65535, 0, 0x4040])
def test_the_transparent_level_of_16_bits_of_grey_is_kept(level: int, tmp_path: Path) -> None:
    image, file = Image.new("I;16", (64, 48), 0x4041), io.BytesIO()
    for place in itertools.product(range(32), range(48)):
        image.putpixel(place, level)
    image.save(file, "PNG", transparency=level)
    with Image.open(run(file.getvalue(), tmp_path).files[64, "webp"]) as made:
        assert [made.convert("RGBA").getpixel((at, 24))[3] for at in (8, 56)] == [0, 255]  # type: ignore[index]


def archive() -> bytes:
    """A ZIP archive with a secret in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("secret.txt", "archived secret")
    return buffer.getvalue()


@pytest.mark.parametrize("form", READABLE)
def test_encoded_files_contain_no_metadata_of_the_upload(form: str, tmp_path: Path) -> None:
    note = b"<script>alert(1)</script>"
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>Secret place</a></x:xmpmeta>'
    options = {"exif": exif(6), "xmp": xmp} | ({"comment": note} if form == "JPEG" else {})
    # Behind the last box of AVIF and HEIC only another box can be.
    box = struct.pack(">I4s", 8 + len(archive()), b"free") if form in ("AVIF", "HEIF") else b""
    tail = box + archive() + (b"" if box else note)
    result = run(encoded(SMALL, form, **options) + tail, tmp_path)
    for path in result.files.values():
        data = path.read_bytes()
        for word in (b"Ann", b"ecret", b"script", b"PK\x03\x04", b"xmp", b"adobe", b"Exif\0\0"):
            assert word not in data, path.name
        with Image.open(path) as image:
            assert dict(image.getexif()) == {}
            assert not {"icc_profile", "comment", "xmp", "exif"} & set(image.info)


NOT_PICTURES = {
    "text": b"Not a picture, but a text of some length",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "html": b"<!doctype html><script>alert(1)</script>",
    "pdf": encoded(SMALL, "PDF"),
    "gif": encoded(SMALL, "GIF"),
    "tiff": encoded(SMALL, "TIFF"),
    "bmp": encoded(SMALL, "BMP"),
    "ico": encoded(SMALL, "ICO"),
    "jpeg 2000": encoded(SMALL, "JPEG2000"),
    "eps": encoded(SMALL, "EPS"),
    "zip": archive(),
    "mp4": b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 100,
    "one byte": b"\xff",
    "nothing but zeros": bytes(1000),
}


def test_other_file_types_are_refused_by_their_content(tmp_path: Path) -> None:
    def check(kind: str) -> None:
        folder = tmp_path / kind
        folder.mkdir()
        assert refusal(NOT_PICTURES[kind], folder) is PictureRefusal.FORMAT

    check_each(NOT_PICTURES, check)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(b"", tmp_path) is PictureRefusal.EMPTY


@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
@pytest.mark.parametrize("form", READABLE)
def test_a_truncated_picture_is_refused(form: str, share: float, tmp_path: Path) -> None:
    data = encoded(SMALL, form)
    assert refusal(data[: int(len(data) * share)], tmp_path) is PictureRefusal.UNREADABLE


@pytest.mark.parametrize("form", READABLE)
def test_random_bytes_after_a_valid_header_are_refused(form: str, tmp_path: Path) -> None:
    data = encoded(SMALL, form)
    assert refusal(data[:24] + bytes(range(256)) * 40, tmp_path) is PictureRefusal.UNREADABLE


BOMBS = {
    "png": png_header(50_000, 50_000),
    "jpeg": jpeg_header(50_000, 50_000),
    "webp": webp_header(16_383, 16_383),
    "webp whose canvas would take all memory": webp_header(13_000, 13_000),
    "webp whose canvas takes nearly all memory": webp_header(11_300, 11_300),
    "just over 64 megapixels": png_header(8000, 8001),
    "just over 64 megapixels of webp": webp_header(8000, 8001),
    "jpeg of just over 100 megapixels": jpeg_header(10_000, 10_001),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_decompression_bomb_is_refused_by_its_header(kind: str, tmp_path: Path) -> None:
    assert refusal(BOMBS[kind], tmp_path) is PictureRefusal.TOO_LARGE


def test_pictures_with_the_most_pixels_are_decoded(tmp_path: Path) -> None:
    for kind in ("jpeg", "png"):
        (tmp_path / kind).mkdir()
    assert run(jpeg_header(10_000, 10_000), tmp_path / "jpeg").width == 1920
    assert refusal(png_header(8000, 8000), tmp_path / "png") is PictureRefusal.UNREADABLE  # hardly any pixels follow


def test_the_sentences_name_the_limits() -> None:
    jpeg, other, size = encoder.MAX_JPEG_PIXELS // 10**6, encoder.MAX_PIXELS // 10**6, MOST_BYTES // 10**6
    assert f"A JPEG may have {jpeg} megapixels, any other picture {other}." in texts.PICTURE_TOO_LARGE
    assert f"at most {size} MB." in texts.TOO_LARGE
    assert texts.PICKER["limit"] == f"At most {size} MB."


LARGEST: dict[str, tuple[int, str, str, dict[str, Any]]] = {
    "jpeg": (encoder.MAX_JPEG_PIXELS, "RGB", "JPEG", {"progressive": True, "subsampling": "4:4:4"}),
    "jpeg of cmyk": (encoder.MAX_JPEG_PIXELS, "CMYK", "JPEG", {"progressive": True}),
    "png": (encoder.MAX_PIXELS, "RGBA", "PNG", {}),
    "png of 16 bits": (encoder.MAX_PIXELS, "I;16", "PNG", {"transparency": 1}),
    "webp": (encoder.MAX_PIXELS, "RGBA", "WEBP", {"lossless": True, "quality": 0, "method": 0}),
    "avif": (encoder.MAX_PIXELS, "RGBA", "AVIF", {"speed": 10, "subsampling": "4:4:4"}),
    "heic": (encoder.MAX_PIXELS, "RGBA", "HEIF", {"chroma": 444, "enc_params": {"preset": "ultrafast"}}),
}


@pytest.mark.parametrize("kind", LARGEST)
def test_the_encoder_has_memory_for_the_largest_pictures(kind: str, tmp_path: Path) -> None:
    pixels, mode, form, options = LARGEST[kind]
    image = Image.new(mode, (math.isqrt(pixels),) * 2)
    result = run(encoded(image, form, **options), tmp_path)
    assert (result.width, result.height) == (1920, 1920)


def test_a_photograph_of_48_megapixels_keeps_its_largest_size(tmp_path: Path) -> None:
    photo = landscape(2016, 1512).resize((8064, 6048))
    result = run(encoded(photo, exif=exif(6), quality=90), tmp_path)
    assert (result.width, result.height) == (1440, 1920)


@pytest.mark.parametrize("form", ["AVIF", "HEIF"])
def test_a_decompression_bomb_in_a_container_is_refused(form: str, tmp_path: Path) -> None:
    size, claim = (struct.pack(">4sIII", b"ispe", 0, *size) for size in (SMALL.size, (50_000, 50_000)))
    bomb = encoded(SMALL, form).replace(size, claim)
    assert claim in bomb
    assert refusal(bomb, tmp_path) in (PictureRefusal.TOO_LARGE, PictureRefusal.UNREADABLE)


def with_scans(jpeg: bytes, number: int) -> bytes:
    """A progressive JPEG whose last scan is repeated until there are so many."""
    last = jpeg[jpeg.rindex(b"\xff\xda") : -2]
    return jpeg[:-2] + last * (number - jpeg.count(b"\xff\xda")) + jpeg[-2:]


@pytest.mark.parametrize("restarts", [0, 1])
def test_a_jpeg_with_too_many_scans_is_refused(restarts: int, tmp_path: Path) -> None:
    data = with_scans(encoded(SMALL, progressive=True, restart_marker_rows=restarts), encoder.MAX_SCANS + 1)
    assert refusal(data, tmp_path) is PictureRefusal.TOO_COMPLEX


def test_scans_of_thumbnails_and_second_pictures_are_not_counted(tmp_path: Path) -> None:
    many = with_scans(encoded(portrait(32, 32), progressive=True), encoder.MAX_SCANS + 1)
    data = encoded(SMALL, progressive=True, comment=many)
    assert run(data + many, tmp_path).width == 300


@pytest.mark.parametrize("form", ["PNG", "WEBP", "AVIF"])
def test_an_animated_picture_is_refused(form: str, tmp_path: Path) -> None:
    data = encoded(SMALL, form, save_all=True, append_images=[SMALL.rotate(180)])
    assert refusal(data, tmp_path) is PictureRefusal.ANIMATED


def test_a_heic_sequence_is_refused(tmp_path: Path) -> None:
    data = encoded(SMALL, "HEIF")
    assert refusal(data.replace(b"ftypheic", b"ftyphevc"), tmp_path) is PictureRefusal.ANIMATED


@pytest.mark.parametrize(
    ("size", "reason"),
    [((15, 100), PictureRefusal.TOO_SMALL), ((1, 1), PictureRefusal.TOO_SMALL), ((16, 321), PictureRefusal.TOO_NARROW)],
)
def test_a_picture_that_is_too_small_or_narrow_is_refused(
    size: tuple[int, int], reason: PictureRefusal, tmp_path: Path
) -> None:
    assert refusal(encoded(Image.new("RGB", size), "PNG"), tmp_path) is reason


def test_a_picture_of_the_minimum_size_is_accepted(tmp_path: Path) -> None:
    result = run(encoded(Image.new("RGB", (16, 320)), "PNG"), tmp_path)
    assert [path.name for path in result.files.values()] == ["16.avif", "16.webp", "16.jpg"]


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Replaces the encoder by another program."""

    def replace(code: str) -> None:
        monkeypatch.setattr(encoding, "PROGRAM", ("-c", code))

    return replace


LIMITED = "import sys; from sitekit.records.pictures import encoder; encoder.LIMITS[{!r}] = {}; {}"
BEGIN = "import pathlib, sys; (pathlib.Path(sys.argv[2]) / '320.avif').write_bytes(b'half'); "
ENDLESS = "encoder._limit()\nwhile True: pass"
ENCODE = "encoder.main(*sys.argv[1:])"
DEATHS = {
    "killed": (BEGIN + "import os; os.kill(os.getpid(), 9)", PictureRefusal.TOO_COMPLEX, "signal 9, Killed"),
    "crashed": (BEGIN + "import os; os.abort()", PictureRefusal.FAILED, "signal 6, Aborted"),
    "failed": (BEGIN + "sys.exit('the reason')", PictureRefusal.FAILED, "exit code 1"),
    "too slow": (LIMITED.format("RLIMIT_CPU", 1, BEGIN + ENDLESS), PictureRefusal.TOO_COMPLEX, "signal 9"),
    "babbling": (BEGIN + "print('not JSON')", PictureRefusal.FAILED, "exit code 0"),
    "lying": (BEGIN + """print('{"width": 320, "height": 320}')""", PictureRefusal.FAILED, "exit code 0"),
}


@pytest.mark.parametrize("kind", DEATHS)
def test_a_crash_of_the_encoder_is_reported_and_logged_in_one_line(
    kind: str, child: Callable[[str], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code, reason, words = DEATHS[kind]
    child(code)
    assert refusal(encoded(SMALL), tmp_path) is reason
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert words in record.getMessage()
    assert "\n" not in record.getMessage()


@pytest.mark.parametrize("form", ["PNG", "AVIF"])
def test_an_encoder_without_enough_memory_refuses_the_picture(
    form: str, child: Callable[[str], None], tmp_path: Path
) -> None:
    child(LIMITED.format("RLIMIT_AS", 200 * 2**20, ENCODE))
    assert refusal(encoded(Image.new("RGB", (7000, 5000)), form), tmp_path) is PictureRefusal.TOO_COMPLEX


def test_an_encoder_that_hangs_is_killed_with_its_children(
    child: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "TIMEOUT", 2.0)
    lock = "import fcntl, subprocess; lock = open(sys.argv[1]); fcntl.flock(lock, fcntl.LOCK_EX); "
    child(BEGIN + lock + "subprocess.run(['sleep', '600'], pass_fds=[lock.fileno()])")
    assert refusal(encoded(SMALL), tmp_path) is PictureRefusal.TOO_COMPLEX
    with (tmp_path / "upload").open() as upload:
        fcntl.flock(upload, fcntl.LOCK_EX)  # waits until no process has it


def test_an_encoder_is_killed_when_its_upload_is_aborted(child: Callable[[str], None], tmp_path: Path) -> None:
    upload, files, begun = (tmp_path / name for name in ("upload", "files", "begun"))
    upload.write_bytes(encoded(SMALL))
    files.mkdir()
    os.mkfifo(begun)
    lock = "import fcntl, time; lock = open(sys.argv[1]); fcntl.flock(lock, fcntl.LOCK_EX); "
    child(BEGIN + lock + f"open({str(begun)!r}, 'w').close(); time.sleep(600)")

    async def abort() -> None:
        encoding = asyncio.create_task(encode(upload, files))
        await asyncio.to_thread(begun.read_text)
        encoding.cancel()
        await asyncio.wait([encoding])
        assert encoding.cancelled()

    asyncio.run(abort())
    with upload.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # no process has it
    assert list(files.iterdir()) == []


def test_an_encoder_that_cannot_start_is_reported_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    assert refusal(encoded(SMALL), tmp_path) is PictureRefusal.FAILED
    assert "did not start" in caplog.messages[0]


def test_a_full_disk_is_reported(child: Callable[[str], None], tmp_path: Path) -> None:
    # The device that is always full is outside the folder, so that the encoder may not write to it.
    child(f"import sys; from sitekit.records.pictures import encoder; encoder.confine = lambda *_: None; {ENCODE}")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "300.jpg").symlink_to("/dev/full")
    (tmp_path / "upload").write_bytes(encoded(SMALL))
    with pytest.raises(PictureRefused, match="disk of the server is full"):
        asyncio.run(encode(tmp_path / "upload", tmp_path / "files"))
    assert list((tmp_path / "files").iterdir()) == []


# Runs in place of a decoder, as a hostile picture might make it.
HOSTILE = """
import os, pathlib, socket, sys
from sitekit.records.pictures import encoder
secret, source, target = (pathlib.Path(one) for one in ({secret!r}, *sys.argv[1:]))
def attempts():
    yield "the input", source.read_bytes
    yield "another file", secret.read_bytes
    yield "a list of files", lambda: os.listdir(secret.parent)
    yield "writing the input", lambda: source.write_bytes(b"")
    yield "writing elsewhere", lambda: (secret.parent / "new").write_bytes(b"")
    yield "the server's settings", pathlib.Path(f"/proc/{{os.getppid()}}/environ").read_bytes
    yield "a server", lambda: socket.create_connection(("127.0.0.1", {port}))
    yield "a program", lambda: os.execv("/bin/true", ["true"])
def read(_):
    done = []
    for what, attempt in attempts():
        try:
            attempt()
            done.append(what)
        except PermissionError:
            pass
    sys.exit(repr(done))
encoder.read = read
encoder.main(*sys.argv[1:])
"""


@pytest.mark.skipif(not (landlock.version() or IS_CI), reason="the kernel has no Landlock")
def test_a_compromised_encoder_reaches_no_other_file(
    child: Callable[[str], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "site").mkdir()
    secret = tmp_path / "site" / "secret_key"
    secret.write_bytes(b"secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        child(HOSTILE.format(secret=str(secret), port=server.getsockname()[1]))
        assert refusal(encoded(SMALL), tmp_path) is PictureRefusal.FAILED
    reached = ["the input"] if landlock.version() >= 4 else ["the input", "a server"]
    assert caplog.messages[0].endswith(f": {reached}")


def test_the_encoder_has_no_settings_in_its_environment_and_no_input(
    child: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ADVISORY_SECRET_KEY", "0123456789abcdefghijklmnopqrstuvwxyz")
    child("import os, sys; sys.exit(f'{sorted(os.environ)} {sys.stdin.read()!r}')")
    ours, (reading, writing) = os.dup(0), os.pipe()
    os.write(writing, b"typed")
    os.close(writing)
    os.dup2(reading, 0)
    try:
        assert refusal(encoded(SMALL), tmp_path) is PictureRefusal.FAILED
    finally:
        os.dup2(ours, 0)
        os.close(ours)
        os.close(reading)
    assert caplog.messages[0].endswith(("[] ''", "['LC_CTYPE'] ''"))
