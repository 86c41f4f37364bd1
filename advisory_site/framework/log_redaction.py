"""Removes what visitors sent from Reflex's own log messages.

Reflex 0.10.1 quotes the values of an event in what it logs, without a setting against it.
"""

import logging

from ..core.text import escape_controls

# Where the quoting begins in those messages.
_QUOTES = (" with value ", " Event data: ", ", but got ", " entry for ", " but received ", " event data: ")
_LOGGERS = (
    "reflex.app",
    "reflex.state",
    "reflex_base.vars.base",
    "reflex_base.event.processor.event_processor",
    "reflex_base.event.processor.base_state_processor",
)


class RedactionFilter(logging.Filter):
    """Cuts a message before what it quotes, and keeps the error's own words, which repeat the quote, out too."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, shortened where it quotes."""
        text = record.getMessage()
        ends = [text.find(quote) for quote in _QUOTES if quote in text]
        if ends:
            record.msg = escape_controls(text[: min(ends)]) + " (what was sent is not logged)"
            record.args, record.exc_info, record.exc_text = None, None, None
        return True


def install_log_redaction() -> None:
    """Put the filter before Reflex's loggers; filters of a parent do not reach the messages of its children."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, RedactionFilter) for one in logger.filters):
            logger.addFilter(RedactionFilter())
