"""The state of a form that is sent in one piece, and `once`: a submission that is sent again is ignored.

The browser disables the button at the first press and gives each submission an id. A state handles its events one after
the other, so a second submission that is sent anyway is handled after the first, and recognised by its id.
"""

import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

import reflex as rx

from ..base.errors import InvalidInput
from ..records.form_fields import FormData, complaint
from ..server.framework.event_marks import ChainedEvent, EventReply
from .feedback import refusal, subject_of
from .marks import FieldCheck, with_check

SUBMISSION = "submission"
MAX_ID = 40
# They only grow, so that the browser sees a change; so do all that are named `times_...`.
COUNTERS = frozenset({"answered", "answers", "revision", "saves"})


class Form(rx.State, mixin=True):
    """Mix in before `rx.State`, decorate the submit handler with `@once()`, and set `data_class` if `_check` is used.

    `errors` and `checks` are the last results; the browser decides which marks to show, because it has the current
    values.
    """

    answered: str = ""
    is_busy: bool = False
    times_refused: int = 0
    errors: dict[str, str] = {}
    checks: dict[str, FieldCheck] = {}

    data_class: ClassVar[type[FormData]]

    def _subject(self) -> str:
        """What the notices of the form are about."""
        return subject_of(self)

    def _read(self, typed: dict[str, Any]) -> object:
        """Read the form; raises `InvalidInput`."""
        return self.data_class.read(typed)

    def _check(self, name: str, edit: int, typed: dict[str, Any]) -> None:
        """Check an invalid field again while typing pauses."""
        self.checks = with_check(self.checks, name, FieldCheck(edit, complaint(self._read, name, typed)))

    def _begin(self) -> None:
        """What to clear when a submission arrives; by default nothing."""

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """Mark the fields of an error, and reply with its message, or with `fallback` if it is unexpected."""
        self.errors = error.fields if isinstance(error, InvalidInput) else {}
        self.times_refused += 1
        return self._notice(error, fallback)

    def _notice(self, error: Exception, fallback: str) -> ChainedEvent | None:
        return refusal(error, fallback, self._subject())

    def _clear(self) -> None:
        """Reset all vars except the counters, so that nothing of an earlier visit is left."""
        kept = {name: getattr(self, name) for name in self.vars if name in COUNTERS or name.startswith("times_")}
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        for name, number in kept.items():
            setattr(self, name, number)


Given = ParamSpec("Given")
State = TypeVar("State", bound=Form)
Submit = Callable[Concatenate[State, dict[str, Any], Given], Awaitable[EventReply]]
Submitted = Callable[Concatenate[State, dict[str, Any], Given], AsyncIterator[EventReply]]


def once(*, failed: str = "") -> Callable[[Submit[State, Given]], Submitted[State, Given]]:
    """Decorator: ignore a submission that was already handled; `_begin` and set `is_busy` before any other.

    Goes below the access mark, on an async handler that returns its reply. The form refuses an error of the handler
    with the sentence `failed`, if there is one. The reply and the end of `is_busy` are one update: once an error is
    shown, Enter sends the form again.
    """

    def decorate(handler: Submit[State, Given]) -> Submitted[State, Given]:
        async def handled(
            self: State, form_data: dict[str, Any], *args: Given.args, **given: Given.kwargs
        ) -> AsyncIterator[EventReply]:
            submission = _id_of(form_data)
            if submission and submission == self.answered:
                return
            self.is_busy = True
            reply: EventReply
            try:
                self._begin()
                yield None
                try:
                    reply = await handler(self, form_data, *args, **given)
                except Exception as error:
                    if not failed:
                        raise
                    reply = self._refuse(error, failed)
            finally:
                self.answered, self.is_busy = submission, False
            yield reply

        functools.update_wrapper(handled, handler)
        handled.__once__ = True  # type: ignore[attr-defined]
        # Reflex passes the argument by name, but the type `Submitted` declares it positional.
        return handled  # type: ignore[return-value]

    return decorate


def release_form(state: rx.State, handler: Callable[..., Any]) -> None:
    """Let a form be sent again at once whose submission is refused before its handler runs."""
    if isinstance(state, Form) and getattr(handler, "__once__", False):
        state.times_refused += 1


def _id_of(form_data: object) -> str:
    given = form_data.get(SUBMISSION) if isinstance(form_data, dict) else None
    return given if isinstance(given, str) and len(given) <= MAX_ID else ""
