"""The baseline of `bench.load`: Reflex's smallest app, one state with one number, and nothing of this site."""

from typing import Any

import reflex as rx


class EmptyState(rx.State):
    """A number."""

    number: int = 0

    @rx.event
    def click(self) -> None:
        """Count."""
        self.number += 1


def stock() -> Any:
    """Reflex's own ASGI application."""
    app = rx.App()
    app.add_page(lambda: rx.text(EmptyState.number), route="/")
    return app()
