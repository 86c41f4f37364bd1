"""A mail server on loopback that takes what the oldest and strictest servers take, and refuses what it is told to."""

import email
import email.policy
import re
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from .running import running

# The name of a client: a full one, or an address as RFC 5321 writes it, but not that of every machine.
FULL_NAME = re.compile(r"([a-z0-9-]+\.)+[a-z-]+|\[(?!127\.)[0-9.]+\]|\[IPv6:[0-9a-f:]+\]", re.I)
PUBLIC_URL = "https://www.northstrait.example"
MOST = 998  # bytes of a line, without its end


class StrictServer(socketserver.ThreadingTCPServer):
    """The server, with every line that it got and every message that it took; it offers sign-in and no encryption.

    `refuses` has a reply for each command to be refused, by its first four letters in capitals, and for the greeting.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.said: list[str] = []
        self.messages: list[EmailMessage] = []
        self.refuses: dict[str, str] = {}

    def settings(self, sign_in: str = "") -> dict[str, str]:
        """The settings of a site that sends through it, by their names without ADVISORY_."""
        host = f"127.0.0.1:{self.server_address[1]}"
        return {"SMTP_URL": f"smtp://{sign_in}@{host}" if sign_in else f"smtp://{host}", "PUBLIC_URL": PUBLIC_URL}


@contextmanager
def strict_server() -> Iterator[StrictServer]:
    """A server that runs."""
    with running(StrictServer()) as server:
        yield server


class _Conversation(socketserver.StreamRequestHandler):
    server: StrictServer

    def handle(self) -> None:
        greeting = self.server.refuses.get("greeting", "220 ready")
        self.say(greeting)
        for line in self.rfile if greeting.startswith("220") else ():
            command = line.decode(errors="replace").strip()
            self.server.said.append(command)
            name = command.upper()[:4]
            refusal = self.server.refuses.get(name)
            self.say(self.answer(name, command.partition(" ")[2], line) if refusal is None else refusal)
            if name == "QUIT" and refusal is None:
                return

    def answer(self, name: str, argument: str, line: bytes) -> str:
        """The reply to a command that is not refused."""
        if _problem(line):
            return f"500 {_problem(line)}"
        match name:
            case "EHLO":
                if not FULL_NAME.fullmatch(argument):
                    return "550 a full name, please"
                return "250-here\r\n" + "250-STARTTLS\r\n" * ("STAR" in self.server.refuses) + "250 AUTH PLAIN"
            case "AUTH":
                return "235 welcome"
            case "MAIL" | "RCPT":
                return "250 well" if argument.endswith(">") else "555 a parameter that was not offered"
            case "DATA":
                self.say("354 go on")
                return self.take()
            case "QUIT":
                return "221 bye"
        return "250 well"

    def take(self) -> str:
        """Read a message; the reply to it."""
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        self.server.said += [line.decode(errors="replace").rstrip() for line in lines]
        if problem := next(filter(None, map(_problem, lines)), ""):
            return f"554 {problem}"
        self.server.messages.append(email.message_from_bytes(b"".join(lines), policy=email.policy.default))
        return "250 taken"

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


def _problem(line: bytes) -> str:
    """What is wrong with a line that a client sent."""
    if not line.isascii():
        return "8 bits"
    if not line.endswith(b"\r\n") or b"\r" in line[:-2]:
        return "CR and LF only together"
    return "too long" if len(line) - 2 > MOST else ""
