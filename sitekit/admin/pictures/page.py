"""`/admin/media`: the pictures that were uploaded."""

import reflex as rx

from ...base import paths
from ...base.permissions import Action
from ...base.text import listed, with_article
from ...records.features import record_types
from ...records.pictures.texts import PICKER
from ..components import controls
from ..components.address import filter_select, search_box
from ..components.bones import bones_of
from ..components.browser import copy_button
from ..components.picture_field import PicturePicker
from ..components.row_actions import title_link
from ..components.table import list_tools, nothing_yet, record_list
from ..current_user import where_allowed
from ..shell import list_page
from . import texts
from .dialog import picture_dialog
from .library import PictureRow
from .state import OPEN, MediaState
from .upload_state import UploadState


def media_page() -> rx.Component:
    """The page: head, search, filter and order, cards, dialog."""
    return list_page(
        texts.TITLE,
        texts.TEXT,
        list_tools(
            search_box(label=texts.SEARCH),
            filter_select(texts.FILTER, texts.FILTERS),
            filter_select(texts.ORDER, texts.ORDERS, name="sort"),
        ),
        record_list(
            MediaState,
            rx.el.ul(
                _bones(),
                rx.foreach(MediaState.rows, _card),
                class_name="picture-cards",
                aria_label=texts.TITLE,
            ),
            nothing_yet(texts.EMPTY_TITLE, texts.EMPTY_TEXT.format(a_record=_a_record())),
        ),
        picture_dialog(),
        at=paths.ADMIN_MEDIA,
        actions=(where_allowed(Action.CHANGE_MEDIA, _add()),),
    )


def _add() -> rx.Component:
    """The button that uploads a picture; the whole page takes one that is dropped or pasted."""
    return PicturePicker.create(
        label=texts.TITLE,
        permit=UploadState.permit,
        words=PICKER | {"choose": texts.ADD, "added": ""},
        variant="solid",
        on_authorize=UploadState.authorize.temporal,
        on_added=MediaState.open_added,
    )


def _card(row: PictureRow) -> rx.Component:
    """A picture; its description, else the name of its file, is the link, which the whole card follows."""
    title = rx.cond(row.alt != "", row.alt, row.name)
    return rx.el.li(
        rx.el.img(src=row.thumbnail, alt="", loading="lazy", class_name="picture-thumbnail"),
        rx.el.h2(title_link(title, {OPEN: row.id, "page": MediaState.page})),
        rx.cond(row.is_decorative, rx.el.p(texts.DECORATIVE, class_name="backoffice-card-text")),
        rx.cond(row.alt != "", rx.el.p(row.name, class_name="cell-note")),
        rx.el.p(row.pixels, rx.el.br(), row.used, class_name="cell-note"),
        copy_button(text=row.address, label=texts.COPY, about=row.name, copied=texts.COPIED),
        class_name="picture-card",
        key=row.id,
        custom_attrs={"data-row": row.id},
    )


def _a_record() -> str:
    """A record of any type, in words."""
    return listed([with_article(record_type.noun) for record_type in record_types().values()], "or")


def _bones() -> rx.Component:
    return bones_of(
        MediaState,
        rx.el.li,
        controls.bone(width="100%", class_name="picture-thumbnail"),
        controls.bone(height="1.1rem", width="70%"),
        controls.bone(height="1.1rem"),
        class_name="picture-card",
    )
