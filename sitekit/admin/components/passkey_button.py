"""The controls that use and create passkeys (WebAuthn)."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import reflex as rx

from ...ui.scripts import script


@dataclass(frozen=True)
class PasskeyOffer:
    """The options for the request with this id, or why there are none; neither if passkeys are not available here."""

    request: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    error: str = ""


class PasskeyButton(rx.Component):
    """A button that uses a passkey, or `creates` one; without passkeys here, the text `words["unavailable"]`, if any.

    `on_begin` gets the id of a request, for which `offer` then has the options: when the button is shown, and again
    before they are too old. `on_response` gets the JSON of the response; `answers` counts the refused ones. If
    `is_suggested`, the browser also offers passkeys in the field with the autocomplete token `webauthn`.
    """

    library, tag = script("passkey_button.jsx", "PasskeyButton")
    offer: rx.Var[PasskeyOffer]
    answers: rx.Var[int]
    words: rx.Var[dict[str, str]]
    is_suggested: rx.Var[bool]
    creates: rx.Var[bool]
    variant: rx.Var[str] = rx.Var.create("outline")
    is_wide: rx.Var[bool]
    on_begin: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]
    on_response: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


class WithPasskeys(rx.Component):
    """Shows the first of its two children in browsers that know passkeys, the second in others."""

    library, tag = script("passkey_button.jsx", "WithPasskeys")


passkey_button = PasskeyButton.create
with_passkeys = WithPasskeys.create
