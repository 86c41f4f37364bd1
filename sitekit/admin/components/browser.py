"""Components that are one script of `ui/js` each: what they do, they do in the browser."""

from typing import Annotated

import reflex as rx

from ...base import messages
from ...records import csv_texts
from ...ui.scripts import script


class ConnectionBar(rx.Component):
    """Shown at the top of a page that needs the server; empty while it is connected.

    Actions are kept while the connection is lost (`ui/js/connection.js`) and repeated once when it is back; forms are
    submitted again. If that is too late, if it is unknown whether the action arrived, or if a form is too long to be
    sent, an error is shown.
    """

    library, tag = script("connection_bar.jsx", "ConnectionBar")
    lost: rx.Var[str] = rx.Var.create(messages.CONNECTION_LOST)
    full: rx.Var[str] = rx.Var.create(messages.CONNECTION_FULL)
    waiting: rx.Var[str] = rx.Var.create(messages.CONNECTION_WAITING)
    none: rx.Var[str] = rx.Var.create(messages.CONNECTION_NONE)
    back: rx.Var[str] = rx.Var.create(messages.CONNECTION_BACK)
    unsure: rx.Var[str] = rx.Var.create(messages.CONNECTION_UNSURE)
    late: rx.Var[str] = rx.Var.create(messages.CONNECTION_LATE)
    large: rx.Var[str] = rx.Var.create(messages.FORM_TOO_LARGE)
    retry: rx.Var[str] = rx.Var.create(messages.CONNECTION_RETRY)


connection_bar = ConnectionBar.create


class ThemeChoice(rx.Component):
    """Radio buttons bound to Reflex's colour mode; `options` are pairs of a mode and its label."""

    library, tag = script("theme_choice.jsx", "ThemeChoice")
    options: rx.Var[list[list[str]]]
    label: rx.Var[str]


def theme_choice(options: dict[str, str], label: str) -> rx.Component:
    """One radio button per theme."""
    return ThemeChoice.create(options=[[mode, text] for mode, text in options.items()], label=label)


class SingleKeys(rx.Component):
    """A checkbox: keys without Ctrl are shortcuts, unless that was turned off in this browser."""

    library, tag = script("single_keys.jsx", "SingleKeys")
    label: rx.Var[str]


single_keys = SingleKeys.create


class Uncached(rx.Component):
    """Renders nothing. Sets the cookie for a day with which users of the back office see public pages as they are now.

    A shared cache in front of the site does not answer its requests (docs/decisions/shared-cache.md).
    """

    library, tag = script("uncached.jsx", "Uncached")


uncached = Uncached.create


class Greeting(rx.Component):
    """One of three texts: `morning` before 12:00, `afternoon` before 18:00, else `evening`; empty on the server."""

    library, tag = script("greeting.jsx", "Greeting")
    morning: rx.Var[str]
    afternoon: rx.Var[str]
    evening: rx.Var[str]


greeting = Greeting.create


class Ticker(rx.Component):
    """Renders nothing. Ticks while the tab is visible, when it becomes visible, and when `watched` changes."""

    library, tag = script("ticker.jsx", "Ticker")
    every: rx.Var[int]
    watched: rx.Var[str]
    on_tick: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class PersonAvatar(rx.Component):
    """Initials: first letters of first and last name, else the first two letters of the email, else U."""

    library, tag = script("person_avatar.jsx", "PersonAvatar")
    first_name: rx.Var[str]
    last_name: rx.Var[str]
    email: rx.Var[str]
    size: rx.Var[str] = rx.Var.create("sm")


person_avatar = PersonAvatar.create


class CopyButton(rx.Component):
    """Copies `text` to the clipboard, and shows `copied` for a moment. `about` names what it copies the text of."""

    library, tag = script("copy_button.jsx", "CopyButton")
    text: rx.Var[str]
    label: rx.Var[str]
    about: rx.Var[str]
    copied: rx.Var[str]


copy_button = CopyButton.create


class KeepText(rx.Component):
    """Two buttons: one prints the page, one downloads `text` as a file; both happen in the browser alone."""

    library, tag = script("keep_text.jsx", "KeepText")
    text: rx.Var[str]
    file_name: rx.Var[str]
    print_label: rx.Var[str]
    download_label: rx.Var[str]


keep_text = KeepText.create


class Caret(rx.Component):
    """Puts the cursor of the text area that matches `to` after its first paragraph, each time `when` changes.

    Also when somebody clicks below the text while it is as it was begun.
    """

    library, tag = script("caret.jsx", "Caret")
    to: rx.Var[str]
    when: rx.Var[int]


caret = Caret.create


class PageFrame(rx.Component):
    """The frame at `src`, a page of the site with its texts marked.

    Pressing a text sets the query parameter `parameter` to what `choices` has for its name. The `chosen` one is marked
    and in view. A press on anything else sends `on_fixed` with the path of a link in it or beside it.
    """

    library, tag = script("page_frame.jsx", "PageFrame")
    src: rx.Var[str]
    title: rx.Var[str]
    parameter: rx.Var[str]
    choices: rx.Var[dict[str, int]]
    chosen: rx.Var[str]
    on_fixed: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


page_frame = PageFrame.create


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
    label: rx.Var[str] = rx.Var.create(csv_texts.FILE)
    choose_label: rx.Var[str] = rx.Var.create(csv_texts.FILE_CHOOSE)
    other_label: rx.Var[str] = rx.Var.create(csv_texts.FILE_OTHER)
    drop_label: rx.Var[str] = rx.Var.create(csv_texts.FILE_DROP)
    limits: rx.Var[str] = rx.Var.create(f"{csv_texts.FILE_LIMITS} {csv_texts.FILE_EXAMPLE}")
    on_begin: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str, int)]
    on_piece: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, str)]


csv_file = CsvFile.create
