"""A real SMTP server on loopback that keeps what it is given."""

import email
import email.policy
import re
import time
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.e2e.conftest import free_port


class Mailbox:
    """Everything that was delivered, oldest first."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self._port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self._port)

    def start(self) -> None:
        """Listen."""
        self._controller.start()

    def stop(self) -> None:
        """Close the server."""
        self._controller.stop()

    @property
    def smtp_url(self) -> str:
        """What the site is told."""
        return f"smtp://127.0.0.1:{self._port}"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a message; aiosmtpd calls this by its name."""
        self.messages.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 OK"

    def wait_for(self, address: str, number: int = 1) -> EmailMessage:
        """The `number`th message to an address, when it has come."""
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            found = [message for message in self.messages if message["To"] == address]
            if len(found) >= number:
                return found[number - 1]
            _pause()
        raise AssertionError(f"no mail number {number} to {address} came; there are {len(self.messages)} in all")


def _pause() -> None:
    """A breath between two looks into the box."""
    time.sleep(0.05)


def link_in(message: EmailMessage) -> str:
    """The address that a mail asks to open."""
    part = message.get_body(("plain",))
    assert part is not None
    found = re.search(r"https?://\S+", part.get_content())
    assert found, "the mail holds no link"
    return found[0]
