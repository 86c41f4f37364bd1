"""What can be done with a row of a list: the buttons to edit and delete it, and a menu with every action."""

from typing import Any

import reflex as rx

from ...base.permissions import AnyAction
from ...ui.copy import NEW_TAB_NOTE
from ...ui.icons import icon
from .. import texts
from ..current_user import where_allowed
from . import controls
from .address import address_link
from .confirm import confirm_button
from .dialog import address_button
from .elements import link
from .menus import address_item, confirm_item, menu_divider, menu_item, menu_link, row_menu


def title_link(name: Any, form: Any) -> rx.Component:
    """The name of a row, which leads to its form: a path, or the change of the address that opens its dialog."""
    if isinstance(form, dict):
        return address_link(name, change=form, title=name, class_name="cell-title")
    return link(name, href=form, title=name, class_name="cell-title")


def row_actions(
    name: Any,
    *,
    form: Any,
    site: str,
    is_public: Any,
    ask: rx.Var[Any],
    on_delete: Any,
    deleting: AnyAction,
    items: tuple[rx.Component, ...] = (),
) -> rx.Component:
    """Buttons to edit and to delete the row called `name`, and its menu; `items` come between Edit and Delete there.

    `form` is as in `title_link`, `site` the row's public page if it `is_public`, `ask` the question before
    deleting, which needs the action `deleting`.
    """
    pencil, trash = icon("edit", class_name="icon-small"), icon("trash", class_name="icon-small")
    edit_label = rx.el.span(f"{texts.EDIT} {name}", class_name="visually-hidden")
    edit: rx.Component
    edit_item: rx.Component
    if isinstance(form, dict):
        edit = address_button(pencil, edit_label, change=form, variant="ghost", size="sm")
        edit_item = address_item(pencil, texts.EDIT, change=form)
    else:
        edit = controls.button_link(pencil, edit_label, href=form, variant="ghost", size="sm")
        edit_item = menu_link(pencil, texts.EDIT, href=form)
    delete_label = rx.el.span(f"{texts.DELETE} {name}", class_name="visually-hidden")
    return rx.el.div(
        edit,
        where_allowed(deleting, confirm_button(trash, delete_label, ask=ask, on_confirm=on_delete)),
        row_menu(
            rx.cond(is_public, _view_item(site)),
            edit_item,
            *items,
            where_allowed(
                deleting,
                menu_divider(),
                confirm_item(trash, texts.DELETE, ask=ask, on_confirm=on_delete, class_name="is-danger"),
            ),
            label=f"{texts.MORE_ACTIONS} {name}",
        ),
        class_name="row-actions",
    )


def _view_item(site: str) -> rx.Component:
    note = rx.el.span(f" ({NEW_TAB_NOTE})", class_name="visually-hidden")
    return menu_item(
        icon("external", class_name="icon-small"),
        texts.VIEW_ON_SITE,
        note,
        custom_attrs={"as": "a", "href": site, "target": "_blank", "rel": "noopener"},
    )
