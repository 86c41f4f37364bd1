"""The hints of forms that name a place of the public site, compared with what that place shows."""

from collections.abc import Callable
from typing import Any

import pytest
import reflex as rx

from advisory_site.advisors.service import ADVISORS
from advisory_site.advisors.views import advisor_card
from advisory_site.companies.list_views import company_row
from advisory_site.companies.service import COMPANIES
from advisory_site.team.service import MEMBERS
from advisory_site.team.views import member_card
from sitekit.records.record_type import AnyRecordType

# What the lists show, by the hints that say so.
CLAIMS: dict[str, dict[str, tuple[str, ...]]] = {
    "companies": {
        "The list shows the name, tagline, industry and country; its own page shows everything.": (
            "name",
            "tagline",
            "industry",
            "country",
        ),
    },
    "team_members": {
        "Shown on the card and on the profile.": ("picture",),
        "The bio is shown on the card, the detailed bio on the profile.": ("bio",),
    },
    "advisors": {
        "The portrait stands on the card and on the profile.": ("picture",),
        "The card shows the name and title; its own page shows everything.": ("name", "title"),
        "The bio is shown on the card, the detailed bio on the profile.": ("bio",),
    },
}
IN_A_LIST: dict[str, Callable[[Any], rx.Component]] = {
    "companies": company_row,
    "team_members": lambda card: member_card(card, 0),
    "advisors": lambda card: advisor_card(card, 0),
}


def hints(record_type: AnyRecordType) -> set[str]:
    """The texts of sections and inputs that speak of a card or of the public list."""
    texts = {text for one in record_type.fields.values() for text in (one.input.hint, one.section.text)}
    return {text for text in texts if "card" in text or "The list" in text or "in the list" in text}


@pytest.mark.spec("PUB-1", "PUB-2")
@pytest.mark.parametrize("record_type", [COMPANIES, MEMBERS, ADVISORS], ids=lambda record_type: record_type.table_name)
def test_form_hints_match_the_fields_shown_in_public_lists(record_type: AnyRecordType) -> None:
    claims = CLAIMS[record_type.table_name]
    assert hints(record_type) == set(claims)
    card = rx.Var("card", _var_type=record_type.card).guess_type()
    shown = str(IN_A_LIST[record_type.table_name](card))
    missing = [name for names in claims.values() for name in names if f'["{name}"]' not in shown]
    assert missing == []
