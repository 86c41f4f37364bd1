"""What visitors send stays out of the log."""

import logging

import pytest

from sitekit.server.framework.log_redaction import install_log_redaction

SECRET = "hunter2\nTraceback"


@pytest.mark.spec("SES-5")
@pytest.mark.parametrize(
    ("logger", "message"),
    [
        ("reflex_base.vars.base", f"Expected field 'A.b' to receive type 'str', but got '{SECRET}' of type 'str'."),
        ("reflex_base.event.processor.event_processor", f"Error processing event queue entry for Event({SECRET})"),
        (
            "reflex_base.event.processor.base_state_processor",
            f"Error transforming event payload for handler f: argument 'x' with value '{SECRET}'",
        ),
        ("reflex.app", f"Received event data as a string. Event data: {SECRET}"),
    ],
)
def test_reflex_log_messages_omit_event_data(logger: str, message: str, caplog: pytest.LogCaptureFixture) -> None:
    install_log_redaction()
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger(logger).exception(message)
    assert "hunter2" not in caplog.text
    assert "Traceback" not in caplog.text
    assert "what was sent is not logged" in caplog.text


def test_other_log_messages_are_unchanged(caplog: pytest.LogCaptureFixture) -> None:
    install_log_redaction()
    logging.getLogger("reflex.app").error("The state could not be saved: %s", "disk full")
    assert "The state could not be saved: disk full" in caplog.text
