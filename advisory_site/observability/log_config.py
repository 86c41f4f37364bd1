"""Configures the log: one JSON line per entry in production, readable lines locally, ids in both."""

import json
import logging
import random
import re
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.settings import Settings
from ..core.text import escape_controls

# What is worked on here: an event of a visitor's tab, or a request. Whatever is logged meanwhile carries its id.
request_id: ContextVar[str] = ContextVar("request_id", default="")

# An event or a request each: for machines to count, too much for a person to read.
TRAFFIC = "advisory_site.traffic"
MAX_LINE = 500

# The token of a browser tab gives access to the state that the server keeps for that tab. Libraries put tokens, which
# are UUIDs, into messages, errors, Redis keys and the names of tasks.
TAB_TOKEN = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)


def _without_tokens(text: str) -> str:
    return TAB_TOKEN.sub("(token)", text)


def new_request_id() -> str:
    """An id for one event or request, set from here on."""
    # No secret: it only has to be another one each time, and the system's own chance costs many times as much.
    name = f"{random.getrandbits(48):012x}"
    request_id.set(name)
    return name


class JsonLines(logging.Formatter):
    """One line a record, whatever its message holds."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_tokens(record.getMessage()),
        }
        if name := request_id.get():
            line["id"] = name
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = _without_tokens(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


class Readable(logging.Formatter):
    """The time, how bad it is, and the words; control characters cannot paint over the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        head = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():<7} "
        text = record.getMessage() + (f"\n{self.formatException(record.exc_info)}" if record.exc_info else "")
        # Indented, so that no message looks like an entry of its own.
        return head + "\n    ".join(escape_controls(line, MAX_LINE) for line in _without_tokens(text).splitlines())


class AtMostSoMany(logging.Filter):
    """Lets at most MOST warnings and errors of each line of code pass per minute, and says how many it dropped.

    Visitors can cause some of them as often as they like, and nobody reads the thousandth.
    """

    MOST = 30
    SECONDS = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._minutes: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this one passes; the first one of a new minute carries the number dropped in the last."""
        if record.levelno < logging.WARNING:
            return True
        place, moment = (record.pathname, record.lineno), time.monotonic()
        since, count = self._minutes.get(place, (moment, 0))
        if moment - since > self.SECONDS:
            if count > self.MOST:
                record.msg = f"{record.getMessage()} ({count - self.MOST} more like the one before were not logged.)"
                record.args = None
            since, count = moment, 0
        self._minutes[place] = (since, count + 1)
        return count < self.MOST


class Brief(logging.Filter):
    """Replaces the traceback of a library's error, which may quote what was sent, by its kind and its last line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, shortened."""
        if record.exc_info and record.exc_info[0]:
            frames = traceback.extract_tb(record.exc_info[2])
            where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
            record.msg = f"{record.getMessage()} ({record.exc_info[0].__name__}{where})"
            record.args, record.exc_info, record.exc_text = None, None, None
        return True


def configuration(settings: Settings) -> dict[str, Any]:
    """The dict for `logging.config`; Granian's messages go the same way as ours."""
    own = JsonLines if settings.is_production else Readable
    # A level of their own keeps these from printing to the terminal by themselves.
    sockets = {"level": "ERROR", "handlers": ["out"], "propagate": False, "filters": ["brief"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"own": {"()": _name(own)}},
        "filters": {"at most so many": {"()": _name(AtMostSoMany)}, "brief": {"()": _name(Brief)}},
        "handlers": {
            "out": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stdout",
                "formatter": "own",
                "filters": ["at most so many"],
            }
        },
        "root": {"level": "WARNING", "handlers": ["out"]},
        "loggers": {
            "advisory_site": {"level": "INFO"},
            TRAFFIC: {"level": "INFO" if settings.is_production else "WARNING"},
            "engineio.server": sockets,
            "socketio.server": sockets,
            "alembic": {"level": "WARNING"},
            "_granian": {"level": "INFO", "handlers": ["out"], "propagate": False},
            "granian.access": {"level": "WARNING", "handlers": ["out"], "propagate": False},
        },
    }


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def write_configuration(settings: Settings) -> Path:
    """Put the configuration where the server, which reads it from a file, finds it."""
    path = settings.data_dir / "logging.json"
    path.write_text(json.dumps(configuration(settings), indent=1), encoding="utf-8")
    return path
