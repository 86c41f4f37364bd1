"""The control of a picture's address: the address, a preview, the upload of a picture, and what describes it."""

from typing import Annotated, Any, Literal

import reflex as rx

from ...content import media_texts
from ...core import pictures, routes
from ..scripts import script
from .chakra import rc
from .forms import field


class PicturePreview(rx.Component):
    """A small copy of the picture whose address is in the input of the same field; else `fallback`, and a sentence.

    The form is submitted once it is known whether the address answers with a picture. If one that is not `stored` yet
    does not, it is saved, and the form stays open and says so.
    """

    library, tag = script("picture_preview.jsx", "PicturePreview")
    fallback: rx.Var[str]
    shape: rx.Var[str]
    stored: rx.Var[str]
    words: rx.Var[dict[str, str]] = rx.Var.create(dict(media_texts.PREVIEW))


class PicturePicker(rx.Component):
    """Uploads a picture that is chosen, dropped on the surrounding field or pasted there, and fills in its address.

    `on_authorize` gets the id of an upload. `permit` then has this id with a one-use token, or an error. While a
    picture is uploaded, the form is not submitted.
    """

    library, tag = script("picture_picker.jsx", "PicturePicker")
    label: rx.Var[str]
    permit: rx.Var[Any]
    endpoint: rx.Var[str] = rx.Var.create(routes.ADMIN_UPLOAD)
    most_bytes: rx.Var[int] = rx.Var.create(pictures.MOST_BYTES)
    words: rx.Var[dict[str, str]] = rx.Var.create(dict(media_texts.PICKER))
    on_authorize: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


class PictureDescription(rx.Component):
    """Shows the inputs that describe a picture while the address is that of an uploaded one, and fills them in.

    They are a text, a checkbox, and a hidden input for the stamp of what they were filled with. `on_ask` gets another
    address; `known` then has what describes its picture.
    """

    library, tag = script("picture_description.jsx", "PictureDescription")
    known: rx.Var[Any]
    on_ask: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


def picture_description(label: str, *inputs: rx.Component, known: Any, on_ask: Any) -> rx.Component:
    """The inputs that describe the picture of the field with this label; see `PictureDescription`."""
    legend = rx.el.legend(label, class_name="visually-hidden")
    return PictureDescription.create(legend, *inputs, known=known, on_ask=on_ask)


def picture_field(
    name: str,
    label: str,
    value: Any,
    *,
    fallback: str,
    shape: Literal["portrait", "mark", "cover"],
    stored: Any,
    permit: Any,
    on_authorize: Any,
    description: rx.Component,
    hint: str = "",
    is_required: bool = False,
) -> rx.Component:
    """The address of a picture, which an upload can fill in, with what visitors see: the picture, or `fallback`.

    Below it is the `description` of an uploaded picture. `stored` is that of `PicturePreview`, `permit` and
    `on_authorize` are those of `PicturePicker`.
    """
    picker = PicturePicker.create(label=label, permit=permit, on_authorize=on_authorize)
    control = rx.fragment(
        PicturePreview.create(picker, fallback=fallback, shape=shape, stored=stored),
        rc.input(name=name, default_value=value),
    )
    address = field(name, label, control, hint=hint, is_required=is_required)
    return rx.el.div(address, description, class_name="picture-field")
