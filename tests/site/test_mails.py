"""Every mail of the site, through a strict mail server."""

import importlib
import inspect
import string
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from advisory_site.enquiries.models import Enquiry
from sitekit.accounts.mails import StaffMail
from sitekit.base.mail import transport
from sitekit.base.mail.transport import Message
from tests.conftest import ROOT, use
from tests.support.strict_smtp import strict_server

# What servers mind: other letters, long lines, lines that begin with "From " or a dot.
TYPED = "Zoë’s “Söhne”, 银行 🚀\nFrom now on\n.\n" + "a long line " * 200
ENQUIRY = Enquiry(
    id=7, submission_id="7", first_name="Zoë", last_name="陈", email="ann@example.com", stage="", message=TYPED
)
AT = datetime(2026, 11, 3, 8, 5, tzinfo=UTC)
BY_NAME = {"email": "ann@example.com", "thread": "<first@northstrait.example>", "role": "manager"}
BY_TYPE: dict[Any, Any] = {
    **{str: TYPED, int: 3, bool: True, datetime: AT, datetime | None: AT},
}
SUBMITTED = {"reply": None, "acknowledgement": "auto-replied"}  # all others: auto-generated


def mails() -> dict[str, Callable[..., Message]]:
    """The public functions that make a mail, and the tables of texts of those that need no function."""
    found: dict[str, Callable[..., Message]] = {}
    for path in (path for folder in ("advisory_site", "sitekit") for path in (ROOT / folder).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "mail.transport import Message\n" in source or "mails import StaffMail\n" in source:
            module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            found |= {
                name: value for name, value in vars(module).items() if not name.startswith("_") and _is_mail(value)
            }
    return found


def _is_mail(value: object) -> bool:
    is_function = inspect.isfunction(value) and value.__annotations__.get("return") is Message
    return is_function or isinstance(value, StaffMail)


def example(mail: Callable[..., Message]) -> Message:
    """A mail about what people type."""
    if isinstance(mail, StaffMail):
        texts = " ".join((mail.subject, *mail.before, *mail.action, *mail.after))
        facts = {name for _, name, _, _ in string.Formatter().parse(texts) if name} - {"firm", "site"}
        return mail(BY_NAME["email"], TYPED, **dict.fromkeys(facts, TYPED))
    parameters = inspect.signature(mail).parameters.values()
    return mail(*(BY_NAME.get(one.name) or BY_TYPE.get(one.annotation, ENQUIRY) for one in parameters))


@pytest.mark.spec("ENQ-9", "AUTH-7")
def test_a_strict_server_takes_every_mail_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = []
    with strict_server() as server:
        use(monkeypatch, tmp_path, **server.settings())
        for name, mail in mails().items():
            message = example(mail)
            try:
                transport.send(message)
            except transport.MailError as error:
                wrong.append(f"{name}: {error.reason}")
                continue
            received = server.messages[-1]
            if received["Auto-Submitted"] != SUBMITTED.get(name, "auto-generated"):
                wrong.append(f"{name}: {received['Auto-Submitted']}")
            for subtype, text in (("plain", message.text), ("html", message.html)):
                part = received.get_body((subtype,))
                if (part.get_content().splitlines() if part else []) != text.splitlines():
                    wrong.append(f"{name}: the {subtype} text is another one")
    assert not wrong, "\n".join(wrong)
    assert len(server.messages) >= 30
