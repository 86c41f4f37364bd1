"""The control of a text in Markdown: a short help, pictures to insert, the text, and what visitors will see of it."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import reflex as rx

from ..base.permissions import Actor
from ..base.text import one_line
from ..records.fields.markdown import html_of
from ..records.form_fields import LONG
from ..records.pictures.texts import PICKER
from ..ui.scripts import script
from . import texts
from .components import controls, forms
from .components.picture_field import PicturePicker
from .db_calls import read
from .guard import log_only, staff_event
from .pictures.library import PictureRow, list_others
from .pictures.texts import OTHERS_FAILED
from .pictures.upload_state import UploadState

MAX_NAME = 80


@dataclass(frozen=True)
class RenderedText:
    """The HTML of what was typed into the field with this name; `number` counts the answers."""

    number: int = 0
    name: str = ""
    html: str = ""


@dataclass(frozen=True)
class FoundPictures:
    """The newest pictures that the search beside the field with this name finds."""

    name: str = ""
    rows: list[PictureRow] = field(default_factory=list)


class MarkdownState(rx.State):
    """What the text that was typed last looks like, and the pictures that were searched last."""

    shown: RenderedText = RenderedText()
    found: FoundPictures = FoundPictures()

    @staff_event(failed=log_only)  # the text can be saved without it
    async def show(self, name: str, text: str, *, actor: Actor) -> None:
        """Make the HTML of a text as its page does."""
        html = await read(lambda session: html_of(session, text[:LONG]))
        self.shown = RenderedText(self.shown.number + 1, name[:MAX_NAME], html)

    @staff_event(failed=OTHERS_FAILED)
    async def find_pictures(self, name: str, search: str, *, actor: Actor) -> None:
        """Search the pictures that may be inserted into the text of the field with this name."""
        line = one_line(search)
        rows = await read(lambda session: list_others(session, actor, 0, line))
        self.found = FoundPictures(name[:MAX_NAME], rows)


class MarkdownInput(PicturePicker):
    """Beside the text area in it, what visitors will see; `on_ask` gets the name and the text when typing pauses.

    What is pasted from a word processor becomes Markdown, with a note that a table became text. Pictures are uploaded
    as by any picker, or are those that a search finds; `on_search` gets the name and what is searched. `look` are the
    classes that the text has on its page.
    """

    library, tag = script("markdown.jsx", "MarkdownInput")
    name: rx.Var[str]
    shown: rx.Var[Any]
    found: rx.Var[Any]
    look: rx.Var[str]
    says: rx.Var[dict[str, str]] = rx.Var.create(dict(texts.MARKDOWN))
    on_ask: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, str)]
    on_search: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, str)]


def markdown_control(shown: Any) -> rx.Component:
    """The control of a field, which `record_fields.Shown` describes."""
    about = shown.field.input
    area = controls.text_area(name=shown.name, default_value=shown.value, custom_attrs={"rows": about.rows})
    control = MarkdownInput.create(
        _help(),
        area,
        name=shown.name,
        label=about.label,
        look=shown.field_type.look,
        shown=MarkdownState.shown,
        found=MarkdownState.found,
        permit=UploadState.permit,
        words=PICKER | texts.MARKDOWN_PICKER,
        on_ask=MarkdownState.show.temporal,
        on_search=MarkdownState.find_pictures.temporal,
        on_authorize=UploadState.authorize.temporal,
    )
    labelled: rx.Component = shown.labelled(forms.field, control, class_name="field-wide")
    return labelled


def _help() -> rx.Component:
    rows = (rx.el.div(rx.el.dt(rx.el.code(typed)), rx.el.dd(what)) for typed, what in texts.MARKDOWN_HELP)
    return rx.el.details(rx.el.summary(texts.MARKDOWN_HELP_TITLE), rx.el.dl(*rows), class_name="markdown-help")
