"""Configures the log: one JSON line per entry in production, readable lines locally, ids in both."""

import json
from pathlib import Path
from typing import Any

from ..settings import Settings
from ..site import get_site
from ..write_whole import write_whole
from .log_format import AtMostSoMany, Brief, JsonLines, Readable

# The logger for one line per request or event; shown only in production's JSON log.
TRAFFIC = f"{get_site().package}.traffic"


def configuration(settings: Settings) -> dict[str, Any]:
    """The dict for `logging.config`; Granian's messages are formatted like ours."""
    own = JsonLines if settings.is_production else Readable
    # With a level set, these libraries do not print to the terminal themselves.
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
            get_site().package: {"level": "INFO"},
            "sitekit": {"level": "INFO"},
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
    """Write the configuration to a file, from which the server reads it; returns its path."""
    path = settings.data_dir / "logging.json"
    # Whole at any time, because two backends may share the folder.
    write_whole(path, [json.dumps(configuration(settings), indent=1).encode()])
    return path
