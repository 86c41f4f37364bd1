"""The repeating group of a form: rows that are added, moved, collapsed, removed and taken back.

The server has the rows and the texts that they begin with; the browser has their order, and which are removed. It sends
the inputs of the rows that it shows, in their order, so the order shown is the one that is saved and kept in drafts. A
removed row can be taken back, with what was typed in it, until the next save; only then the server deletes it.
"""

from typing import Annotated

import reflex as rx

from ...server.framework.memoization import OwnChildren
from ...ui.scripts import script
from .. import texts as admin_texts


class RepeatingRows(OwnChildren):
    """The rows of a group, and the button that adds one. Its children have the keys of the rows.

    A row is named by its `label` and its number. At least `at_least` rows remain. When `saves` increases, `on_remove`
    is sent for each removed row. Many rows begin collapsed, but those of a draft that `is_restored`.
    """

    library, tag = script("repeating_rows.jsx", "RepeatingRows")
    group: rx.Var[str]
    label: rx.Var[str]
    add_label: rx.Var[str]
    at_least: rx.Var[int]
    is_restored: rx.Var[bool]
    saves: rx.Var[int]
    words: rx.Var[dict[str, str]] = rx.Var.create(dict(admin_texts.ROWS))
    on_add: Annotated[rx.EventHandler, rx.event.no_args_event_spec]
    on_remove: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int)]
