"""The signed-in user of a tab, as the pages of the back office show them."""

import reflex as rx

from ..base.permissions import POLICY, AnyAction, Role
from . import texts


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


def may_have_role(*roles: Role) -> rx.Var[bool]:
    """The same while the session loads as for these roles, so that nothing moves for them when it is known."""
    return has_role(*roles) | CurrentUser.is_loading


def allows(action: AnyAction) -> rx.Var[bool] | None:
    """For screens: whether the signed-in user may do this; None while every role may."""
    roles = POLICY[action]
    return None if roles.issuperset(Role) else has_role(*roles) if roles else rx.Var.create(False)


def where_allowed(action: AnyAction | None, *shown: rx.Component) -> rx.Component:
    """What only those see who may do this; without an action, all.

    While the session loads it has its room, and the stylesheet hides it at the head of a page and in the strip.
    """
    is_allowed = allows(action) if action else None
    return (
        rx.fragment(*shown) if is_allowed is None else rx.cond(is_allowed | CurrentUser.is_loading, rx.fragment(*shown))
    )


def changeable_form(action: AnyAction, form: rx.Component) -> rx.Component:
    """A form that only those can fill in who may do this; others read it, without its buttons."""
    is_allowed = allows(action)
    if is_allowed is None:
        return form
    note = rx.cond(
        is_allowed | CurrentUser.is_loading, rx.fragment(), rx.el.p(texts.ONLY_READ, class_name="backoffice-note")
    )
    return rx.el.fieldset(note, form, disabled=~is_allowed, class_name="changeable-form")
