"""A cookie of users of the back office, who see public pages as they are now (docs/decisions/shared-cache.md)."""

import reflex as rx

from ...ui.scripts import script


class Uncached(rx.Component):
    """Renders nothing. Sets the cookie for a day; a shared cache in front of the site does not answer its requests."""

    library, tag = script("uncached.jsx", "Uncached")


uncached = Uncached.create
