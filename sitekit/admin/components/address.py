"""Components whose state is the address: tabs, search, sort, filters, page and its size are query parameters.

These components only change the address; the page's `on_load` then reads it. So links can be shared, and back and
forward work. Changing anything but the page returns a list to its first page.
"""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from ...ui.scripts import script
from .. import texts


class AddressLink(rx.Component):
    """A link to this screen with some query parameters changed; an empty text removes a parameter."""

    library, tag = script("address_link.jsx", "AddressLink")
    change: rx.Var[dict[str, Any]]
    is_disabled: rx.Var[bool] = rx.Var.create(False)
    title: rx.Var[str]


class AddressTabs(rx.Component):
    """Tabs bound to the query parameter `tab`: one child for each name; an unknown name is the first.

    The last child is shown beside the tabs: links to other pages.
    """

    library, tag = script("address_tabs.jsx", "AddressTabs")
    names: rx.Var[list[str]]
    labels: rx.Var[list[str]]
    label: rx.Var[str]


class Strip(rx.Component):
    """The strip of links that other pages show in place of the tabs. It scrolls where it does not fit, and says so."""

    library, tag = script("strip.jsx", "Strip")


class Narrow(rx.Component):
    """Shows its children where the strip has no room for the places."""

    library, tag = script("narrow.jsx", "Narrow")


class SortHeader(rx.Component):
    """A column's head that sorts, first ascending, then descending, and announces it to screen readers.

    `standard` is "ascending" or "descending" for the column by which the list is sorted by default.
    """

    library, tag = script("sort_header.jsx", "SortHeader")
    sort: rx.Var[str]
    label: rx.Var[str]
    standard: rx.Var[str] = rx.Var.create("")
    is_numeric: rx.Var[bool] = rx.Var.create(False)


class SortSelect(rx.Component):
    """The same as the heads, as a select of "name" and "name desc"; the first option is the list's own order."""

    library, tag = script("sort_select.jsx", "SortSelect")
    label: rx.Var[str]
    options: rx.Var[list[list[str]]]


class SearchBox(rx.Component):
    """A search field; it changes the address 250 ms after the last key.

    "/" moves the cursor into it, Enter or Arrow down the focus to the first row that was found.
    """

    library, tag = script("search_box.jsx", "SearchBox")
    label: rx.Var[str]
    clear_label: rx.Var[str] = rx.Var.create(texts.SEARCH_CLEAR)


class FilterSelect(rx.Component):
    """A select that sets the query parameter `name`. An empty option removes it.

    `standard` is the option that is selected if the address has none of them; without it, the empty one.
    `values` are further options that are their own text; with them, any value of the address is an option.
    """

    library, tag = script("filter_select.jsx", "FilterSelect")
    name: rx.Var[str]
    label: rx.Var[str]
    options: rx.Var[list[list[str]]]
    values: rx.Var[list[str]]
    standard: rx.Var[str]
    is_small: rx.Var[bool]


class AddressDefaults(rx.Component):
    """Renders nothing; sets the query parameters of `values` if the address lacks one of them.

    Within an `address_gate` it changes only the address that the state belongs to. A redirect of the server may come
    when the page is left already, and would lead back to it.
    """

    library, tag = script("address_defaults.jsx", "AddressDefaults")
    values: rx.Var[dict[str, str]]


class AddressGate(rx.Component):
    """Shows its children if `shown` is the path of the browser's address and its `on_load` is done, else `wait`.

    Without it, a page would show the state of an earlier page, or of an earlier visit, until the server has replied.
    """

    library, tag = script("address_gate.jsx", "AddressGate")
    shown: rx.Var[str]
    wait: rx.Component


address_defaults = AddressDefaults.create
address_gate = AddressGate.create
address_link = AddressLink.create
address_tabs = AddressTabs.create
sort_header = SortHeader.create
sort_select = SortSelect.create
search_box = SearchBox.create


def filter_select(label: str, options: Mapping[str, str], *, name: str = "filter", **props: Any) -> rx.Component:
    """A select of options by value; the empty value is first and the default."""
    return FilterSelect.create(name=name, label=label, options=[[*option] for option in options.items()], **props)
