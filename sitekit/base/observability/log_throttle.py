"""Throttles a repeated log line: logged the first time, then once per minute with a count."""

import logging
import time

INTERVAL = 60.0  # seconds


class ThrottledLog:
    """Logs messages of one kind, at most one per `INTERVAL`."""

    def __init__(self, log: logging.Logger, level: int = logging.WARNING) -> None:
        self._log, self._level = log, level
        self._logged_at = -INTERVAL
        self._dropped = 0

    def __call__(self, text: str, *values: object) -> None:
        """Log a message, or only count it if one was logged within `INTERVAL`."""
        now = time.monotonic()
        if now - self._logged_at < INTERVAL:
            self._dropped += 1
            return
        more = f" ({self._dropped} more like this since the last line)" if self._dropped else ""
        self._logged_at, self._dropped = now, 0
        self._log.log(self._level, text + more, *values)
