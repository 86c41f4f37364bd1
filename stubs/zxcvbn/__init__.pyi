from collections.abc import Iterable
from typing import Any

def zxcvbn(password: str, user_inputs: Iterable[object] | None = None) -> dict[str, Any]: ...
