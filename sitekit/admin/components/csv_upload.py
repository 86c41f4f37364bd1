"""Chooses or drops a CSV file, which the browser compresses and sends in pieces."""

from typing import Annotated

import reflex as rx

from ...records import csv_texts as texts
from ...ui.scripts import script


class CsvFile(rx.Component):
    """The place for a file. `on_begin` gets its name and the number of its pieces, `on_piece` a number and a piece.

    A piece is `piece_bytes` of the compressed file in base64. The next one is sent when `received` has counted the one
    before. Nothing of a file of more than `most_bytes` is sent.
    """

    library, tag = script("csv_file.jsx", "CsvFile")
    name: rx.Var[str]
    pieces: rx.Var[int]
    received: rx.Var[int]
    is_busy: rx.Var[bool]
    most_bytes: rx.Var[int]
    piece_bytes: rx.Var[int]
    label: rx.Var[str] = rx.Var.create(texts.FILE)
    choose_label: rx.Var[str] = rx.Var.create(texts.FILE_CHOOSE)
    other_label: rx.Var[str] = rx.Var.create(texts.FILE_OTHER)
    drop_label: rx.Var[str] = rx.Var.create(texts.FILE_DROP)
    limits: rx.Var[str] = rx.Var.create(f"{texts.FILE_LIMITS} {texts.FILE_EXAMPLE}")
    on_begin: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, int)]
    on_piece: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, str)]


csv_file = CsvFile.create
