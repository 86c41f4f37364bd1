"""Replies to an action: what the person sees, and what the staff can read in the log."""

import logging

import pytest

from advisory_site.errors import Forbidden
from advisory_site.ui.feedback import KEPT, MAX_LENGTH, NoticeState, failure, reason, success
from tests.tab import Reply, Tab


def shown(reply: Reply) -> list[tuple[str, str]]:
    return [(notice["kind"], notice["text"]) for notice in reply.var("notice_state.notices")]


def words(event: object) -> tuple[str, str]:
    """The kind and the text in what a handler returns."""
    kind, text = (value._var_value for _, value in event.args)  # type: ignore[attr-defined]
    return kind, text


@pytest.mark.spec("DATA-4")
def test_a_notice_is_put_before_the_person(tab: Tab) -> None:
    assert shown(tab.send(NoticeState.show, kind="success", text="Saved")) == [("success", "Saved")]


def test_the_latest_notices_are_kept_and_each_has_its_own_id(tab: Tab) -> None:
    for number in range(KEPT + 3):
        reply = tab.send(NoticeState.show, kind="success", text=f"Number {number}")
    assert [text for _, text in shown(reply)] == [f"Number {number}" for number in range(3, KEPT + 3)]
    assert len({notice["id"] for notice in reply.var("notice_state.notices")}) == KEPT


@pytest.mark.parametrize(
    ("kind", "text"), [("alert", "Hello"), ("success", ""), ("success", {"a": 1}), ({}, "Hello"), (None, None)]
)
def test_what_is_no_notice_is_not_shown(tab: Tab, kind: object, text: object) -> None:
    reply = tab.send(NoticeState.show, kind=kind, text=text)
    assert reply.delta.get("notice_state.notices", []) == []


def test_a_notice_is_never_longer_than_a_person_reads(tab: Tab) -> None:
    ((_, text),) = shown(tab.send(NoticeState.show, kind="error", text="x" * 100_000))
    assert len(text) == MAX_LENGTH


def test_success_says_what_it_is_given() -> None:
    assert words(success("Saved")) == ("success", "Saved")


@pytest.mark.spec("DATA-4")
def test_a_refusal_shows_its_own_sentence(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert words(failure(Forbidden("Only admins may"), "It failed")) == ("error", "Only admins may")
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == ("INFO", "Refused: Only admins may")


@pytest.mark.spec("DATA-4")
def test_an_unforeseen_error_shows_the_fallback_and_logs_where_it_happened(
    caplog: pytest.LogCaptureFixture,
) -> None:
    try:
        raise RuntimeError("disk on fire\nparameters: secret-word")
    except RuntimeError as error:
        event = failure(error, "It failed")
    assert words(event) == ("error", "It failed")
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "It failed: RuntimeError: disk on fire" in caplog.text
    assert "test_feedback.py" in caplog.text


def test_what_a_form_or_a_query_held_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    failure(RuntimeError("insert failed\n[parameters: ('secret-word',)]"), "It failed")
    assert "secret-word" not in caplog.text


def test_a_reason_is_one_line_whatever_the_error_says() -> None:
    assert reason(ValueError("one\rtwo\x1b[31m")) == "ValueError: one"
    assert reason(ValueError()) == "ValueError: "
