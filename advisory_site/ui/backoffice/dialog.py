"""Dialogs that are open while the address says so, so that they can be shared and returned to."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import reflex as rx

from ...content import backoffice as words
from ..notices import SCRIPT as NOTICES
from .address import HOOKS, AddressLink
from .chakra import CHAKRA
from .connection import SCRIPT as CONNECTION

NEW = "new"


class AddressButton(AddressLink):
    """A link as of `address_link` that looks like a button; takes a button's variant and size."""

    tag = "AddressButton"
    variant: rx.Var[str]
    size: rx.Var[str]

    def add_imports(self) -> rx.ImportDict:
        """Chakra's button."""
        return {CHAKRA: [rx.ImportVar(tag="Button", alias="ChakraButton")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_BUTTON]


class AddressDialog(rx.Component):
    """A dialog that is open while the address has the query parameter `parameter`.

    Closing it takes the parameter away, unless unsaved changes hold that back. `shown` is the value of the
    parameter that the content belongs to: until the two are the same, a spinner stands in its place.
    """

    tag = "AddressDialog"
    parameter: rx.Var[str]
    shown: rx.Var[str]
    heading: rx.Var[str]
    new_heading: rx.Var[str]
    close_label: rx.Var[str] = rx.Var.create(words.CLOSE)
    wait_label: rx.Var[str] = rx.Var.create(words.LOADING)

    def add_imports(self) -> rx.ImportDict:
        """The router and Chakra's dialog."""
        parts = ("Modal", "ModalBody", "ModalCloseButton", "ModalContent", "ModalHeader", "ModalOverlay", "Spinner")
        places: rx.ImportDict = {
            NOTICES: [rx.ImportVar(tag="NoticePlace")],
            CONNECTION: [rx.ImportVar(tag="ConnectionPlace")],
        }
        return HOOKS | places | {CHAKRA: [rx.ImportVar(tag=name, alias=f"Chakra{name}") for name in parts]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_DIALOG]


address_button = AddressButton.create


def address_dialog(
    content: rx.Component, *, parameter: str, shown: Any, heading: Any, new_heading: Any = None
) -> rx.Component:
    """A dialog around its content; `new_heading` is the heading where the parameter is `NEW`."""
    return AddressDialog.create(
        content,
        parameter=parameter,
        shown=shown,
        heading=heading,
        new_heading=heading if new_heading is None else new_heading,
    )


def closed(path: str, query: str, parameter: str) -> str:
    """The address of a page without its dialog, which leaves a list's search, order and page as they are."""
    rest = [(name, value) for name, value in parse_qsl(query) if name != parameter]
    return f"{path}?{urlencode(rest)}" if rest else path


_BUTTON = """
function AddressButton({change, children, ...rest}) {
  const location = useLocation();
  return jsx(ChakraButton, {...rest, as: RouterLink, to: changedAddress(location, change), preventScrollReset: true},
    children);
}
"""

_DIALOG = """
function AddressDialog({parameter, shown, heading, newHeading, closeLabel, waitLabel, children}) {
  const location = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(location.search);
  const wanted = query.get(parameter) ?? "";
  const close = () => {
    query.delete(parameter);
    const text = query.toString();
    navigate({pathname: location.pathname, search: text ? "?" + text : ""}, {preventScrollReset: true});
  };
  // While the content is drawn anew, nothing in the dialog has the focus, and its keys go to the page.
  useEffect(() => {
    if (wanted === "") return;
    const leave = (event) => { if (event.key === "Escape" && event.target === document.body) close(); };
    window.addEventListener("keydown", leave);
    return () => window.removeEventListener("keydown", leave);
  });
  const wait = jsx("div", {className: "backoffice-dialog-wait"},
    jsx(ChakraSpinner, {size: "xl", label: waitLabel}));
  // The page behind is held still by the stylesheet: Chakra would write a style element, which the policy refuses.
  const manner = {motionPreset: "none", scrollBehavior: "inside", blockScrollOnMount: false};
  return jsx(ChakraModal, {isOpen: wanted !== "", onClose: close, ...manner},
    jsx(ChakraModalOverlay, {className: "backoffice-overlay"}),
    jsx(ChakraModalContent, {className: "backoffice-dialog", containerProps: {className: "backoffice-dialog-place"}},
      jsx(ChakraModalHeader, {as: "h2"}, wanted === "new" ? newHeading : heading),
      jsx(ChakraModalCloseButton, {"aria-label": closeLabel}),
      jsx(ConnectionPlace),
      jsx(ChakraModalBody, null, jsx("div", {className: "backoffice"}, shown === wanted ? children : wait)),
      jsx(NoticePlace)));
}
"""
