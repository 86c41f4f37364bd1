"""Sends messages over SMTP where a server is set, else writes one .eml file per message."""

import asyncio
import base64
import os
import re
import secrets
import ssl
from contextlib import suppress
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

import aiosmtplib

from .. import messages
from ..settings import get_settings
from ..site import get_site
from ..text import in_brief, is_domain, is_mailable, one_line
from ..write_whole import write_whole

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
            asyncio.run(_conversation(settings.smtp_url, TIMEOUT, composed, message.to))
        else:
            _write_to_outbox(composed, settings.outbox_dir)
    except (OSError, aiosmtplib.SMTPException, ValueError) as error:
        said = _reply(error) if isinstance(error, aiosmtplib.SMTPResponseException) else str(error)
        raise MailError(said, reason=explain(error), is_final=_is_final(error)) from error


def probe(smtp_url: str, timeout: float) -> None:
    """Sign in to a mail server and name our address, without a message; raises `OSError` or `SMTPException`.

    Like `send`, it runs in a thread without an event loop.
    """
    asyncio.run(_conversation(smtp_url, timeout, None, ""))


def _reply(error: aiosmtplib.SMTPResponseException) -> str:
    """The code of a server's reply, and the beginning of its text."""
    text = in_brief(one_line(error.message), 120)
    return f"{error.code}: {text}" if text else str(error.code)


def _is_final(error: Exception) -> bool:
    """Whether the server has refused the message or its recipient permanently."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(one.code >= 500 for one in error.recipients)
    return isinstance(error, aiosmtplib.SMTPDataError) and error.code >= 500


def explain(error: Exception) -> str:
    """Why mail could not be sent, for operators. Omits what the server replied to a message, which it may quote."""
    if isinstance(error, aiosmtplib.SMTPConnectError) and isinstance(error.__cause__, OSError):
        error = error.__cause__
    match error:
        case aiosmtplib.SMTPRecipientsRefused():
            codes = sorted({one.code for one in error.recipients})
            return messages.MAIL_RECIPIENT_REFUSED.format(code=", ".join(map(str, codes)))
        case aiosmtplib.SMTPSenderRefused():
            return messages.MAIL_SENDER_REFUSED.format(code=_reply(error))
        case aiosmtplib.SMTPAuthenticationError():
            return messages.MAIL_PASSWORD_REFUSED.format(code=_reply(error))
        case aiosmtplib.SMTPDataError():
            return messages.MAIL_REFUSED.format(code=error.code)
        case aiosmtplib.SMTPConnectResponseError():
            return messages.MAIL_GREETING_REFUSED.format(code=_reply(error))
        case aiosmtplib.SMTPHeloError():
            return messages.MAIL_HOST_REFUSED.format(code=_reply(error))
        case aiosmtplib.SMTPResponseException():
            return messages.MAIL_ENCRYPTION_REFUSED.format(code=_reply(error))
        case aiosmtplib.SMTPException() if not isinstance(error, OSError):
            return messages.MAIL_SERVER_LACKS
        case ssl.SSLError():
            return messages.MAIL_NOT_TRUSTED
    if not get_settings().smtp_url:
        return messages.MAIL_NOT_WRITTEN
    # asyncio also says to which addresses it could not connect.
    number = re.search(r"\[Errno (\d+)\]", str(error))
    cause = os.strerror(int(number[1])) if number else getattr(error, "strerror", None) or str(error)
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


async def _conversation(smtp_url: str, timeout: float, composed: EmailMessage | None, to: str) -> None:
    """Sign in, encrypted if the server can, and hand over a message, or only name our address."""
    server = urlsplit(smtp_url)
    is_tls = server.scheme == "smtps"
    client = aiosmtplib.SMTP(
        hostname=server.hostname or "",
        port=server.port or (465 if is_tls else 587),
        local_hostname=_own_host(),
        timeout=timeout,
        use_tls=is_tls,
        start_tls=False,
        tls_context=ssl.create_default_context(),
    )
    try:
        async with asyncio.timeout(DEADLINE):
            await client.connect()
            await _sign_in(client, server)
            if composed is None:
                await client.mail(own_address())
            else:
                await client.sendmail(own_address(), [to], composed.as_bytes())
    finally:
        # An error of QUIT does not concern a message that the server has accepted.
        with suppress(aiosmtplib.SMTPException, OSError):
            async with asyncio.timeout(timeout):
                await client.quit()
        client.close()


def _own_host() -> str | None:
    """The host of the site for EHLO, an IP address as RFC 5321 (4.1.3) writes it; None if it is local.

    With None the machine's name is sent, which in a container is 127.0.0.1, and which some servers refuse.
    """
    host = get_settings().public_host
    with suppress(ValueError):
        return f"[IPv6:{host}]" if ip_address(host).version == 6 else f"[{host}]"
    return host if is_domain(host) else None


async def _sign_in(client: aiosmtplib.SMTP, server: SplitResult) -> None:
    await client.ehlo()
    is_secret = server.scheme == "smtps"
    if not is_secret and client.supports_extension("starttls"):
        await client.starttls(tls_context=ssl.create_default_context())
        await client.ehlo()
        is_secret = True
    if server.username:
        # Never send a password over a network in clear text; a server on this machine is excepted.
        if not is_secret and server.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise aiosmtplib.SMTPNotSupported("the server offers no encryption, so the password was not sent")
        user, password = unquote(server.username), unquote(server.password or "")
        try:
            await client.login(user, password)
        except aiosmtplib.SMTPAuthenticationError as error:
            # Some servers quote the command that they refuse.
            encoded = [base64.b64encode(sent.encode()).decode() for sent in (f"\0{user}\0{password}", password)]
            reply = re.sub("|".join(map(re.escape, (*encoded, password))), "***", error.message)
            raise aiosmtplib.SMTPAuthenticationError(error.code, reply) from None


def _write_to_outbox(composed: EmailMessage, outbox: Path) -> None:
    """Write one file per message; names sort by time."""
    outbox.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}.eml"
    write_whole(outbox / name, [composed.as_bytes()])
