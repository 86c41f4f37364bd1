from typing import Any

from reflex_base.components.component import Component

def fragment(*children: Any, **props: Any) -> Component: ...
