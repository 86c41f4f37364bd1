"""The signed-in user of a tab, as the pages of the back office show them."""

import reflex as rx

from ..base.permissions import Role


class CurrentUser(rx.State):
    """The user of a tab. `role` is empty while no user is signed in. The accounts set these vars, in a substate."""

    is_loading: bool = True
    user_id: int = 0
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    role: str = ""


def has_role(*roles: Role) -> rx.Var[bool]:
    """For screens: whether the signed-in user has one of these roles. Services call `require` instead."""
    is_one_of: rx.Var[bool] = rx.Var.create(CurrentUser.role == roles[0].value)
    for role in roles[1:]:
        is_one_of = is_one_of | (CurrentUser.role == role.value)
    return is_one_of
