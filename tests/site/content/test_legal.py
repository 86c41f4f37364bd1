"""The legal pages say what a Singapore firm must say, and what this site really keeps."""

from collections.abc import Iterable
from types import ModuleType

import pytest

from advisory_site.content import privacy, terms
from advisory_site.content.firm import FIRM
from sitekit.ui.copy import Passage
from tests.support.each import check_each


def prose(passages: Iterable[Passage]) -> str:
    return " ".join(text for passage in passages for text in passage.paragraphs + passage.bullets)


@pytest.mark.spec("LAY-5")
def test_the_privacy_policy_mentions_each_required_topic() -> None:
    def check(words: str) -> None:
        assert words in prose(privacy.PASSAGES)

    cases = [
        "Personal Data Protection Act 2012",
        "Data Protection Officer",
        "Personal Data Protection Commission",
        "outside Singapore",
        "Withdraw your consent",
        "Correct what is wrong",
        "no analytics service",
        FIRM.privacy_email,
        FIRM.registration_number,
    ]
    check_each(cases, check)


@pytest.mark.spec("LAY-5")
def test_the_privacy_policy_names_each_record_with_purpose_and_retention() -> None:
    assert {row.title for row in privacy.STORED} >= {
        "Contact enquiries",
        "Staff accounts",
        "Staff sessions",
        "Server logs",
    }
    assert len(privacy.STORED_COLUMNS) == 4
    assert all(row.contents and row.purpose and row.kept for row in privacy.STORED)


@pytest.mark.spec("LAY-5")
def test_the_terms_mention_each_required_topic() -> None:
    def check(words: str) -> None:
        assert words in prose(terms.PASSAGES)

    cases = [
        "law of Singapore",
        "not investment",
        "Monetary Authority of Singapore",
        "Financial Advisers Act 2001",
        "written permission",
        "not liable",
        "We may change these terms",
    ]
    check_each(cases, check)


@pytest.mark.spec("LAY-5")
@pytest.mark.parametrize("page", [privacy, terms], ids=["privacy", "terms"])
def test_each_passage_has_a_unique_anchor(page: ModuleType) -> None:
    anchors = [passage.anchor for passage in page.PASSAGES]
    assert all(anchors)
    assert len(set(anchors)) == len(anchors)
