# What the tests use of it: a client.
from collections.abc import Callable, Sequence
from typing import Any

def __getattr__(name: str) -> Any: ...

class Client:
    connected: bool
    def __init__(self, *, reconnection: bool = True) -> None: ...
    def on(self, event: str, handler: Callable[..., object], namespace: str) -> None: ...
    def connect(
        self,
        url: str,
        *,
        transports: Sequence[str],
        socketio_path: str,
        namespaces: Sequence[str],
        wait_timeout: float = 1,
    ) -> None: ...
    def emit(self, event: str, data: object, namespace: str) -> None: ...
    def disconnect(self) -> None: ...
