# Typed nowhere: each name is the `create` of a component.
from collections.abc import Callable

from reflex_base.components.component import Component

def __getattr__(component: str) -> Callable[..., Component]: ...
