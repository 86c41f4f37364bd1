"""The bar that says that the connection is lost; actions wait in the browser (js/connection.js)."""

import reflex as rx

from ...content import messages
from ..scripts import script


class ConnectionBar(rx.Component):
    """Stands at the head of a page that cannot work without the server; empty while all is well.

    What is pressed while the connection is away is kept once and done when it is back, forms by being submitted
    again. Where that is too late, or where nobody knows whether it has arrived, an error says so.
    """

    library, tag = script("connection_bar.jsx", "ConnectionBar")
    lost: rx.Var[str] = rx.Var.create(messages.CONNECTION_LOST)
    waiting: rx.Var[str] = rx.Var.create(messages.CONNECTION_WAITING)
    back: rx.Var[str] = rx.Var.create(messages.CONNECTION_BACK)
    unsure: rx.Var[str] = rx.Var.create(messages.CONNECTION_UNSURE)
    late: rx.Var[str] = rx.Var.create(messages.CONNECTION_LATE)
    retry: rx.Var[str] = rx.Var.create(messages.CONNECTION_RETRY)


connection_bar = ConnectionBar.create
