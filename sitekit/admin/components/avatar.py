"""A user's avatar."""

import reflex as rx

from ...ui.scripts import script


class PersonAvatar(rx.Component):
    """Initials: first letters of first and last name, else the first two letters of the email, else U."""

    library, tag = script("person_avatar.jsx", "PersonAvatar")
    first_name: rx.Var[str]
    last_name: rx.Var[str]
    email: rx.Var[str]
    size: rx.Var[str] = rx.Var.create("sm")


person_avatar = PersonAvatar.create
