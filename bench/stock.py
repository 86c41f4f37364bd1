"""The baseline: the same app with rendering off, which is what Reflex serves by itself."""

from typing import Any

import reflex as rx

from advisory_site.advisory_site import app


def stock() -> Any:
    """Reflex's own ASGI application, without PublicPages."""
    return rx.App.__call__(app)
