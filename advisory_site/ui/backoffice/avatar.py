"""A round picture of a person: the photograph, or the initials."""

import reflex as rx

from .chakra import CHAKRA


class PersonAvatar(rx.Component):
    """First letters of first and last name, else the first two letters of the email, else U."""

    tag = "PersonAvatar"
    first_name: rx.Var[str]
    last_name: rx.Var[str]
    email: rx.Var[str]
    size: rx.Var[str] = rx.Var.create("sm")

    def add_imports(self) -> rx.ImportDict:
        """Chakra's avatar."""
        return {CHAKRA: [rx.ImportVar(tag="Avatar", alias="ChakraAvatar")]}

    def add_custom_code(self) -> list[str]:
        """The component itself; letters are taken whole, also those of two code units."""
        return [_AVATAR]


person_avatar = PersonAvatar.create

_AVATAR = """
function PersonAvatar({firstName, lastName, email, size}) {
  const letters = (text, count) => Array.from((text ?? "").trim()).slice(0, count).join("");
  const initials = (letters(firstName, 1) + letters(lastName, 1) || letters(email, 2) || "U").toUpperCase();
  return jsx(ChakraAvatar, {size, name: initials, getInitials: () => initials});
}
"""
