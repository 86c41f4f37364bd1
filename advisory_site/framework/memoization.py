"""A component whose children stay its own: the compiler would put them into a component that it memoizes."""

import reflex as rx
from reflex_base.constants import MemoizationMode


class OwnChildren(rx.Component):
    """The base of a component whose JavaScript looks at its children, such as at their keys."""

    # Reflex 0.10 has no documented way to leave the children of a component where they are.
    _memoization_mode = MemoizationMode(recursive=False)
