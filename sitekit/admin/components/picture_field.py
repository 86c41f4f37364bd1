"""The parts of the control of a picture's address: a preview, the upload of a picture, and what describes it."""

from typing import Annotated, Any

import reflex as rx

from ...base import paths
from ...records.pictures import addresses as pictures
from ...records.pictures import texts as media_texts
from ...ui.scripts import script


class PicturePreview(rx.Component):
    """The picture whose address is in the input of the same field, and its crop; else `fallback`, and a sentence.

    A portrait or a cover is cropped by a frame, which writes the crop behind the address; see `core.pictures`.

    The form is submitted once it is known whether the address answers with a picture. If one that is not `stored` yet
    does not, it is saved, and the form stays open and says so. What was found is sent too, by the name of the field
    with the ending `_finding`. `is_hidden`: visitors do not get the stored address.
    """

    library, tag = script("picture_preview.jsx", "PicturePreview")
    fallback: rx.Var[str]
    shape: rx.Var[str]
    stored: rx.Var[str]
    is_hidden: rx.Var[bool]
    words: rx.Var[dict[str, str]] = rx.Var.create(dict(media_texts.PREVIEW))


class PicturePicker(rx.Component):
    """Uploads a picture that is chosen, dropped on the surrounding field or pasted there, and fills in its address.

    Without a field around it, the whole page takes the picture. `on_added` gets its address in place of the field.
    `on_authorize` gets the id of an upload. `permit` then has this id with a one-use token, or an error. While a
    picture is uploaded, the form is not submitted.
    """

    library, tag = script("picture_picker.jsx", "PicturePicker")
    label: rx.Var[str]
    permit: rx.Var[Any]
    endpoint: rx.Var[str] = rx.Var.create(paths.ADMIN_UPLOAD)
    most_bytes: rx.Var[int] = rx.Var.create(pictures.MOST_BYTES)
    words: rx.Var[dict[str, str]] = rx.Var.create(dict(media_texts.PICKER))
    variant: rx.Var[str]
    on_authorize: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]
    on_added: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


class PictureDescription(rx.Component):
    """Shows the inputs that describe a picture while the address is that of an uploaded one, and fills them in.

    They are a text, a checkbox, and a hidden input for the version of what they were filled with. `on_ask` gets another
    address; `known` then has what describes its picture.
    """

    library, tag = script("picture_description.jsx", "PictureDescription")
    known: rx.Var[Any]
    on_ask: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]
