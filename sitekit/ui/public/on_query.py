"""Content that is only shown with one query string."""

import reflex as rx

from ..scripts import script


class OnQuery(rx.Component):
    """Shows its children if the address has exactly this query, which must be one of the route's `queries`.

    A query must have the form `name=value`: without a value the router adds "=", but only on the server.
    """

    library, tag = script("on_query.jsx", "OnQuery")
    query: rx.Var[str]


on_query = OnQuery.create
