"""Draws the form of a record with its fields as its table describes them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import reflex as rx

from ..records.fields.choice import ChoiceField
from ..records.fields.date import DateField
from ..records.fields.field_type import RAIL, FieldType, FormField
from ..records.fields.flag import FlagField
from ..records.fields.group import GroupField
from ..records.fields.line import LineField, WebUrlField
from ..records.fields.list import ListField
from ..records.fields.markdown import MarkdownField
from ..records.fields.moment import MomentField
from ..records.fields.order import OrderField
from ..records.fields.picture import PictureField
from ..records.fields.reference import ReferenceField
from ..records.fields.text import TextField
from ..records.form_texts import Section
from ..records.pictures import texts as media_texts
from ..records.pictures.held import ALT, DECORATIVE, FINDING, NO_PICTURE, VERSION
from ..ui.browser import FocusOnArrival
from . import texts
from .components import controls, forms
from .components.address import address_gate
from .components.elements import heading
from .components.picture_field import PictureDescription, PicturePicker, PicturePreview
from .components.record_form import record_form
from .components.repeating_group import RepeatingRows
from .form_rows import FormRow
from .form_state import FormState
from .markdown_field import markdown_control
from .pictures.upload_state import UploadState
from .record_labels import add_label, back_label, edit_label, submit_labels
from .shell import back_link, shell

HEADING = "form-heading"


def new_record_page(state: type[FormState]) -> rx.Component:
    """The page with the form of a new record."""
    return _form_page(state, add_label(state.record_type))


def edit_record_page(state: type[FormState]) -> rx.Component:
    """The page with the form of a stored record."""
    return _form_page(state, edit_label(state.record_type))


def _form_page(state: type[FormState], title: str) -> rx.Component:
    """The form, and a spinner until the record of the address is loaded.

    The back link leads to the list with its parameters; before they are known, to its tab.
    """
    back = rx.cond(state.back != "", state.back, state.record_type.list_page())
    return shell(
        back_link(back_label(state.record_type), back, at=state.record_type.staff_pages.new_page),
        address_gate(_heading(state, title), shown=state.shown, wait=heading(title, level="h1", size="lg")),
        address_gate(form_of_record(state), shown=state.shown, wait=controls.spinner()),
        at=state.record_type.tab or state.record_type.list_path,
    )


def form_title(state: type[FormState], title: str) -> Any:
    """The title of the page with a form, in the browser's tab: first the name of the record or draft, once stored."""
    name = _name(state)
    return rx.cond(name != "", f"{name} | {title}", title)


def _name(state: type[FormState]) -> Any:
    """The name of the stored record, or of the draft of a new one; empty without either."""
    return rx.cond(state.form.id > 0, state.form.texts["name"], state.stored_draft.name).to(str)


def _heading(state: type[FormState], title: str) -> rx.Component:
    """The name of a stored record or draft below the page's title, or the title alone. It gets the focus."""
    name = _name(state)
    return rx.fragment(
        rx.cond(name != "", rx.el.p(title, class_name="form-eyebrow")),
        heading(rx.cond(name != "", name, title), id=HEADING, level="h1", size="lg", custom_attrs={"tabIndex": -1}),
        FocusOnArrival.create(to=f"#{HEADING}"),
    )


def form_of_record(state: type[FormState]) -> rx.Component:
    """The form with all fields."""
    create, update = submit_labels(state.record_type)
    is_new = state.form.id == 0
    return record_form(
        state,
        f"{state.record_type.noun.replace(' ', '-')}-form",
        *_sections(state),
        rail=_rail_fields(state),
        submit_label=rx.cond(is_new, create, update),
        busy_label=rx.cond(is_new, texts.CREATING, texts.UPDATING),
        watched=state.watched,
    )


def _sections(state: type[FormState]) -> list[rx.Component]:
    """The sections of a form, in the order of the table's columns."""
    fields = (field for field in state.record_type.fields.values() if field.section != RAIL)
    sections: list[rx.Component] = []
    for section, members in groupby(fields, key=lambda field: field.section):
        first, *others = members
        if first.field_type.is_section:
            sections.append(_field(state, first, first.name, state.form.texts))
            continue
        controls = (_field(state, each, each.name, state.form.texts) for each in [first, *others])
        sections.append(forms.field_group(section, *controls))
    return sections


def _rail_fields(state: type[FormState]) -> tuple[rx.Component, ...]:
    """The fields beside the sections."""
    fields = (field for field in state.record_type.fields.values() if field.section == RAIL)
    return tuple(_field(state, field, field.name, state.form.texts) for field in fields)


@dataclass(frozen=True)
class Shown:
    """A field in a form, or in a row: the name of its input, and the var with the texts."""

    state: type[FormState]
    field: FormField
    field_type: Any
    name: Any
    texts: Any

    @property
    def value(self) -> Any:
        """The var with the text of the field."""
        return self.texts[self.field.name]

    @property
    def options(self) -> Any:
        """What the form offers for the field."""
        return rx.Var.create(self.state.options)[self.field.name]

    def labelled(self, make: Callable[..., rx.Component], *args: Any, **props: Any) -> rx.Component:
        """What `make` makes with the label, the hint and the error of the field."""
        about = self.field.input
        return make(self.name, about.label, *args, hint=about.hint, is_required=about.is_required, **props)


def _field(state: type[FormState], field: FormField, name: Any, texts: Any) -> rx.Component:
    """The control of a field, with its label, hint and error."""
    field_type = field.field_type
    draw = next(CONTROLS[each] for each in type(field_type).__mro__ if each in CONTROLS)
    return draw(Shown(state, field, field_type, name, texts))


def _line(shown: Shown) -> rx.Component:
    about = shown.field.input
    attributes = {**shown.field_type.attributes, **about.attributes}
    suggestions = shown.options if about.facet else None
    return shown.labelled(forms.text_field, shown.value, suggestions=suggestions, **attributes)


def _list(shown: Shown) -> rx.Component:
    """One text, with its entries below it while typing."""
    control = controls.text_area(name=shown.name, default_value=shown.value, custom_attrs={"rows": 3})
    return shown.labelled(forms.field, control, class_name="field-wide", entries_label=texts.ENTRIES)


def _check(shown: Shown) -> rx.Component:
    about = shown.field.input
    return forms.check_field(shown.name, about.label, shown.value == "on", hint=about.hint)


def _choice(shown: Shown) -> rx.Component:
    about, field_type = shown.field.input, shown.field_type
    choices = [*([] if about.is_required or field_type.if_blank else [""]), *field_type.choices]
    own_label = texts.CHOICE_OWN_LABEL.format(label=about.label)
    control = forms.ChoiceInput.create(name=shown.name, choices=choices, own_label=own_label, default_value=shown.value)
    return shown.labelled(forms.field, control)


def _reference(shown: Shown) -> rx.Component:
    control = forms.ReferenceInput.create(name=shown.name, options=shown.options, default_value=shown.value)
    return shown.labelled(forms.field, control)


def _picture(shown: Shown) -> rx.Component:
    """The address, which an upload can fill in, with what visitors see; below it the description, if one is needed."""
    state, picture, name, label = shown.state, shown.field_type, shown.name, shown.field.input.label
    is_unsaved = (state.form.id == 0) | state.is_restored | (state.restoring.number > 0)
    is_hidden = shown.texts[name + FINDING] == NO_PICTURE
    preview = PicturePreview.create(
        PicturePicker.create(label=label, permit=UploadState.permit, on_authorize=UploadState.authorize.temporal),
        fallback=picture.placeholder,
        shape=picture.shape,
        stored=rx.cond(is_unsaved, "", rx.Var.create(state.form.texts)[name]).to(str),
        is_hidden=is_hidden,
    )
    address = rx.fragment(preview, controls.text_input(name=name, default_value=shown.value))
    legend = media_texts.LEGENDS[picture.shape]
    return rx.el.fieldset(
        rx.el.legend(legend),
        shown.labelled(forms.field, address),
        *([_description(name, shown.texts)] if picture.is_described else []),
        class_name="picture-field is-named" if legend == label else "picture-field",
    )


def _description(name: str, texts: Any) -> rx.Component:
    """The inputs that describe the uploaded picture of a field."""
    hint = media_texts.ALT_SHARED_HINT
    return PictureDescription.create(
        forms.long_field(name + ALT, media_texts.ALT, texts[name + ALT], hint=hint, rows=2, is_required=True),
        forms.check_field(name + DECORATIVE, media_texts.IS_DECORATIVE, texts[name + DECORATIVE] == "on"),
        # Not of the type "hidden": React resets the value of such an input each time it renders it.
        rx.el.input(type="text", name=name + VERSION, default_value=texts[name + VERSION], hidden=True),
        known=UploadState.described,
        on_ask=UploadState.find_description.temporal,
    )


def _group(shown: Shown) -> rx.Component:
    """A section of its own, with a row of controls for each entry."""
    state, about, group, name = shown.state, shown.field.input, shown.field_type, shown.name

    def row(row: FormRow) -> rx.Component:
        fields = group.fields.values()
        controls = (_field(state, each, f"{name}.{row.key}.{each.name}", row.texts) for each in fields)
        return rx.el.div(*controls, class_name="field-grid", key=row.key)

    note = rx.el.p(group.note, class_name="backoffice-note", role="note")
    rows = RepeatingRows.create(
        rx.foreach(rx.Var.create(state.entries)[name], row),
        group=name,
        label=group.one,
        add_label=group.add,
        at_least=group.at_least,
        is_restored=state.is_restored,
        saves=state.saves,
        on_add=state.add_entry(name),
        on_remove=lambda key: state.remove_entry(name, key),
    )
    return rx.el.section(
        forms.group_head(Section(about.label, about.hint)),
        rx.el.div(
            *([rx.cond(rx.Var.create(state.form.noted)[name], note)] if group.note else []),
            rows,
            forms.BackofficeError.create(name=name),
            class_name="field-rows",
        ),
        class_name="field-group",
    )


CONTROLS: Mapping[type[FieldType], Callable[[Shown], rx.Component]] = {
    ChoiceField: _choice,
    DateField: _line,
    FlagField: _check,
    GroupField: _group,
    LineField: _line,
    ListField: _list,
    MarkdownField: markdown_control,
    # Of what happened to a record, which a new one has not had.
    MomentField: lambda shown: rx.cond(shown.state.form.id > 0, _check(shown)),
    OrderField: _line,
    PictureField: _picture,
    ReferenceField: _reference,
    TextField: lambda shown: shown.labelled(forms.long_field, shown.value, rows=shown.field.input.rows),
    WebUrlField: _line,
}
