"""Mail goes out whole, to one person, over SMTP or into the outbox."""

import email
import email.policy
import email.utils
import socketserver
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from email.header import decode_header, make_header
from pathlib import Path

import pytest

from sitekit.base import messages
from sitekit.base.mail import transport
from sitekit.base.mail.worker import LEASE
from sitekit.base.site import get_site
from tests.conftest import use
from tests.support.running import running
from tests.support.strict_smtp import StrictServer, strict_server

MESSAGE = transport.Message(to="ann@example.com", subject="Hello", text="First line\nSecond line")


@pytest.fixture
def outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use(monkeypatch, tmp_path)
    return tmp_path / "outbox"


def only_mail_in(folder: Path) -> email.message.EmailMessage:
    (path,) = folder.iterdir()
    return email.message_from_bytes(path.read_bytes(), policy=email.policy.default)


@pytest.mark.spec("AUTH-7")
def test_mail_is_written_to_the_outbox_folder_without_a_server(outbox: Path) -> None:
    transport.send(MESSAGE)
    message = only_mail_in(outbox)
    assert (message["To"], message["Subject"]) == ("ann@example.com", "Hello")
    assert message.get_content().splitlines() == ["First line", "Second line"]


def test_files_in_the_outbox_folder_are_private(outbox: Path) -> None:
    transport.send(MESSAGE)
    (path,) = outbox.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_files_in_the_outbox_folder_sort_by_time(outbox: Path) -> None:
    for number in range(5):
        transport.send(transport.Message("ann@example.com", f"Number {number}", "Text"))
    subjects = [line for path in sorted(outbox.iterdir()) for line in path.read_text().splitlines() if "Number" in line]
    assert subjects == [f"Subject: Number {number}" for number in range(5)]


def test_a_message_has_a_text_and_an_html_part(outbox: Path) -> None:
    transport.send(transport.Message("ann@example.com", "Hello", "Words", html="<p>Words</p>"))
    kinds = [part.get_content_type() for part in only_mail_in(outbox).walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]


def test_a_line_break_in_a_subject_cannot_add_a_header(outbox: Path) -> None:
    transport.send(transport.Message("ann@example.com", "Hello\r\nBcc: eve@example.com", "Text"))
    message = only_mail_in(outbox)
    assert message["Bcc"] is None
    assert message["Subject"] == "Hello Bcc: eve@example.com"


@pytest.mark.parametrize(
    "subject",
    [
        "Enquiry from =?utf-8?q?a=0D=0ABcc:_eve@example.com?= Tan",
        "Enquiry from =?utf-8?q?x=0DContent-Type:_text/html=0D=0A=0D=0A<h1>Pay_now</h1>?=",
        "Enquiry from =?utf-8?b?idnautf-8?=uu =?utf-8?b?!?= =?x",
        "Enquiry from 陈美 =?utf-8?q?a=0D=0A?=",
        "Enquiry from Tan, Lim & Partners Advisory " + "x" * 60 + "; and " + "y" * 50,
    ],
)
def test_a_subject_is_received_as_it_was_typed(outbox: Path, subject: str) -> None:
    """Encoded words are text, in which a decoded line break would begin another header."""
    transport.send(transport.Message("ann@example.com", subject, "Text"))
    message = only_mail_in(outbox)
    assert message["Subject"] == subject
    assert message.keys() == [
        *("From", "To", "Subject", "Date", "Message-ID"),
        *("Content-Type", "Content-Transfer-Encoding", "MIME-Version"),
    ]
    assert message.get_content().splitlines() == ["Text"]


def test_a_message_is_sent_without_a_reply_to_that_cannot_be_mailed(outbox: Path) -> None:
    transport.send(transport.Message("ann@example.com", "Hello", "Text", reply_to="=?utf-8?q?a?=@firm.example"))
    assert only_mail_in(outbox)["Reply-To"] is None


@pytest.mark.parametrize("address", ["", "ann", "a@b.co, c@d.co", "a@b.co\nBcc: c@d.co", "Ann <a@b.co>", "ä@b.co"])
def test_invalid_recipients_get_no_mail(outbox: Path, address: str) -> None:
    with pytest.raises(transport.MailError):
        transport.send(transport.Message(address, "Hello", "Text"))
    assert not outbox.exists()


def why(message: transport.Message = MESSAGE) -> str:
    """Why a message could not be sent, in the words that admins read."""
    with pytest.raises(transport.MailError) as raised:
        transport.send(message)
    return raised.value.reason


def test_an_unwritable_outbox_folder_is_a_mail_error(outbox: Path) -> None:
    outbox.write_text("a file where the folder should be")
    assert why() == messages.MAIL_NOT_WRITTEN


def test_an_unreachable_server_is_a_mail_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path, SMTP_URL="smtp://127.0.0.1:1")
    assert why() == messages.MAIL_UNREACHABLE.format(cause="Connection refused")


def test_an_invalid_address_is_reported_as_the_reason(outbox: Path) -> None:
    assert why(transport.Message("nobody", "Hello", "Text")) == messages.MAIL_ADDRESS_IMPOSSIBLE


@pytest.fixture
def server() -> Iterator[StrictServer]:
    with strict_server() as server:
        yield server


def test_mail_is_sent_through_the_server_with_authentication(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path, **server.settings("post%40firm:p%3Ass"), MAIL_FROM="post@example.com")
    transport.send(MESSAGE)
    said = server.said
    assert "AUTH PLAIN AHBvc3RAZmlybQBwOnNz" in said
    assert "RCPT TO:<ANN@EXAMPLE.COM>" in map(str.upper, said)  # Python 3.13 writes the verb in small letters
    assert "From: Northstrait <post@example.com>" in said
    assert "Second line" in said


@pytest.mark.parametrize(
    ("verb", "reply", "reason"),
    [
        (
            "greeting",
            "554-5.7.1 a listed\r\n554 \a address",
            messages.MAIL_GREETING_REFUSED.format(code="554: 5.7.1 a listed address"),
        ),
        ("greeting", "421", messages.MAIL_GREETING_REFUSED.format(code="421")),
        ("EHLO", "421 try later", messages.MAIL_HOST_REFUSED.format(code="421: try later")),
        ("STAR", "454 no key", messages.MAIL_ENCRYPTION_REFUSED.format(code="454: no key")),
        ("AUTH", "535 wrong: word,", messages.MAIL_PASSWORD_REFUSED.format(code="535: wrong: ***,")),
        ("AUTH", "535 AHBvc3QAd29yZA== d29yZA==", messages.MAIL_PASSWORD_REFUSED.format(code="535: *** ***")),
        (
            "MAIL",
            "553 " + "not you " * 99,
            messages.MAIL_SENDER_REFUSED.format(code="553: " + "not you " * 14 + "not you…"),
        ),
        ("RCPT", "550 no such person", messages.MAIL_RECIPIENT_REFUSED.format(code=550)),
        ("DATA", "554 spam", messages.MAIL_REFUSED.format(code=554)),
        ("EHLO", "250 nothing to offer", messages.MAIL_SERVER_LACKS),
        ("EHLO", "250-here\r\n250 AUTH XOAUTH2", messages.MAIL_SERVER_LACKS),
    ],
)
def test_refusals_of_a_server_are_explained_in_plain_words(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, reply: str, reason: str
) -> None:
    server.refuses[verb] = reply
    use(monkeypatch, tmp_path, **server.settings("post:word"))
    assert why() == reason


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://Desk.Example.sg:443", "desk.example.sg"),
        ("https://büro.example", "xn--bro-hoa.example"),
        ("https://203.0.113.7", "[203.0.113.7]"),
        ("https://[2001:db8::7]", "[IPv6:2001:db8::7]"),
    ],
)
def test_a_strict_server_is_told_the_public_host(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, name: str
) -> None:
    use(monkeypatch, tmp_path, **server.settings() | {"PUBLIC_URL": address})
    transport.send(MESSAGE)
    assert server.said[0][:4].upper() + server.said[0][4:] == f"EHLO {name}"


def test_a_local_site_leaves_the_name_of_its_host_to_the_machine(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.getfqdn", lambda: "desk.firm.example")
    use(monkeypatch, tmp_path, **server.settings() | {"PUBLIC_URL": "http://localhost:3000"})
    transport.send(MESSAGE)
    assert server.said[0][5:] == "desk.firm.example"


@pytest.mark.parametrize(
    "text",
    [
        "It’s here.\nFrom now on we write Müller.",
        "From now on.\n.\n..\n  and spaces \nFrom here",
        "From 银行 🚀 " * 500 + "\nFrom here",
        "From " * 500,
        "line\n" * 500 + "’",
    ],
)
def test_a_strict_server_gets_each_text_as_it_was_typed(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    use(monkeypatch, tmp_path, **server.settings())
    transport.send(transport.Message("ann@example.com", "银行", text, html=f"<p>{text}</p>"))
    (message,) = server.messages
    received = [part.get_content().splitlines() for part in message.iter_parts()]
    assert received == [text.splitlines(), f"<p>{text}</p>".splitlines()]


@pytest.mark.parametrize(
    "name",
    [
        "Tan, Lim & Partners Advisory (Singapore) Pte. Ltd.",
        "Tan, Lim, Partners and Advisors of the Straits, Partners and Advisors of the Straits (Pte.) Ltd",
        'Chen; "Lim\\" <x@y.example>, Advisory Advisory Advisory Advisory Advisory Advisory Advisory',
        "Müller, “Söhne” (Beratung) & Co., Gesellschaft für Anlagen, Gesellschaft für Anlagen",
        "陈, 林 " + "顾问, " * 30 + "公司",
        "Tan =?utf-8?q?a=2C?=, Lim",
    ],
)
def test_a_name_with_commas_is_one_sender(outbox: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    site = get_site()
    monkeypatch.setattr(transport, "get_site", lambda: replace(site, brand=replace(site.brand, name=name)))
    transport.send(MESSAGE)
    # Not read by `email.policy.default`, which leaves spaces between encoded words.
    (path,) = outbox.iterdir()
    ((sender, address),) = email.utils.getaddresses([email.message_from_bytes(path.read_bytes())["From"]])
    assert (str(make_header(decode_header(sender))), address) == (name, site.brand.email)
    assert len(only_mail_in(outbox)["From"].addresses) == 1


@pytest.mark.parametrize("goodbye", ["421 too busy", "500 what", ""])
def test_an_error_at_quit_does_not_undo_an_accepted_message(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goodbye: str
) -> None:
    server.refuses["QUIT"] = goodbye
    use(monkeypatch, tmp_path, **server.settings())
    monkeypatch.setattr(transport, "TIMEOUT", 1)
    transport.send(MESSAGE)
    assert len(server.messages) == 1


@pytest.mark.parametrize(
    ("scheme", "begins"),
    [
        pytest.param("smtp", b"220 ready\r\n250-", id="answer"),
        pytest.param("smtp", b"220-", id="greeting"),
        # A record of TLS that is never complete.
        pytest.param("smtps", b"\x16\x03\x03\x3f\xff\x02\x00\x3f\x00", id="handshake"),
    ],
)
def test_a_slow_dripping_server_times_out_before_the_lease_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, begins: bytes
) -> None:
    class Dripping(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(begins)
            with suppress(OSError):
                while True:
                    self.wfile.write(b"x")
                    time.sleep(0.01)

    assert LEASE.total_seconds() > transport.DEADLINE
    monkeypatch.setattr(transport, "DEADLINE", 0.3)
    with running(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dripping)) as dripping:
        use(monkeypatch, tmp_path, SMTP_URL=f"{scheme}://127.0.0.1:{dripping.server_address[1]}")
        with pytest.raises(transport.MailError) as raised:
            transport.send(MESSAGE)
    assert not raised.value.is_final


def test_an_unreachable_server_is_temporary_and_an_invalid_address_final(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path, SMTP_URL="smtp://127.0.0.1:1")
    for message, is_final in ((MESSAGE, False), (transport.Message("nobody", "Hello", "Text"), True)):
        with pytest.raises(transport.MailError) as raised:
            transport.send(message)
        assert raised.value.is_final is is_final


def test_a_server_with_an_untrusted_certificate_gets_no_mail(
    server: StrictServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path, SMTP_URL=server.settings()["SMTP_URL"].replace("smtp:", "smtps:"))
    assert why() == messages.MAIL_NOT_TRUSTED
