"""Draws the form of a record with its fields as its table describes them."""

from itertools import groupby
from typing import Any

import reflex as rx

from ..content import media_texts
from ..content.shared import GroupText
from ..core import routes
from ..records.inputs import ALT, DECORATIVE, RAIL, STAMP, FormField, Group
from ..ui.backoffice.address import address_gate
from ..ui.backoffice.forms import (
    check_field,
    choice_field,
    field_group,
    list_field,
    long_field,
    reference_field,
    text_field,
)
from ..ui.backoffice.picture_field import picture_description, picture_field
from ..ui.backoffice.record_form import record_form
from ..ui.backoffice.repeating_group import repeating_group
from .form_rows import Entry
from .form_state import FormState
from .shell import side_page, spinner
from .upload_state import UploadState


def form_page(state: type[FormState], form_id: str, title: str, back_label: str, **labels: Any) -> rx.Component:
    """A page with the form of a record, and a spinner until the record of its address is loaded.

    The back link leads to the list with its parameters; before they are known, to its tab.
    """
    back = rx.cond(state.back != "", state.back, routes.admin_tab(state.kind.tab))
    form = form_of_record(state, form_id, **labels)
    return side_page(title, back, back_label, address_gate(form, shown=state.shown, wait=spinner()))


def form_of_record(state: type[FormState], form_id: str, *, focused: str = "", **labels: Any) -> rx.Component:
    """The form with all fields; the cursor is in the `focused` one. `labels` are those of `record_form`."""
    return record_form(state, form_id, *_sections(state, focused), rail=_rail_fields(state), **labels)


def _sections(state: type[FormState], focused: str) -> list[rx.Component]:
    """The sections of a form, in the order of the table's columns."""
    fields = (one for one in state.kind.fields.values() if one.section != RAIL)
    sections: list[rx.Component] = []
    for section, members in groupby(fields, key=lambda one: one.section):
        one, *others = members
        if isinstance(one.input, Group):
            sections.append(_group(state, one.name, one.input))
            continue
        text = GroupText(section.title, section.text)
        controls = (
            _field(state, each, each.name, state.form.texts, **({"auto_focus": True} if each.name == focused else {}))
            for each in [one, *others]
        )
        sections.append(field_group(text, *controls))
    return sections


def _rail_fields(state: type[FormState]) -> tuple[rx.Component, ...]:
    """The fields beside the sections."""
    fields = (one for one in state.kind.fields.values() if one.section == RAIL)
    return tuple(_field(state, one, one.name, state.form.texts) for one in fields)


def _field(state: type[FormState], one: FormField, name: Any, texts: Any, **attributes: Any) -> rx.Component:
    """One control; `name` is that of its input, `texts` the var with its value."""
    about, value = one.input, texts[one.name]
    known: dict[str, Any] = {"hint": about.hint}
    if one.kind.control == "check":
        return check_field(name, about.label, value == "on", **known)
    known["is_required"] = about.is_required
    if one.kind.control == "list":
        return list_field(name, about.label, value, **known)
    if one.kind.control == "text":
        return long_field(name, about.label, value, rows=about.rows, **known)
    if about.choices:
        may_be_empty = not (about.is_required or about.if_blank)
        choices = ("", *about.choices) if may_be_empty else about.choices
        return choice_field(name, about.label, value, choices=choices, **known)
    if about.refers_to:
        options = rx.Var.create(state.options)[one.name]
        return reference_field(name, about.label, value, options=options, **known)
    if shown := about.picture:
        return picture_field(
            name,
            about.label,
            value,
            **known,
            shape=shown.shape,
            fallback=shown.placeholder,
            stored=_stored(state, name),
            permit=UploadState.permit,
            on_authorize=UploadState.authorize.temporal,
            description=_description(name, about.label, texts),
        )
    return text_field(name, about.label, value, **known, **one.kind.attributes, **about.attributes, **attributes)


def _stored(state: type[FormState], name: str) -> rx.Var[str]:
    """The stored text of a field; empty for a new record, and while the form shows something else."""
    is_unsaved = (state.form.id == 0) | state.is_restored | (state.restoring.number > 0)
    return rx.cond(is_unsaved, "", rx.Var.create(state.form.texts)[name]).to(str)


def _description(name: str, label: str, texts: Any) -> rx.Component:
    """The inputs that describe the uploaded picture of a field."""
    return picture_description(
        label,
        long_field(name + ALT, media_texts.ALT, texts[name + ALT], hint=media_texts.ALT_SHARED_HINT, rows=2),
        check_field(name + DECORATIVE, media_texts.IS_DECORATIVE, texts[name + DECORATIVE] == "on"),
        # Not of the type "hidden": React resets the value of such an input each time it renders it.
        rx.el.input(type="text", name=name + STAMP, default_value=texts[name + STAMP], hidden=True),
        known=UploadState.described,
        on_ask=UploadState.find_description.temporal,
    )


def _group(state: type[FormState], name: str, group: Group) -> rx.Component:
    def row(row: Entry) -> list[rx.Component]:
        return [_field(state, one, f"{name}.{row.key}.{one.name}", row.texts) for one in group.fields.values()]

    note = rx.el.p(group.note, class_name="backoffice-note", role="note")
    return repeating_group(
        state,
        name,
        row,
        text=GroupText(group.label, group.hint),
        label=group.one,
        add_label=group.add,
        at_least=group.at_least,
        note=rx.cond(rx.Var.create(state.form.noted)[name], note) if group.note else None,
    )
