"""The control of a text in Markdown: a short help, the text, and beside it what visitors will see."""

from dataclasses import dataclass
from typing import Annotated, Any

import reflex as rx

from ..base.permissions import Actor
from ..records.fields.markdown import html_of
from ..records.form_fields import LONG
from ..ui.scripts import script
from . import texts
from .components import forms
from .components.chakra import rc
from .db_calls import read
from .guard import staff_event, unsaid

MAX_NAME = 80


@dataclass(frozen=True)
class ShownText:
    """The HTML of what was typed into the field with this name; `number` counts the answers."""

    number: int = 0
    name: str = ""
    html: str = ""


class MarkdownState(rx.State):
    """What the text that was typed last looks like."""

    shown: ShownText = ShownText()

    @staff_event(failed=unsaid)  # the text can be saved without it
    async def show(self, name: str, text: str, *, actor: Actor) -> None:
        """Make the HTML of a text as its page does."""
        html = await read(lambda session: html_of(session, text[:LONG]))
        self.shown = ShownText(self.shown.number + 1, name[:MAX_NAME], html)


class MarkdownInput(rx.Component):
    """Beside the text area in it, what visitors will see; `on_ask` gets the name and the text when typing pauses.

    What is pasted from a word processor becomes Markdown, with a note that a table became text. `look` are the classes
    that the text has on its page.
    """

    library, tag = script("markdown.jsx", "MarkdownInput")
    name: rx.Var[str]
    shown: rx.Var[Any]
    look: rx.Var[str]
    label: rx.Var[str] = rx.Var.create(texts.MARKDOWN_PREVIEW)
    empty: rx.Var[str] = rx.Var.create(texts.MARKDOWN_EMPTY)
    table: rx.Var[str] = rx.Var.create(texts.MARKDOWN_TABLE)
    on_ask: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, str)]


def markdown_control(shown: Any) -> rx.Component:
    """The control of a field, which `record_fields.Shown` describes."""
    rows = shown.field.input.rows
    area = rc.text_area(name=shown.name, default_value=shown.value, custom_attrs={"rows": rows})
    control = MarkdownInput.create(
        _help(),
        area,
        name=shown.name,
        look=shown.field_type.look,
        shown=MarkdownState.shown,
        on_ask=MarkdownState.show.temporal,
    )
    labelled: rx.Component = shown.labelled(forms.field, control, class_name="field-wide")
    return labelled


def _help() -> rx.Component:
    rows = (rx.el.div(rx.el.dt(rx.el.code(typed)), rx.el.dd(what)) for typed, what in texts.MARKDOWN_HELP)
    return rx.el.details(rx.el.summary(texts.MARKDOWN_HELP_TITLE), rx.el.dl(*rows), class_name="markdown-help")
