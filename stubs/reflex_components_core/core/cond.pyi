from typing import Any, overload

from reflex_base.components.component import Component
from reflex_base.vars.base import Var

@overload
def cond(condition: Any, c1: Component, c2: Any = ..., /) -> Component: ...
@overload
def cond(condition: Any, c1: Any, c2: Component, /) -> Component: ...
@overload
def cond(condition: Any, c1: Any, c2: Any, /) -> Var[Any]: ...
