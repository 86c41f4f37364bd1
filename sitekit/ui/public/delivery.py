"""The button that sends a public form: over the WebSocket, or as a plain post if that does not answer."""

import reflex as rx

from ...base import messages
from ..scripts import script


class SendButton(rx.Component):
    """The submit button of a public form, with a fallback to a plain post.

    `is_busy` is the server's flag, `answers` increases with each of its replies. If neither changes in time, the same
    values are posted: the form needs an action, a method, and a field with an id, by which the server recognises a
    form that it already has. If the server cannot be reached, the button waits, what was typed stays on the page, and
    `unreachable` is shown below it. If fields are wrong then, the button does not wait: `incomplete` is shown, and the
    fields are marked; `complaints` has the sentences about one that is `missing` or `malformed`, by name. `too_long`
    is shown if the form is more than a post may have. The loader (ssr/js/loader.js) shows `not_sent` there if this
    component could not be fetched.
    """

    library, tag = script("delivery.jsx", "SendButton")
    is_busy: rx.Var[bool]
    answers: rx.Var[int]
    label: rx.Var[str]
    busy_label: rx.Var[str]
    waiting_label: rx.Var[str] = rx.Var.create(messages.WAITING_FOR_CONNECTION)
    unreachable: rx.Var[str]
    incomplete: rx.Var[str]
    complaints: rx.Var[dict[str, dict[str, str]]]
    not_sent: rx.Var[str]
    too_long: rx.Var[str]


class Delivered(rx.Component):
    """The thanks, shown once the form with the id `form` has been delivered: takes the focus and empties the form.

    A `text` that was shown stays when it is empty later, as after the page that answers a plain post has connected.

    The browser gives each form an id in the hidden field `submission`; `accepted` is the id that the server stored
    last. `is_drawn` shows it without delay, on a page that answers a plain post. When the form is sent, its two hidden
    fields `reported` get the ms since it was first focused, and the address of the page before.
    """

    library, tag = script("delivered.jsx", "Delivered")
    form: rx.Var[str]
    accepted: rx.Var[str]
    reported: rx.Var[list[str]]
    is_drawn: rx.Var[bool]
    text: rx.Var[str]


send_button = SendButton.create
delivered = Delivered.create
