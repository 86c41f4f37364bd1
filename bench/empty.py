"""The baseline of `bench.load`: a minimal Reflex app, with one state and one number."""

from typing import Any

import reflex as rx


class EmptyState(rx.State):
    """A state with one number."""

    number: int = 0

    @rx.event
    def click(self) -> None:
        """Increase the number."""
        self.number += 1


def stock() -> Any:
    """Reflex's own ASGI application."""
    app = rx.App()
    app.add_page(lambda: rx.text(EmptyState.number), route="/")
    return app()
