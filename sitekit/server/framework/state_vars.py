"""How Reflex names state vars in the JSON it sends, and which of them the browser stores.

Reflex 0.10.1 appends a marker to the name of every var in a delta, so that a var and a Python attribute cannot be mixed
up. There is no public interface for the marker, or for where a var is stored.
"""

import reflex as rx
from reflex_base.constants.state import FIELD_MARKER


def var_name(key: str) -> str:
    """The name of the var under a key of a state's JSON."""
    return key.removesuffix(FIELD_MARKER)


def var_key(name: str) -> str:
    """The key of a var in a state's JSON."""
    return f"{name}{FIELD_MARKER}"


def is_browser_storage(full_name: str) -> bool:
    """Whether the browser stores a var, given as the state's full name, a dot and the var's key."""
    state_name, _, key = full_name.rpartition(".")
    try:
        state = rx.State.get_class_substate(state_name)
    except ValueError:
        return False
    return state._is_client_storage(var_name(key))
