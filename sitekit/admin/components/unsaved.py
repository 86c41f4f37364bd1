"""Protects unsaved changes: asks before leaving, keeps the texts in the browser, saves on Ctrl or Cmd+S.

They are in the tab's session storage, under the user's id. They are written when typing pauses and before anything
is sent, and restored when the form opens again: after an expired session, a crash or a reload. Until then the form is
disabled, so that the stored record is not saved in their place. Saving, or agreeing to leave, deletes them. Short forms
only ask before leaving.
"""

from typing import Annotated, Any

import reflex as rx

from ...base import messages, paths
from ...ui.scripts import script
from .. import texts
from .confirm import question

# The values of a button's `data-then`, sent in the hidden input `then` of the form that it submits.
STAY = "stay"
OVERWRITE = "overwrite"
DRAFT = "draft"
OVERWRITE_DRAFT = "overwrite-draft"
PREVIEW = "preview"
PUBLISH = "publish"
LEAVING = question(messages.UNSAVED_CHANGES, texts.LEAVE, no=texts.KEEP_EDITING)
DISCARDING = question(texts.DISCARD_CONFIRM, texts.DISCARD, is_danger=True)


class UnsavedChanges(rx.Component):
    """Protects the form with the id `form`; remount both, with a new `key`, when the form's values change.

    `name` is that of the texts (user and record). `times_refused` increases with every refusal. `is_restored`: the form
    shows them. `saves` increases with every save: the form then shows `stored`, except for what was typed meanwhile,
    and the browser goes to `destination` if it is set: with `is_staying` to the same form, else to the list.
    """

    library, tag = script("unsaved.jsx", "UnsavedChanges")
    form: rx.Var[str]
    name: rx.Var[str]
    question: rx.Var[dict[str, Any]] = LEAVING
    times_refused: rx.Var[int]
    is_restored: rx.Var[bool]
    saves: rx.Var[int]
    stored: rx.Var[Any]
    destination: rx.Var[str]
    is_staying: rx.Var[bool]
    sign_in: rx.Var[str] = rx.Var.create(paths.AUTH)
    restored_text: rx.Var[str] = rx.Var.create(texts.RESTORED)
    discard_label: rx.Var[str] = rx.Var.create(texts.DISCARD)
    discard_question: rx.Var[dict[str, Any]] = DISCARDING
    on_restore: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(dict)]
    on_discard: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class AskBeforeLeaving(rx.Component):
    """Asks before leaving a page if the `forms` (a selector) have changes; stores nothing, so they may hold passwords.

    One per page, because the router allows only one blocker. Values filled in by a password manager do not count as
    changes. A redirect to `sign_in` is not blocked.
    """

    library, tag = script("unsaved.jsx", "AskBeforeLeaving")
    forms: rx.Var[str]
    sign_in: rx.Var[str] = rx.Var.create(paths.AUTH)
    question: rx.Var[dict[str, Any]] = LEAVING


ask_before_leaving = AskBeforeLeaving.create


def unsaved_changes(state: Any, form_id: str, *, destination: Any = "", is_staying: Any = True) -> rx.Component:
    """Keeps what is typed into the form of a state with these vars; goes into the form."""
    return UnsavedChanges.create(
        form=form_id,
        name=state.unsaved_name,
        times_refused=state.times_refused,
        is_restored=state.is_restored,
        saves=state.saves,
        stored=state.form,
        destination=destination,
        is_staying=is_staying,
        on_restore=state.restore,
        on_discard=state.discard,
    )
