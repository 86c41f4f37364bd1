"""Shows content for one query string only, at no cost to other visitors."""

import reflex as rx

from ..scripts import script


class OnQuery(rx.Component):
    """Shows its children where the address has exactly this query, which the route has to name among its `queries`.

    A query is `name=value`: the router adds the sign where it is missing, and on the server alone.
    """

    library, tag = script("on_query.jsx", "OnQuery")
    query: rx.Var[str]


on_query = OnQuery.create
