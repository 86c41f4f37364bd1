"""Uploaded pictures are encoded in all sizes, or refused with a sentence; the child process may die."""

import fcntl
import io
import logging
import os
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from advisory_site.core.pictures import FORMATS, file_names, sizes_of
from advisory_site.media import encoding
from advisory_site.media.encoding import Encoded, PictureRefused, encode
from advisory_site.media.refusals import Refusal
from tests.support.photographs import encoded, exif, jpeg_header, landscape, png_header, portrait, webp_header

pytestmark = [pytest.mark.spec("IMG-1"), pytest.mark.spec("IMG-2")]

SMALL = portrait(300, 400)
READABLE = ["JPEG", "PNG", "WEBP", "AVIF", "HEIF"]


def run(data: bytes, folder: Path) -> Encoded:
    """Encode an upload into `folder / "files"`."""
    (folder / "files").mkdir()
    (folder / "upload").write_bytes(data)
    return encode(folder / "upload", folder / "files")


def refusal(data: bytes, folder: Path) -> Refusal:
    """The reason for which an upload is refused; nothing of it is left."""
    with pytest.raises(PictureRefused) as refused:
        run(data, folder)
    assert list((folder / "files").iterdir()) == []
    return Refusal(refused.value.message)


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


def archive() -> bytes:
    """A ZIP archive with a secret in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("secret.txt", "archived secret")
    return buffer.getvalue()


@pytest.mark.parametrize("form", READABLE)
def test_nothing_of_an_upload_but_its_pixels_is_in_any_file(form: str, tmp_path: Path) -> None:
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


@pytest.mark.parametrize("kind", NOT_PICTURES)
def test_another_kind_of_file_is_refused_by_its_content(kind: str, tmp_path: Path) -> None:
    assert refusal(NOT_PICTURES[kind], tmp_path) is Refusal.FORMAT


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(b"", tmp_path) is Refusal.EMPTY


@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
@pytest.mark.parametrize("form", READABLE)
def test_a_truncated_picture_is_refused(form: str, share: float, tmp_path: Path) -> None:
    data = encoded(SMALL, form)
    assert refusal(data[: int(len(data) * share)], tmp_path) is Refusal.UNREADABLE


@pytest.mark.parametrize("form", READABLE)
def test_a_picture_of_noise_behind_a_right_beginning_is_refused(form: str, tmp_path: Path) -> None:
    data = encoded(SMALL, form)
    assert refusal(data[:24] + bytes(range(256)) * 40, tmp_path) is Refusal.UNREADABLE


BOMBS = {
    "png": png_header(50_000, 50_000),
    "jpeg": jpeg_header(50_000, 50_000),
    "webp": webp_header(16_383, 16_383),
    "webp whose canvas would take all memory": webp_header(13_000, 13_000),
    "just over 40 megapixels": png_header(8000, 5001),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_by_its_header(kind: str, tmp_path: Path) -> None:
    assert refusal(BOMBS[kind], tmp_path) is Refusal.TOO_LARGE


@pytest.mark.parametrize("form", ["AVIF", "HEIF"])
def test_a_bomb_in_a_container_is_refused(form: str, tmp_path: Path) -> None:
    size, claim = (struct.pack(">4sIII", b"ispe", 0, *size) for size in (SMALL.size, (50_000, 50_000)))
    bomb = encoded(SMALL, form).replace(size, claim)
    assert claim in bomb
    assert refusal(bomb, tmp_path) in (Refusal.TOO_LARGE, Refusal.UNREADABLE)


@pytest.mark.parametrize("form", ["PNG", "WEBP", "AVIF"])
def test_an_animated_picture_is_refused(form: str, tmp_path: Path) -> None:
    data = encoded(SMALL, form, save_all=True, append_images=[SMALL.rotate(180)])
    assert refusal(data, tmp_path) is Refusal.ANIMATED


def test_a_sequence_of_heic_is_refused(tmp_path: Path) -> None:
    data = encoded(SMALL, "HEIF")
    assert refusal(data.replace(b"ftypheic", b"ftyphevc"), tmp_path) is Refusal.ANIMATED


@pytest.mark.parametrize(
    ("size", "reason"),
    [((15, 100), Refusal.TOO_SMALL), ((1, 1), Refusal.TOO_SMALL), ((16, 321), Refusal.TOO_NARROW)],
)
def test_a_picture_that_is_too_small_or_narrow_is_refused(
    size: tuple[int, int], reason: Refusal, tmp_path: Path
) -> None:
    assert refusal(encoded(Image.new("RGB", size), "PNG"), tmp_path) is reason


def test_the_smallest_picture_is_taken(tmp_path: Path) -> None:
    result = run(encoded(Image.new("RGB", (16, 320)), "PNG"), tmp_path)
    assert [path.name for path in result.files.values()] == ["16.avif", "16.webp", "16.jpg"]


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Replaces the encoder by another program."""

    def replace(code: str) -> None:
        monkeypatch.setattr(encoding, "PROGRAM", ("-c", code))

    return replace


LIMITED = "import sys; from advisory_site.media import encoder; encoder.LIMITS[{!r}] = {}; {}"
BEGIN = "import pathlib, sys; (pathlib.Path(sys.argv[2]) / '320.avif').write_bytes(b'half'); "
ENDLESS = "encoder._limit()\nwhile True: pass"
ENCODE = "encoder.main(*sys.argv[1:])"
DEATHS = {
    "killed": (BEGIN + "import os; os.kill(os.getpid(), 9)", Refusal.TOO_COMPLEX, "signal 9, Killed"),
    "crashed": (BEGIN + "import os; os.abort()", Refusal.FAILED, "signal 6, Aborted"),
    "failed": (BEGIN + "sys.exit('the reason')", Refusal.FAILED, "exit code 1"),
    "too slow": (LIMITED.format("RLIMIT_CPU", 1, BEGIN + ENDLESS), Refusal.TOO_COMPLEX, "signal 9"),
    "babbling": (BEGIN + "print('not JSON')", Refusal.FAILED, "exit code 0"),
    "lying": (BEGIN + """print('{"width": 320, "height": 320}')""", Refusal.FAILED, "exit code 0"),
}


@pytest.mark.parametrize("kind", DEATHS)
def test_an_encoder_that_dies_leaves_a_sentence_and_one_line(
    kind: str, child: Callable[[str], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code, reason, words = DEATHS[kind]
    child(code)
    assert refusal(encoded(SMALL), tmp_path) is reason
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert words in record.getMessage()
    assert "\n" not in record.getMessage()


def test_an_encoder_without_enough_memory_refuses_the_picture(child: Callable[[str], None], tmp_path: Path) -> None:
    child(LIMITED.format("RLIMIT_AS", 200 * 2**20, ENCODE))
    assert refusal(encoded(Image.new("RGB", (7000, 5000)), "PNG"), tmp_path) is Refusal.TOO_COMPLEX


def test_an_encoder_that_hangs_is_killed_with_its_children(
    child: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "TIMEOUT", 2.0)
    lock = "import fcntl, subprocess; lock = open(sys.argv[1]); fcntl.flock(lock, fcntl.LOCK_EX); "
    child(BEGIN + lock + "subprocess.run(['sleep', '600'], pass_fds=[lock.fileno()])")
    assert refusal(encoded(SMALL), tmp_path) is Refusal.TOO_COMPLEX
    with (tmp_path / "upload").open() as upload:
        fcntl.flock(upload, fcntl.LOCK_EX)  # waits until no process has it


def test_an_encoder_that_cannot_be_started_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    assert refusal(encoded(SMALL), tmp_path) is Refusal.FAILED
    assert "did not start" in caplog.messages[0]


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "300.jpg").symlink_to("/dev/full")
    (tmp_path / "upload").write_bytes(encoded(SMALL))
    with pytest.raises(PictureRefused, match="disk of the server is full"):
        encode(tmp_path / "upload", tmp_path / "files")
    assert list((tmp_path / "files").iterdir()) == []


def test_the_encoder_sees_no_setting_and_reads_no_input(
    child: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ADVISORY_SECRET_KEY", "0123456789abcdefghijklmnopqrstuvwxyz")
    child("import os, sys; sys.exit(f'{sorted(os.environ)} {sys.stdin.read()!r}')")
    ours, (reading, writing) = os.dup(0), os.pipe()
    os.write(writing, b"typed")
    os.close(writing)
    os.dup2(reading, 0)
    try:
        assert refusal(encoded(SMALL), tmp_path) is Refusal.FAILED
    finally:
        os.dup2(ours, 0)
        os.close(ours)
        os.close(reading)
    assert caplog.messages[0].endswith(("[] ''", "['LC_CTYPE'] ''"))
