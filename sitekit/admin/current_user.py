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
    # A set has another order in each process, and a script of another order has another name for browsers to load.
    first, *others = [role for role in Role if role in roles]
    is_one_of: rx.Var[bool] = rx.Var.create(CurrentUser.role == first.value)
    for role in others:
        is_one_of = is_one_of | (CurrentUser.role == role.value)
    return is_one_of
