"""Judges whether an enquiry is spam, from what it says and how it came. From two reasons on it is."""

import re
from collections.abc import Sequence
from datetime import timedelta

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import now
from sitekit.base.text import is_mailable

from .form import EnquiryData
from .models import columns

QUICKEST = 3_000  # ms from the first focus to sending
MOST_LINKS = 5
MOST_SENDERS = 2  # other addresses with the same text
ENOUGH = 2

QUICK, LINKS, REPEATED, UNMAILABLE = "quick", "links", "repeated", "unmailable"
REASONS = {
    QUICK: "It was sent within 3 seconds of the first click.",
    LINKS: f"It has more than {MOST_LINKS} links.",
    REPEATED: "The same text came from three addresses within a day.",
    UNMAILABLE: "No email can be sent to its address.",
}
# The whole of each, in the characters that addresses have, so that an address within another one is not counted.
_LINK = re.compile(r"(?:https?://|\bwww\.)[\w.~:/?#@!$&*+=%-]*", re.IGNORECASE | re.ASCII)


def reasons(session: Session, data: EnquiryData, elapsed: object) -> list[str]:
    """Why an enquiry may be spam; `elapsed` is the time that filling in the form took in ms, as the browser reports."""
    tests = {
        QUICK: _is_quick(elapsed),
        LINKS: len(_LINK.findall(data.message)) > MOST_LINKS,
        REPEATED: _is_repeated(session, data),
        UNMAILABLE: not is_mailable(data.email),
    }
    return [reason for reason, holds in tests.items() if holds]


def is_spam(found: Sequence[str]) -> bool:
    """Whether these reasons are enough."""
    return len(found) >= ENOUGH


def in_words(found: object) -> list[str]:
    """Each of the stored reasons as a sentence."""
    return [REASONS[reason] for reason in found if reason in REASONS] if isinstance(found, list) else []


def _is_quick(elapsed: object) -> bool:
    text = elapsed if isinstance(elapsed, str) else ""
    return text.isascii() and text.isdigit() and int(text.lstrip("0")[:9] or 0) < QUICKEST


def _is_repeated(session: Session, data: EnquiryData) -> bool:
    same = sa.and_(columns.created_at > now() - timedelta(days=1), columns.message == data.message)
    sender = sa.func.lower(columns.email)
    others = sa.select(sa.func.count(sa.distinct(sender))).where(same, sender != data.email.lower())
    return bool(session.execute(others).scalar_one() >= MOST_SENDERS)
