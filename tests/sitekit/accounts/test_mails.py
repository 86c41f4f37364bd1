"""The messages of accounts: text and HTML say the same, and nothing in them becomes markup."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest

from sitekit.accounts import mails
from sitekit.base.mail.transport import Message
from tests.conftest import on_sqlite

pytestmark = on_sqlite
TO = "ann@northstrait.example"
WITH_A_NAME: list[Callable[[str], Message]] = [
    lambda name: mails.recovery(TO, name, "token"),
    lambda name: mails.locked(TO, name),
    lambda name: mails.password_changed(TO, name),
    lambda name: mails.factor_added(TO, name, name),
    lambda name: mails.factor_removed(TO, name, name),
    lambda name: mails.factors_reset(TO, name),
    lambda name: mails.recovery_codes_made(TO, name),
    lambda name: mails.recovery_code_used(TO, name, 3),
    lambda name: mails.wrong_codes(TO, name),
    lambda name: mails.invited_already(TO, name),
    lambda name: mails.recovery_by_admin(TO, name, "token"),
    lambda name: mails.new_device(TO, name, "Firefox on Linux", datetime(2026, 11, 3, 8, 5), "203.0.113.0/24"),
    lambda name: mails.role_changed(TO, name, "manager"),
    lambda name: mails.deactivated(TO, name),
    lambda name: mails.reactivated(TO, name),
    lambda name: mails.email_change_requested(TO, name, "new@northstrait.example"),
    lambda name: mails.email_changed(TO, name, "new@northstrait.example"),
]
NAMES = [
    "<script>alert(1)</script>",
    'O\'Neil "Q" & Söhne &amp;',
    "👩‍🚀",
    "علي",
    "{{ 7 * 7 }} {% raw %} ${1 + 1}",
    "A" * 5000,
]
TOKENS = ["plain-Token_1", "\"'><b>&amp;", "é👍 +/?#"]


class Page(HTMLParser):
    """What a reader sees of a message's HTML, and what it is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(html.partition("</head>")[2])
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.words += data.split()


@pytest.mark.parametrize("message_to", WITH_A_NAME)
@pytest.mark.parametrize("name", ["", "Ann", *NAMES], ids=range(2 + len(NAMES)))
def test_text_and_html_parts_have_the_same_words(message_to: Callable[[str], Message], name: str) -> None:
    message = message_to(name)
    # The text has a colon where the HTML has a button.
    assert Page(message.html).words == message.text.replace(":\n", "\n").split()


@pytest.mark.parametrize("message_to", WITH_A_NAME)
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_are_escaped_in_html(message_to: Callable[[str], Message], name: str) -> None:
    assert Page(message_to(name).html).tags == Page(message_to("Ann").html).tags


@pytest.mark.parametrize("message_to", WITH_A_NAME)
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_are_not_escaped_in_text(message_to: Callable[[str], Message], name: str) -> None:
    assert message_to(name).text.startswith(f"Hello {name},\n\n")


@pytest.mark.parametrize(
    "message_to",
    [
        mails.verification,
        lambda to, token: mails.recovery(to, "Ann", token),
        lambda to, token: mails.invitation(to, "Ann Lim", "manager", token),
        mails.email_change,
        lambda to, token: mails.recovery(to, "Ann", token),
        lambda to, token: mails.recovery_by_admin(to, "Ann", token),
    ],
)
@pytest.mark.parametrize("token", TOKENS)
def test_the_html_button_and_the_text_have_the_same_link(message_to: Callable[[str, str], Message], token: str) -> None:
    message = message_to(TO, token)
    (link,) = Page(message.html).links
    assert link in message.text.splitlines()
    assert parse_qs(urlsplit(link).query) == {"token": [token]}


@pytest.mark.spec("INV-1")
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_the_name_of_the_inviting_person_is_escaped(name: str) -> None:
    message = mails.invitation(TO, name, "employee", "token")
    assert Page(message.html).words == message.text.replace(":\nhttp", "\nhttp").split()
    assert Page(message.html).tags == Page(mails.invitation(TO, "Ann", "employee", "token").html).tags


def test_everything_in_the_html_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "<b>\"Smith\"</b> & 'Sons'"
    monkeypatch.setattr(mails, "BRAND", replace(mails.BRAND, legal_name=odd, email=odd))
    message = mails.staff_mail(TO, odd, odd, [odd], (odd, odd), [odd])
    page = Page(message.html)
    assert "b" not in page.tags
    assert page.links == [odd]
    assert "".join(page.words).count("".join(odd.split())) == message.text.count(odd) == 7
    assert "<title>&lt;b&gt;" in message.html
