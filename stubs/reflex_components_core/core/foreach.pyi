from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

from reflex_base.components.component import Component
from reflex_base.vars.base import Var

T = TypeVar("T")

# On a state class an attribute has the type of its value; what is drawn for each item is typed by the items.
@overload
def foreach(iterable: Iterable[T], render_fn: Callable[[T], Any] | Callable[[T, int], Any]) -> Component: ...
@overload
def foreach(iterable: Var[Any], render_fn: Callable[..., Any]) -> Component: ...
