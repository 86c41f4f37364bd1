"""Submits a form once: a button that cannot be pressed twice, and a decorator for handlers that ignores repetitions.

The browser disables the button at the first press and gives each submission an id. A state handles its events one after
the other, so a second submission that is sent anyway is handled after the first, and recognised by its id.
"""

import functools
from collections.abc import AsyncIterator, Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import reflex as rx

from ...content import messages
from ...framework.event_marks import EventReply
from ..scripts import script

SUBMISSION = "submission"
MAX_ID = 40


class SubmittedOnce(rx.State, mixin=True):
    """The state of a form whose submit handler is decorated with `once`; the form counts `times_refused`."""

    answered: str = ""
    is_busy: bool = False
    times_refused: int = 0


Given = ParamSpec("Given")
State = TypeVar("State", bound=SubmittedOnce)
Submit = Callable[Concatenate[State, dict[str, Any], Given], AsyncIterator[EventReply]]


def once(handler: Submit[State, Given]) -> Submit[State, Given]:
    """Decorator: ignore a submission that was already handled; set `is_busy` during any other.

    Goes below the access mark, on an async generator that yields None to show that the form is busy, and its reply at
    the end. The reply and the end of `is_busy` are one update: once an error is shown, Enter sends the form again.
    """

    async def handled(
        self: State, form_data: dict[str, Any], *args: Given.args, **given: Given.kwargs
    ) -> AsyncIterator[EventReply]:
        submission = _id_of(form_data)
        if submission and submission == self.answered:
            return
        self.is_busy = True
        reply: EventReply = None
        try:
            async for update in handler(self, form_data, *args, **given):
                if update is None:
                    yield None
                else:
                    reply = update
        finally:
            self.answered, self.is_busy = submission, False
        yield reply

    functools.update_wrapper(handled, handler)
    handled.__once__ = True  # type: ignore[attr-defined]
    # Reflex passes the argument by name, but the type `Submit` declares it positional.
    return handled  # type: ignore[return-value]


def release_form(state: rx.State, handler: Callable[..., Any]) -> None:
    """Let a form be sent again at once whose submission is refused before its handler runs."""
    if isinstance(state, SubmittedOnce) and getattr(handler, "__once__", False):
        state.times_refused += 1


def _id_of(form_data: object) -> str:
    given = form_data.get(SUBMISSION) if isinstance(form_data, dict) else None
    return given if isinstance(given, str) and len(given) <= MAX_ID else ""


class SubmitButton(rx.Component):
    """A submit button; shows `busy_label` from the first press until the reply.

    `answered`, `times_refused` and `is_busy` are those of `SubmittedOnce`.
    """

    library, tag = script("submit.jsx", "SubmitButton")
    answered: rx.Var[str]
    times_refused: rx.Var[int]
    is_busy: rx.Var[bool]
    label: rx.Var[str]
    busy_label: rx.Var[str]
    waiting_label: rx.Var[str] = rx.Var.create(messages.WAITING_FOR_CONNECTION)
    size: rx.Var[str]
    variant: rx.Var[str]
    width: rx.Var[str]


def submit_button(state: Any, label: Any, busy_label: Any, **look: Any) -> rx.Component:
    """The submit button of a form whose state is a `SubmittedOnce`."""
    return SubmitButton.create(
        answered=state.answered,
        times_refused=state.times_refused,
        is_busy=state.is_busy,
        label=label,
        busy_label=busy_label,
        **look,
    )
