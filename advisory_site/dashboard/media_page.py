"""`/admin/media`: the pictures that were uploaded."""

import reflex as rx

from ..backoffice.shell import list_page
from ..content import backoffice as backoffice_words
from ..ui.backoffice.address import filter_select, search_box
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.copy_button import copy_button
from ..ui.backoffice.row_actions import title_link
from ..ui.backoffice.table import list_tools, nothing_yet, record_list
from . import media_page_texts as words
from .media_dialog import picture_dialog
from .media_library import PictureRow
from .media_state import OPEN, MediaState

SKELETONS = 8


def media_page() -> rx.Component:
    """The page: back link, head, search, filter and order, cards, dialog."""
    return list_page(
        words.TITLE,
        words.TEXT,
        list_tools(
            search_box(label=words.SEARCH),
            filter_select(words.FILTER, words.FILTERS),
            filter_select(words.ORDER, words.ORDERS, name="sort"),
        ),
        record_list(
            MediaState,
            rx.el.ul(rx.foreach(MediaState.rows, _card), class_name="picture-cards", aria_label=words.TITLE),
            _skeleton(),
            nothing_yet(words.EMPTY_TITLE, words.EMPTY_TEXT),
        ),
        picture_dialog(),
    )


def _card(row: PictureRow) -> rx.Component:
    """A picture; its name is the link, which the whole card follows."""
    undescribed = rx.el.p(words.NO_DESCRIPTION, class_name="picture-undescribed")
    described = rx.el.p(rx.cond(row.is_decorative, words.DECORATIVE, row.alt), class_name="backoffice-card-text")
    return rx.el.li(
        rx.el.img(src=row.thumbnail, alt="", loading="lazy", class_name="picture-thumbnail"),
        rx.el.h2(title_link(row.name, {OPEN: row.id, "page": MediaState.page})),
        rx.cond((row.alt == "") & ~rx.Var.create(row.is_decorative), undescribed, described),
        rx.el.p(row.pixels, rx.el.br(), row.used, class_name="cell-note"),
        copy_button(text=row.address, label=words.COPY, about=row.name, copied=words.COPIED),
        class_name="picture-card",
        key=row.id,
        custom_attrs={"data-row": row.id},
    )


def _skeleton() -> rx.Component:
    card = rx.el.div(
        rc.skeleton(width="100%", class_name="picture-thumbnail"),
        rc.skeleton(height="1.1rem", width="70%"),
        rc.skeleton(height="1.1rem"),
        class_name="picture-card",
    )
    return rx.el.div(
        rx.el.p(backoffice_words.LOADING, class_name="visually-hidden", role="status"),
        rx.el.div(*(card for _ in range(SKELETONS)), class_name="picture-cards", aria_hidden="true"),
    )
