"""How Reflex names state vars in the JSON it sends: the one place where its marker is used.

Reflex 0.10 appends it to the name of every var in a delta, so that a var and a Python attribute cannot be mixed up.
"""

from reflex_base.constants.state import FIELD_MARKER


def var_name(key: str) -> str:
    """The name of the var under a key of a state's JSON."""
    return key.removesuffix(FIELD_MARKER)


def var_key(name: str) -> str:
    """The key of a var in a state's JSON."""
    return f"{name}{FIELD_MARKER}"
