"""A websocket that cannot be had."""

import re

from playwright.sync_api import WebSocketRoute

# The address of the websocket of events.
EVENTS = re.compile("_event")


def refuse(socket: WebSocketRoute) -> None:
    """The connection is cut whenever it is made."""
    socket.close()
