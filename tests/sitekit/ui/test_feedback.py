"""Replies to an action: what the person sees, and what the staff can read in the log."""

import logging
from typing import Any

import pytest

from sitekit.base.errors import Forbidden
from sitekit.ui.feedback import (
    MAX_LENGTH,
    NoticeState,
    error_notice,
    reason,
    subject_of,
    success_notice,
    undo_notice,
)
from tests.support.event_client import EventClient, Reply


def shown(reply: Reply) -> list[tuple[str, str]]:
    return [(notice["level"], notice["text"]) for notice in reply.var("notice_state.notices")]


def words(event: object) -> tuple[str, str]:
    """The kind and the text in what a handler returns."""
    level, text, *_ = (value._var_value for _, value in event.args)  # type: ignore[attr-defined]
    return level, text


@pytest.mark.spec("DATA-4")
def test_a_notice_is_shown(tab: EventClient) -> None:
    assert shown(tab.send(NoticeState.show, level="success", text="Saved")) == [("success", "Saved")]


@pytest.mark.spec("SAY-2")
def test_the_latest_three_notices_are_kept_and_each_has_its_own_id(tab: EventClient) -> None:
    for number in range(5):
        reply = tab.send(NoticeState.show, level="success", text=f"Number {number}")
    assert [text for _, text in shown(reply)] == ["Number 2", "Number 3", "Number 4"]
    assert len({notice["id"] for notice in reply.var("notice_state.notices")}) == 3


@pytest.mark.spec("SAY-2")
def test_a_notice_replaces_only_the_one_of_the_same_subject(tab: EventClient) -> None:
    tab.send(NoticeState.show, level="error", text="Not saved", subject="form")
    tab.send(NoticeState.show, level="error", text="Not deleted", subject="row 1")
    reply = tab.send(NoticeState.show, level="success", text="Saved", subject="form")
    assert shown(reply) == [("error", "Not deleted"), ("success", "Saved")]


@pytest.mark.spec("SAY-2")
def test_the_same_text_is_shown_once_for_all_subjects(tab: EventClient) -> None:
    tab.send(NoticeState.show, level="success", text="Deleted", subject="row 1")
    tab.send(NoticeState.show, level="error", text="Away")
    reply = tab.send(NoticeState.show, level="success", text="Deleted", subject="row 2")
    assert shown(reply) == [("error", "Away"), ("success", "Deleted")]


@pytest.mark.spec("SAY-2")
def test_success_notices_disappear_and_errors_stay(tab: EventClient) -> None:
    tab.send(NoticeState.show, level="success", text="Saved")
    tab.send(NoticeState.show, level="success", text="Welcome", is_brief=True)
    reply = tab.send(NoticeState.show, level="error", text="Not saved")
    assert [notice["ms"] for notice in reply.var("notice_state.notices")] == [4000, 2500, 0]


@pytest.mark.spec("TRASH-1")
def test_notices_with_undo_are_shown_longer(tab: EventClient) -> None:
    reply = tab.send(NoticeState.offer_undo, text="Deleted", subject="row 1", batch="b1")
    assert [(notice["undo"], notice["ms"]) for notice in reply.var("notice_state.notices")] == [("b1", 12_000)]


@pytest.mark.spec("SAY-2")
def test_a_newer_notice_takes_the_undo_from_earlier_ones(tab: EventClient) -> None:
    tab.send(NoticeState.offer_undo, text="Deleted", subject="row 1", batch="b1")
    reply = tab.send(NoticeState.offer_undo, text="Moved", subject="row 2", batch="b2")
    assert [notice["undo"] for notice in reply.var("notice_state.notices")] == ["", "b2"]
    tab.send(NoticeState.show, level="error", text="Not saved", subject="form")
    reply = tab.send(NoticeState.withdraw, subject="form")
    assert [notice["undo"] for notice in reply.var("notice_state.notices")] == ["", "", ""]


@pytest.mark.spec("TRASH-1")
@pytest.mark.parametrize(
    "payload",
    [
        {"text": "Deleted", "subject": "row 1", "batch": ""},
        {"text": " ", "subject": "row 1", "batch": "b1"},
        {"text": "Deleted", "subject": "row 1", "batch": {"a": 1}},
        {"text": "Deleted", "batch": "b1"},
    ],
)
def test_undo_notices_without_a_batch_are_not_shown(tab: EventClient, payload: dict[str, Any]) -> None:
    assert tab.send(NoticeState.offer_undo, **payload).delta.get("notice_state.notices", []) == []


def test_outdated_notices_are_withdrawn(tab: EventClient) -> None:
    tab.send(NoticeState.show, level="error", text="The list cannot be read", subject="list")
    tab.send(NoticeState.show, level="error", text="Not deleted", subject="row 1")
    reply = tab.send(NoticeState.withdraw, subject="list")
    assert [text for _, text in shown(reply)] == ["Not deleted", ""]
    assert reply.var("notice_state.notices")[-1]["subject"] == "list"


@pytest.mark.spec("SAY-2")
def test_withdrawing_an_error_keeps_the_success_that_replaced_it(tab: EventClient) -> None:
    tab.send(NoticeState.show, level="error", text="Not saved", subject="form")
    tab.send(NoticeState.show, level="success", text="Saved", subject="form")
    assert "notice_state.notices" not in tab.send(NoticeState.withdraw, subject="form").delta


def test_withdrawing_an_unknown_subject_sends_nothing(tab: EventClient) -> None:
    tab.send(NoticeState.show, level="error", text="Not deleted", subject="row 1")
    assert "notice_state.notices" not in tab.send(NoticeState.withdraw, subject="list").delta
    assert "notice_state.notices" not in tab.send(NoticeState.withdraw, subject="").delta


def test_forms_and_rows_have_distinct_subjects() -> None:
    assert subject_of(NoticeState) == subject_of(NoticeState)
    assert len({subject_of(NoticeState), subject_of(NoticeState, 1), subject_of(NoticeState, 2)}) == 3


@pytest.mark.parametrize(
    ("level", "text"), [("alert", "Hello"), ("success", ""), ("success", {"a": 1}), ({}, "Hello"), (None, None)]
)
def test_invalid_notices_are_not_shown(tab: EventClient, level: object, text: object) -> None:
    reply = tab.send(NoticeState.show, level=level, text=text)
    assert reply.delta.get("notice_state.notices", []) == []


def test_long_notices_are_shortened(tab: EventClient) -> None:
    ((_, text),) = shown(tab.send(NoticeState.show, level="error", text="x" * 100_000))
    assert len(text) == MAX_LENGTH


def test_a_success_notice_shows_its_text() -> None:
    assert words(success_notice("Saved")) == ("success", "Saved")
    assert words(undo_notice("Deleted", "row 1", "")) == ("success", "Deleted")
    assert words(undo_notice("Deleted", "row 1", "b1"))[0] == "Deleted"


@pytest.mark.spec("DATA-4")
def test_a_refusal_shows_its_own_message(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert words(error_notice(Forbidden("Only admins may"), "It failed"))[0] == "Only admins may"
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == ("INFO", "Refused: Only admins may")


@pytest.mark.spec("DATA-4")
def test_an_unexpected_error_shows_the_fallback_and_logs_its_location(
    caplog: pytest.LogCaptureFixture,
) -> None:
    try:
        raise RuntimeError("disk on fire\nparameters: secret-word")
    except RuntimeError as error:
        event = error_notice(error, "It failed")
    assert words(event)[0] == "It failed"
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "It failed: RuntimeError: disk on fire" in caplog.text
    assert "test_feedback.py" in caplog.text


def test_values_of_forms_and_queries_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    error_notice(RuntimeError("insert failed\n[parameters: ('secret-word',)]"), "It failed")
    assert "secret-word" not in caplog.text


def test_the_reason_of_an_error_is_one_line() -> None:
    assert reason(ValueError("one\rtwo\x1b[31m")) == "ValueError: one"
    assert reason(ValueError()) == "ValueError: "
