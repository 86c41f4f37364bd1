"""The messages of accounts: text and HTML say the same, and nothing in them becomes markup."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest

from sitekit.accounts import mails
from sitekit.accounts.mails import StaffMail
from sitekit.base.mail.transport import Message
from tests.conftest import on_sqlite

pytestmark = on_sqlite
TO = "ann@northstrait.example"
AT = datetime(2026, 11, 3, 8, 5)
FACTS = {"role": "manager", "new_email": "new@northstrait.example", "most": 50, "things": "records"}
FACTS |= {"who": "Mei Lim", "did": "published", "when": "", "page": "/admin"}
WITH_A_NAME: list[Callable[[str], Message]] = [
    *(
        lambda name, mail=mail: mail(TO, name, factor=name, name=name, **FACTS)
        for public, mail in vars(mails).items()
        if isinstance(mail, StaffMail) and not public.startswith("_")
    ),
    lambda name: mails.invitation(TO, "Ann Lim", "manager", "token", name),
    lambda name: mails.recovery_code_used(TO, name, 3),
    lambda name: mails.new_device(TO, name, "Firefox on Linux", AT, "203.0.113.0/24"),
    lambda name: mails.backup_overdue(TO, name, AT),
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


def words_of(text: str) -> list[str]:
    """The words of a message's text, which has a colon where the HTML has a button."""
    return text.replace(":\n", "\n").split()


def test_text_and_html_parts_have_the_same_words() -> None:
    messages = [message_to(name) for message_to in WITH_A_NAME for name in ("", "Ann", *NAMES)]
    wrong = [one.text for one in messages if Page(one.html).words != words_of(one.text)]
    assert not wrong, "\n\n".join(wrong)


def test_names_are_escaped_in_html_and_not_in_text() -> None:
    wrong = []
    for message_to in WITH_A_NAME:
        tags = Page(message_to("Ann").html).tags
        for name in NAMES:
            message = message_to(name)
            if Page(message.html).tags != tags or not message.text.startswith(f"Hello {name},\n\n"):
                wrong.append(f"{message.subject}: {name[:40]}")
    assert not wrong, "\n".join(wrong)


def test_the_html_button_and_the_text_have_the_same_link() -> None:
    with_a_link: list[Callable[[str], Message]] = [
        lambda token: mails.VERIFICATION(TO, token=token),
        lambda token: mails.RECOVERY(TO, "Ann", token=token),
        lambda token: mails.invitation(TO, "Ann Lim", "manager", token),
        lambda token: mails.EMAIL_CHANGE(TO, token=token),
        lambda token: mails.RECOVERY_BY_ADMIN(TO, "Ann", token=token),
    ]
    wrong = []
    for message_to in with_a_link:
        for token in TOKENS:
            message = message_to(token)
            (link,) = Page(message.html).links
            if link not in message.text.splitlines() or parse_qs(urlsplit(link).query) != {"token": [token]}:
                wrong.append(f"{message.subject}: {link}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("INV-1")
def test_the_name_of_the_inviting_person_is_escaped() -> None:
    tags = Page(mails.invitation(TO, "Ann", "employee", "token").html).tags
    wrong = []
    for name in NAMES:
        message = mails.invitation(TO, name, "employee", "token")
        page = Page(message.html)
        if page.words != words_of(message.text) or page.tags != tags:
            wrong.append(f"{name[:40]}: {page.tags}")
    assert not wrong, "\n".join(wrong)


def test_everything_in_the_html_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "<b>\"Smith\"</b> & 'Sons'"
    monkeypatch.setattr(mails, "BRAND", replace(mails.BRAND, legal_name=odd, email=odd))
    message = StaffMail(odd, (odd,), (odd, odd), (odd,))(TO, odd)
    page = Page(message.html)
    assert "b" not in page.tags
    assert page.links == [odd]
    assert "".join(page.words).count("".join(odd.split())) == message.text.count(odd) == 7
    assert "<title>&lt;b&gt;" in message.html
