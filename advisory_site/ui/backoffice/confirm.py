"""A button that asks for confirmation in the browser's own dialog."""

from typing import Annotated, Any

import reflex as rx

from .chakra import CHAKRA


class ConfirmButton(rx.Component):
    """Sends `on_confirm` when the person agrees to `sentence`; takes Chakra's variant and size."""

    tag = "ConfirmButton"
    sentence: rx.Var[str]
    variant: rx.Var[str] = rx.Var.create("ghost")
    size: rx.Var[str] = rx.Var.create("sm")
    is_loading: rx.Var[bool]
    on_confirm: Annotated[rx.EventHandler, rx.event.no_args_event_spec]

    def add_imports(self) -> rx.ImportDict:
        """Chakra's button."""
        return {CHAKRA: [rx.ImportVar(tag="Button", alias="ChakraButton")]}

    def add_custom_code(self) -> list[str]:
        """The component itself: the dialog is the browser's, opened by our code, so no text is evaluated."""
        return [_CONFIRM]


def confirm_button(*children: Any, sentence: str, on_confirm: Any, **props: Any) -> rx.Component:
    """A button whose `on_confirm` runs only after the browser's confirmation of the sentence."""
    return ConfirmButton.create(*children, sentence=sentence, on_confirm=on_confirm, **props)


_CONFIRM = """
function ConfirmButton({sentence, onConfirm, children, ...rest}) {
  const ask = () => { if (window.confirm(sentence)) onConfirm(); };
  return jsx(ChakraButton, {...rest, type: "button", onClick: ask}, children);
}
"""
