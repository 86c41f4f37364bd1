"""The formats and filters of the log, which its configuration names.

The server loads this module before the site, so it and what it imports read no facts about the site when they are
imported.
"""

import json
import logging
import re
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..request_context import facts, request_id
from ..site import get_site
from ..text import escape_controls

MAX_LINE = 500

# The token of a browser tab, a UUID, gives access to the tab's state. Libraries put it into messages, errors, Redis
# keys and names of tasks.
TAB_TOKEN = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
# Kept, because `json.dumps` would make an encoder for each line.
_to_json = json.JSONEncoder(ensure_ascii=False, default=str).encode


def _without_tokens(text: str) -> str:
    return TAB_TOKEN.sub("(token)", text)


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "version": get_site().version,
            "message": _without_tokens(record.getMessage()),
        }
        if name := request_id.get():
            line["id"] = name
        line |= facts() | getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = _without_tokens(self.formatException(record.exc_info))
        return _to_json(line)


class Readable(logging.Formatter):
    """Formats a record for people: time, level, the id of a failure, message. Control characters are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        head = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():<7} "
        if record.levelno >= logging.WARNING and (name := request_id.get()):
            head += f"[{name}] "
        text = record.getMessage() + (f"\n{self.formatException(record.exc_info)}" if record.exc_info else "")
        # Further lines are indented, so that no message can imitate an entry.
        return head + "\n    ".join(escape_controls(line, MAX_LINE) for line in _without_tokens(text).splitlines())


class AtMostSoMany(logging.Filter):
    """Passes at most MOST warnings and errors per minute of each line of code, and logs how many it dropped.

    Visitors can cause some of them as often as they like.
    """

    MOST = 30
    SECONDS = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._minutes: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record passes; the first one of a new minute states the number dropped in the last."""
        if record.levelno < logging.WARNING:
            return True
        passes, dropped = self.passes(record)
        if dropped:
            # The values stay apart from the message, because the error tracker does not get them.
            text = str(record.msg) if record.args else str(record.msg).replace("%", "%%")
            args = record.args if isinstance(record.args, tuple) else (record.args,) if record.args else ()
            record.msg, record.args = f"{text} (%d more like the one before were not logged.)", (*args, dropped)
        return passes

    def passes(self, record: logging.LogRecord) -> tuple[bool, int]:
        """Whether the record passes, and how many were dropped in the last minute, if it is the first of a new one."""
        location, at = (record.pathname, record.lineno), time.monotonic()
        since, count = self._minutes.get(location, (at, 0))
        dropped = 0
        if at - since > self.SECONDS:
            since, count, dropped = at, 0, max(0, count - self.MOST)
        self._minutes[location] = (since, count + 1)
        return count < self.MOST, dropped


class Brief(logging.Filter):
    """Replaces a library's traceback, which may quote what a client sent, by the error's type and place."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record; every record passes."""
        if record.exc_info and record.exc_info[0]:
            frames = traceback.extract_tb(record.exc_info[2])
            where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
            record.msg = f"{record.getMessage()} ({record.exc_info[0].__name__}{where})"
            record.args, record.exc_info, record.exc_text = None, None, None
        return True
