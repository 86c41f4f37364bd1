from collections.abc import Callable

from reflex_base.components.component import Component

def __getattr__(element: str) -> Callable[..., Component]: ...
