"""Removes what visitors sent from Reflex's own log messages.

Reflex 0.10.1 quotes the values of events in its log, and has no setting to prevent it.
"""

import logging

from ...base.text import escape_controls

# The texts after which those messages quote what was sent.
_QUOTES = (" with value ", " Event data: ", ", but got ", " entry for ", " but received ", " event data: ")
_LOGGERS = (
    "reflex.app",
    "reflex.state",
    "reflex_base.vars.base",
    "reflex_base.event.processor.event_processor",
    "reflex_base.event.processor.base_state_processor",
)


class RedactionFilter(logging.Filter):
    """Cuts a message before what it quotes, and removes the exception, which repeats it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record if it quotes; every record passes."""
        text = record.getMessage()
        ends = [text.find(quote) for quote in _QUOTES if quote in text]
        if ends:
            record.msg = escape_controls(text[: min(ends)]) + " (what was sent is not logged)"
            record.args, record.exc_info, record.exc_text = None, None, None
        return True


def install_log_redaction() -> None:
    """Add the filter to Reflex's loggers, one by one, because a logger's filters do not apply to its children."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(log_filter, RedactionFilter) for log_filter in logger.filters):
            logger.addFilter(RedactionFilter())
