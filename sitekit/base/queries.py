"""Queries of public addresses: how long they may be, and what campaigns add to them."""

import re

MOST_CHARACTERS = 1_000  # of a query
# The start of a parameter that mailings, advertisements and social networks add; so also in `deploy/varnish.vcl`.
CAMPAIGN = "^(?:(?:utm|mc)_[^=]*|fbclid|gclid|msclkid|li_fat_id|igshid)(?:=|$)"
_CAMPAIGN = re.compile(CAMPAIGN, re.IGNORECASE)


def without_campaign(query: str) -> str:
    """A query without what campaigns add, otherwise as it is; an overlong one stays, because no page has it."""
    if len(query) > MOST_CHARACTERS:
        return query
    return "&".join(pair for pair in query.split("&") if not _CAMPAIGN.match(pair))
