"""The bar shown while the connection is lost; actions wait in the browser (js/connection.js)."""

import reflex as rx

from ...base import messages
from ...ui.scripts import script


class ConnectionBar(rx.Component):
    """Shown at the top of a page that needs the server; empty while it is connected.

    Actions are kept while the connection is lost and repeated once when it is back; forms are submitted again. If that
    is too late, if it is unknown whether the action arrived, or if a form is too long to be sent, an error is shown.
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
