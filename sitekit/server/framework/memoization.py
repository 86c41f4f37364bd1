"""A component whose children the compiler leaves in place; by default it moves them into a memoized component."""

import reflex as rx
from reflex_base.constants import MemoizationMode


class OwnChildren(rx.Component):
    """The base of a component whose JavaScript looks at its children, such as at their keys."""

    # Reflex 0.10 has no documented way to leave the children of a component where they are.
    _memoization_mode = MemoizationMode(recursive=False)
