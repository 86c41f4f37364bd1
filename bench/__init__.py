"""Measurements of the site: pages, pictures, sign-in, lists and memory."""

import advisory_site  # noqa: F401  the kit needs to know the site
