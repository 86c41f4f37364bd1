"""The repeating groups of the advisor form: stats, experience and services."""

from typing import Any

import reflex as rx

from ..backoffice.form_rows import Entry
from ..content.shared import FieldText
from ..ui.backoffice.forms import FormVars, entry, long_field, remove_button, repeating_group, text_field
from . import admin_texts as words

STATS = "stats"
EXPERIENCE = "experience"
OFFERS = "services"
LONG = "description"
Fields = tuple[tuple[str, FieldText], ...]


def names(fields: Fields) -> tuple[str, ...]:
    """The names of a row's fields, which the inputs have too."""
    return tuple(name for name, _ in fields)


def groups_of(state: type[FormVars]) -> list[rx.Component]:
    """The three groups, in the order of the profile."""
    stat = _row(state, STATS, words.STAT, words.STAT_REMOVE, words.STAT_FIELDS)
    position = _row(state, EXPERIENCE, words.POSITION, words.POSITION_REMOVE, words.POSITION_FIELDS)
    offer = _row(state, OFFERS, words.OFFER, words.OFFER_REMOVE, words.OFFER_FIELDS)
    return [
        repeating_group(state, STATS, stat, text=words.STATS, add_label=words.STAT_ADD),
        repeating_group(
            state, EXPERIENCE, position, text=words.EXPERIENCE, add_label=words.POSITION_ADD, note=_moved(state)
        ),
        repeating_group(state, OFFERS, offer, text=words.SERVICES, add_label=words.OFFER_ADD),
    ]


def _moved(state: type[FormVars]) -> rx.Component:
    """The note that stored achievements were moved into the description; not shown after a save."""
    note = rx.el.p(words.ACHIEVEMENTS_MOVED, class_name="backoffice-note", role="note")
    return rx.cond(state.form.moved_achievements > 0, note)


def _row(state: type[FormVars], group: str, label: str, remove: str, fields: Fields) -> Any:
    """The function that renders one row of a group."""
    remove_row: Any = state.remove_entry  # mypy does not read a property of a class as its value

    def draw(row: Entry, index: int) -> rx.Component:
        return entry(
            f"{label} {index + 1}",
            row.key,
            remove_button(f"{remove} {index + 1}", remove_row(group, row.key)),
            *(_field(state, f"{group}.{row.key}.{name}", name, text, row) for name, text in fields),
        )

    return draw


def _field(state: type[FormVars], input_name: Any, name: str, text: FieldText, row: Entry) -> rx.Component:
    if name == LONG:
        return long_field(input_name, text.label, row.texts[name], hint=text.hint, rows=3)
    return text_field(input_name, text.label, row.texts[name], hint=text.hint)
