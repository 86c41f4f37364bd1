"""A real SMTP server on loopback that stores what it receives."""

import email
import email.policy
import re
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.support import waiting
from tests.support.ports import free_port


class Mailbox:
    """The server, with all delivered messages, oldest first."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self._port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self._port, ready_timeout=60)

    def start(self) -> None:
        """Start the server."""
        self._controller.start()

    def stop(self) -> None:
        """Stop the server."""
        self._controller.stop()

    @property
    def smtp_url(self) -> str:
        """The value for ADVISORY_SMTP_URL."""
        return f"smtp://127.0.0.1:{self._port}"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Store a message; called by aiosmtpd."""
        self.messages.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 OK"

    def wait_for(self, address: str, number: int = 1) -> EmailMessage:
        """Wait for the `number`th message to an address."""

        def found() -> list[EmailMessage]:
            return [message for message in self.messages if message["To"] == address]

        waiting.wait_for(lambda: len(found()) >= number, f"mail number {number} to {address}", 60)
        return found()[number - 1]


def link_in(message: EmailMessage) -> str:
    """The link in a mail."""
    part = message.get_body(("plain",))
    assert part is not None
    found = re.search(r"https?://\S+", part.get_content())
    assert found, "the mail holds no link"
    return found[0]
