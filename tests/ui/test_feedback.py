"""Replies to an action: what the person sees, and what the staff can read in the log."""

import logging
from typing import Any

import pytest

from advisory_site.core.errors import Forbidden
from advisory_site.ui.feedback import (
    KEPT,
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
    return [(notice["kind"], notice["text"]) for notice in reply.var("notice_state.notices")]


def words(event: object) -> tuple[str, str]:
    """The kind and the text in what a handler returns."""
    kind, text, *_ = (value._var_value for _, value in event.args)  # type: ignore[attr-defined]
    return kind, text


@pytest.mark.spec("DATA-4")
def test_a_notice_is_put_before_the_person(tab: EventClient) -> None:
    assert shown(tab.send(NoticeState.show, kind="success", text="Saved")) == [("success", "Saved")]


def test_the_latest_notices_are_kept_and_each_has_its_own_id(tab: EventClient) -> None:
    for number in range(KEPT + 3):
        reply = tab.send(NoticeState.show, kind="success", text=f"Number {number}")
    assert [text for _, text in shown(reply)] == [f"Number {number}" for number in range(3, KEPT + 3)]
    assert len({notice["id"] for notice in reply.var("notice_state.notices")}) == KEPT


@pytest.mark.spec("SAY-2")
def test_a_reply_replaces_what_was_said_of_the_same_and_nothing_else(tab: EventClient) -> None:
    tab.send(NoticeState.show, kind="error", text="Not saved", subject="form")
    tab.send(NoticeState.show, kind="error", text="Not deleted", subject="row 1")
    reply = tab.send(NoticeState.show, kind="success", text="Saved", subject="form")
    assert shown(reply) == [("error", "Not deleted"), ("success", "Saved")]


@pytest.mark.spec("SAY-2")
def test_a_sentence_stands_once_whatever_it_is_about(tab: EventClient) -> None:
    tab.send(NoticeState.show, kind="success", text="Deleted", subject="row 1")
    tab.send(NoticeState.show, kind="error", text="Away")
    reply = tab.send(NoticeState.show, kind="success", text="Deleted", subject="row 2")
    assert shown(reply) == [("error", "Away"), ("success", "Deleted")]


@pytest.mark.spec("SAY-2")
def test_success_goes_by_itself_and_an_error_does_not(tab: EventClient) -> None:
    tab.send(NoticeState.show, kind="success", text="Saved")
    tab.send(NoticeState.show, kind="success", text="Welcome", is_brief=True)
    reply = tab.send(NoticeState.show, kind="error", text="Not saved")
    assert [notice["ms"] for notice in reply.var("notice_state.notices")] == [4000, 2500, 0]


@pytest.mark.spec("TRASH-1")
def test_what_can_be_undone_is_shown_longer(tab: EventClient) -> None:
    reply = tab.send(NoticeState.offer_undo, text="Deleted", subject="row 1", batch="b1")
    assert [(notice["undo"], notice["ms"]) for notice in reply.var("notice_state.notices")] == [("b1", 12_000)]


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
def test_what_offers_nothing_to_undo_is_not_shown(tab: EventClient, payload: dict[str, Any]) -> None:
    assert tab.send(NoticeState.offer_undo, **payload).delta.get("notice_state.notices", []) == []


def test_what_is_not_so_any_more_is_withdrawn(tab: EventClient) -> None:
    tab.send(NoticeState.show, kind="error", text="The list cannot be read", subject="list")
    tab.send(NoticeState.show, kind="error", text="Not deleted", subject="row 1")
    reply = tab.send(NoticeState.withdraw, subject="list")
    assert [text for _, text in shown(reply)] == ["Not deleted", ""]
    assert reply.var("notice_state.notices")[-1]["subject"] == "list"


@pytest.mark.spec("SAY-2")
def test_a_success_that_has_replaced_the_error_is_not_withdrawn_with_it(tab: EventClient) -> None:
    tab.send(NoticeState.show, kind="error", text="Not saved", subject="form")
    tab.send(NoticeState.show, kind="success", text="Saved", subject="form")
    assert "notice_state.notices" not in tab.send(NoticeState.withdraw, subject="form").delta


def test_nothing_is_sent_for_what_was_never_said(tab: EventClient) -> None:
    tab.send(NoticeState.show, kind="error", text="Not deleted", subject="row 1")
    assert "notice_state.notices" not in tab.send(NoticeState.withdraw, subject="list").delta
    assert "notice_state.notices" not in tab.send(NoticeState.withdraw, subject="").delta


def test_a_form_and_each_row_of_a_list_are_subjects_of_their_own() -> None:
    assert subject_of(NoticeState) == subject_of(NoticeState)
    assert len({subject_of(NoticeState), subject_of(NoticeState, 1), subject_of(NoticeState, 2)}) == 3


@pytest.mark.parametrize(
    ("kind", "text"), [("alert", "Hello"), ("success", ""), ("success", {"a": 1}), ({}, "Hello"), (None, None)]
)
def test_what_is_no_notice_is_not_shown(tab: EventClient, kind: object, text: object) -> None:
    reply = tab.send(NoticeState.show, kind=kind, text=text)
    assert reply.delta.get("notice_state.notices", []) == []


def test_a_notice_is_never_longer_than_a_person_reads(tab: EventClient) -> None:
    ((_, text),) = shown(tab.send(NoticeState.show, kind="error", text="x" * 100_000))
    assert len(text) == MAX_LENGTH


def test_success_says_what_it_is_given() -> None:
    assert words(success_notice("Saved")) == ("success", "Saved")
    assert words(undo_notice("Deleted", "row 1", "")) == ("success", "Deleted")
    assert words(undo_notice("Deleted", "row 1", "b1"))[0] == "Deleted"


@pytest.mark.spec("DATA-4")
def test_a_refusal_shows_its_own_sentence(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert words(error_notice(Forbidden("Only admins may"), "It failed")) == ("error", "Only admins may")
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == ("INFO", "Refused: Only admins may")


@pytest.mark.spec("DATA-4")
def test_an_unforeseen_error_shows_the_fallback_and_logs_where_it_happened(
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


def test_what_a_form_or_a_query_held_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    error_notice(RuntimeError("insert failed\n[parameters: ('secret-word',)]"), "It failed")
    assert "secret-word" not in caplog.text


def test_a_reason_is_one_line_whatever_the_error_says() -> None:
    assert reason(ValueError("one\rtwo\x1b[31m")) == "ValueError: one"
    assert reason(ValueError()) == "ValueError: "
