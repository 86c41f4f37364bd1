"""Sends messages over SMTP where a server is set, else writes one .eml file per message."""

import base64
import os
import re
import secrets
import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, make_msgid
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from .. import messages
from ..settings import get_settings
from ..site import get_site
from ..text import in_brief, is_domain, is_mailable, one_line

TIMEOUT = 15  # in seconds, for each answer of the server
# In seconds, for the whole conversation. A server that answers one byte at a time could otherwise take longer than the
# worker's claim of the message lasts, and another process would send it as well.
DEADLINE = 120
MAX_SUBJECT = 200


class MailError(Exception):
    """A message could not be sent.

    `reason` explains it in plain words, the text is what the server replied; `is_final`: a retry cannot succeed.
    """

    def __init__(self, text: str, *, reason: str, is_final: bool = False) -> None:
        super().__init__(text)
        self.reason, self.is_final = reason, is_final


@dataclass(frozen=True)
class Message:
    """One message to one recipient; `html` has the same content as `text`.

    `thread_id` is the Message-ID of the first one of its thread. `is_automatic`: nobody wrote it, and no other program
    shall reply to it (RFC 3834); in a thread it is a reply.
    """

    to: str
    subject: str
    text: str
    html: str = ""
    reply_to: str = ""
    message_id: str = ""  # set by a caller that may retry, so that both tries are recognised as one message
    thread_id: str = ""
    is_automatic: bool = False


def send(message: Message) -> None:
    """Send a message; blocks until the server has replied. Raises `MailError`."""
    settings = get_settings()
    try:
        composed = compose(message)
    except ValueError as error:
        raise MailError(str(error), reason=messages.MAIL_ADDRESS_IMPOSSIBLE, is_final=True) from error
    try:
        if settings.smtp_url:
            _hand_to_server(composed, message.to, settings.smtp_url)
        else:
            _write_to_outbox(composed, settings.outbox_dir)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        said = _reply(error) if isinstance(error, smtplib.SMTPResponseException) else str(error)
        raise MailError(said, reason=explain(error), is_final=_is_final(error)) from error


def probe(smtp_url: str, timeout: float) -> None:
    """Sign in to a mail server and name our address, without a message; raises `OSError` or `SMTPException`."""
    with _connected(smtp_url, timeout) as connection:
        code, reply = connection.mail(own_address())
        if code != 250:
            raise smtplib.SMTPSenderRefused(code, reply, own_address())


def _reply(error: smtplib.SMTPResponseException) -> str:
    """The code of a server's reply, and the beginning of its text."""
    text = in_brief(one_line(_text_of(error)), 120)
    return f"{error.smtp_code}: {text}" if text else str(error.smtp_code)


def _text_of(error: smtplib.SMTPResponseException) -> str:
    return error.smtp_error if isinstance(error.smtp_error, str) else error.smtp_error.decode(errors="replace")


def _is_final(error: Exception) -> bool:
    """Whether the server has refused the message or its recipient permanently."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _said in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500


def explain(error: Exception) -> str:
    """Why mail could not be sent, for operators. Omits what the server replied to a message, which it may quote."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            codes = sorted({code for code, _said in error.recipients.values()})
            return messages.MAIL_RECIPIENT_REFUSED.format(code=", ".join(map(str, codes)))
        case smtplib.SMTPSenderRefused():
            return messages.MAIL_SENDER_REFUSED.format(code=_reply(error))
        case smtplib.SMTPAuthenticationError():
            return messages.MAIL_PASSWORD_REFUSED.format(code=_reply(error))
        case smtplib.SMTPDataError():
            return messages.MAIL_REFUSED.format(code=error.smtp_code)
        case smtplib.SMTPConnectError():
            return messages.MAIL_GREETING_REFUSED.format(code=_reply(error))
        case smtplib.SMTPHeloError():
            return messages.MAIL_HOST_REFUSED.format(code=_reply(error))
        case smtplib.SMTPResponseException():
            return messages.MAIL_ENCRYPTION_REFUSED.format(code=_reply(error))
        case smtplib.SMTPException() if not isinstance(error, smtplib.SMTPServerDisconnected):
            return messages.MAIL_SERVER_LACKS
        case ssl.SSLError():
            return messages.MAIL_NOT_TRUSTED
    if not get_settings().smtp_url:
        return messages.MAIL_NOT_WRITTEN
    cause = isinstance(error, OSError) and (error.strerror or str(error))
    return messages.MAIL_UNREACHABLE.format(cause=cause or type(error).__name__)


def compose(message: Message) -> EmailMessage:
    """Build the message as it is sent. No text in it can add headers or recipients.

    A Reply-To that no mail can be sent to is left out. Raises `ValueError` for such a recipient.
    """
    brand = get_site().brand
    # In 7 bits, which every server takes.
    composed = EmailMessage(policy=SMTP.clone(cte_type="7bit", refold_source="none"))
    composed.set_raw("From", _sender(one_line(brand.name), _address(own_address())))
    composed["To"] = Address(addr_spec=_address(message.to))
    if is_mailable(message.reply_to):
        composed["Reply-To"] = Address(addr_spec=message.reply_to)
    composed.set_raw("Subject", _encoded(one_line(message.subject)[:MAX_SUBJECT], "Subject"))
    composed["Date"] = format_datetime(datetime.now(UTC))
    composed["Message-ID"] = message.message_id or make_msgid(domain=brand.domain)
    if message.thread_id:
        composed["In-Reply-To"] = composed["References"] = message.thread_id
    if message.is_automatic:
        composed["Auto-Submitted"] = "auto-replied" if message.thread_id else "auto-generated"
    composed.set_content(message.text)
    if message.html:
        composed.add_alternative(message.html, subtype="html")
    return composed


def _encoded(text: str, header: str) -> str:
    """The value of a header that programs show as this text; assigning it would decode what looks encoded in it."""
    if text.isascii() and "=?" not in text and len(text) <= 60:  # on one line, as folding may add a space
        return text
    return Header(text, "utf-8", header_name=header).encode()


def own_address() -> str:
    """The address that all mail comes from."""
    return get_settings().mail_from or get_site().brand.email


def _sender(name: str, address: str) -> str:
    """The value of From. Assigning it would fold a long name without the quotation marks that its commas need."""
    if name.isascii() and "=?" not in name:
        return formataddr((name, address))
    return f"{Header(name, 'utf-8', header_name='From').encode()}\n <{address}>"


def _address(text: str) -> str:
    if not is_mailable(text):
        raise ValueError("not an address that mail can be sent to")
    return text


@contextmanager
def _connected(smtp_url: str, timeout: float) -> Iterator[smtplib.SMTP]:
    """A connection that is signed in, encrypted if the server can, and ended after `DEADLINE`.

    Raises `OSError` or `SMTPException`.
    """
    server = urlsplit(smtp_url)
    host = server.hostname or ""
    with _deadline() as deadline:
        connection: smtplib.SMTP
        if server.scheme == "smtps":
            connection = _BoundedTls(deadline, host, server.port or 465, timeout)
        else:
            connection = _Bounded(deadline, host, server.port or 587, timeout)
        try:
            _sign_in(connection, server)
            yield connection
        finally:
            # An error of QUIT does not concern a message that the server has accepted.
            with suppress(smtplib.SMTPException, OSError):
                connection.quit()
            connection.close()


class _Deadline:
    """Ends the connection of a conversation that takes too long, from another thread; the conversation gets an error.

    It has a copy of the socket, because the greeting and the handshake of TLS, before which smtplib has none, may
    drip as well.
    """

    def __init__(self) -> None:
        self._line: socket.socket | None = None
        self._is_over = False

    def watch(self, line: socket.socket) -> None:
        """Set the socket; raises `TimeoutError` if the time is over."""
        self._line = line.dup()
        if self._is_over:
            raise TimeoutError("the mail server took too long")

    def end(self) -> None:
        """End the connection, also one that is about to be made."""
        self._is_over = True
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the copy."""
        if self._line is not None:
            self._line.close()


@contextmanager
def _deadline() -> Iterator[_Deadline]:
    """A deadline of `DEADLINE` from now."""
    deadline = _Deadline()
    timer = threading.Timer(DEADLINE, deadline.end)
    timer.daemon = True
    timer.start()
    try:
        yield deadline
    finally:
        timer.cancel()
        deadline.close()


def _own_host() -> str | None:
    """The host of the site for EHLO, an IP address as RFC 5321 (4.1.3) writes it; None, for smtplib's, if it is local.

    smtplib's is 127.0.0.1 in a container, which some servers refuse.
    """
    host = get_settings().public_host
    with suppress(ValueError):
        return f"[IPv6:{host}]" if ip_address(host).version == 6 else f"[{host}]"
    return host if is_domain(host) else None


class _Bounded(smtplib.SMTP):
    """A connection with a deadline from its first byte on."""

    def __init__(self, deadline: _Deadline, host: str, port: int, timeout: float) -> None:
        self._deadline = deadline
        super().__init__(host, port, _own_host(), timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        line: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]  # not in its types
        try:
            self._deadline.watch(line)
        except TimeoutError:
            line.close()
            raise
        return line


class _BoundedTls(smtplib.SMTP_SSL, _Bounded):
    """The same with TLS: `SMTP_SSL` makes its socket from that of the next class."""

    def __init__(self, deadline: _Deadline, host: str, port: int, timeout: float) -> None:
        self._deadline = deadline
        context = ssl.create_default_context()
        smtplib.SMTP_SSL.__init__(self, host, port, _own_host(), timeout=timeout, context=context)


def _sign_in(connection: smtplib.SMTP, server: SplitResult) -> None:
    _greet(connection)
    is_secret = server.scheme == "smtps"
    if not is_secret and connection.has_extn("starttls"):
        connection.starttls(context=ssl.create_default_context())
        _greet(connection)
        is_secret = True
    if server.username:
        # Never send a password over a network in clear text; a server on this machine is excepted.
        if not is_secret and server.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise smtplib.SMTPNotSupportedError("the server offers no encryption, so the password was not sent")
        user, password = unquote(server.username), unquote(server.password or "")
        try:
            connection.login(user, password)
        except smtplib.SMTPAuthenticationError as error:
            # Some servers quote the command that they refuse.
            encoded = [base64.b64encode(sent.encode()).decode() for sent in (f"\0{user}\0{password}", password)]
            reply = re.sub("|".join(map(re.escape, (*encoded, password))), "***", _text_of(error))
            raise smtplib.SMTPAuthenticationError(error.smtp_code, reply) from None


def _greet(connection: smtplib.SMTP) -> None:
    code, reply = connection.ehlo()
    if code != 250:
        raise smtplib.SMTPHeloError(code, reply)


def _hand_to_server(composed: EmailMessage, to: str, smtp_url: str) -> None:
    with _connected(smtp_url, TIMEOUT) as connection:
        # `send_message` would write ">" before a line that begins with "From ".
        connection.sendmail(own_address(), [to], composed.as_bytes())


def _write_to_outbox(composed: EmailMessage, outbox: Path) -> None:
    """Write one file per message, readable by its owner only, atomically; names sort by time."""
    outbox.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}.eml"
    draft = outbox / f".{name}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(composed.as_bytes())
    draft.rename(outbox / name)
