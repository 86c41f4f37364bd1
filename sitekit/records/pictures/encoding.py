"""Encodes an uploaded picture in a child process, which is limited in memory and time and may die."""

import asyncio
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import ServiceError
from ...base.settings import ROOT
from .addresses import FORMATS, sizes_of
from .refusals import PictureRefusal

log = logging.getLogger(__name__)

PROGRAM = ("-m", "sitekit.records.pictures.encoder")
# In seconds. Longer than its limit of processor time (encoder.py), for on a busy machine it gets little of it.
TIMEOUT = 60.0


class PictureRefused(ServiceError):
    """The file is not a picture that can be used, or it could not be processed."""


@dataclass(frozen=True)
class Encoded:
    """The size of the largest picture in pixels, and the files by width and format."""

    width: int
    height: int
    files: Mapping[tuple[int, str], Path]


async def encode(source: Path, target: Path) -> Encoded:
    """Encode a picture in all sizes and formats, as files `<width>.<format>` in an empty folder.

    Raises `PictureRefused`. The folder is empty then, and also if the task is cancelled, which stops the encoder.
    """
    try:
        return await _encode(source, target)
    except BaseException:
        for file in target.iterdir():
            file.unlink()
        raise


async def _encode(source: Path, target: Path) -> Encoded:
    started = time.monotonic()
    try:
        code, output, errors = await _run(source, target)
    except OSError as error:  # no memory or no process is left for it
        log.error("The encoder of pictures did not start: %s", error)
        raise PictureRefused(PictureRefusal.FAILED.value) from error
    result = _result(output, target) if code == 0 else None
    if isinstance(result, Encoded):
        return result
    if result:
        log.info("A picture was refused: %s", result.name)
        raise PictureRefused(result.value)
    log.error("The encoder of pictures failed (%s) after %.1f s: %s", _ending(code), time.monotonic() - started, errors)
    # The kernel kills what exceeds its processor time, and what it chooses when memory runs out.
    refusal = PictureRefusal.TOO_COMPLEX if code in (None, -signal.SIGKILL) else PictureRefusal.FAILED
    raise PictureRefused(refusal.value)


def _result(output: str, target: Path) -> Encoded | PictureRefusal | None:
    """What the encoder has printed; None if it makes no sense or files are missing."""
    try:
        reply = json.loads(output)
        if "refused" in reply:
            return PictureRefusal[reply["refused"]]
        width, height = int(reply["width"]), int(reply["height"])
    except (ValueError, LookupError, TypeError):
        return None
    files = {(size, form): target / f"{size}.{form}" for size in sizes_of(width) for form in FORMATS}
    return Encoded(width, height, files) if all(file.is_file() for file in files.values()) else None


async def _run(source: Path, target: Path) -> tuple[int | None, str, str]:
    """Run the encoder: its exit code (None if it took too long), what it printed, and its last line of errors."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *PROGRAM,
        str(source.absolute()),
        str(target.absolute()),
        cwd=ROOT,
        env={},  # it needs no setting, and no secret
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(TIMEOUT):
            output, errors = (text.decode(errors="replace") for text in await process.communicate())
    except TimeoutError:
        return None, "", ""
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    return process.returncode, output, (errors.strip().splitlines() or [""])[-1][:300]


def _ending(code: int | None) -> str:
    if code is None:
        return "its time limit"
    return f"signal {-code}, {signal.strsignal(-code)}" if code < 0 else f"exit code {code}"
