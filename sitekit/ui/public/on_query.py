"""Content that is only shown with one query string."""

import reflex as rx

from ...base.queries import CAMPAIGN
from ..scripts import script


class OnQuery(rx.Component):
    """Shows its children if the address has exactly this query, apart from what campaigns add.

    The query must be one of the route's `queries`. It must have the form `name=value`: without a value the router adds
    "=", but only on the server.
    """

    library, tag = script("on_query.jsx", "OnQuery")
    query: rx.Var[str]
    ignored: rx.Var[str] = rx.Var.create(CAMPAIGN)


on_query = OnQuery.create
