"""Atom feeds: every text that may be typed is XML that readers accept."""

from xml.etree import ElementTree

import pytest

from sitekit.base.text import clean_text
from sitekit.server.seo.atom import Feed, FeedEntry, atom

URL = "https://firm.example"
WHEN = "2026-11-28T00:00:00Z"


@pytest.mark.spec("NEWS-5")
def test_a_feed_can_be_read_with_each_character_that_may_be_typed() -> None:
    typed = "".join(clean_text(f"a{chr(number)}") for number in range(0x10000))
    entry = FeedEntry("tag:1", typed, URL, WHEN, WHEN, typed, typed, typed, [typed])
    root = ElementTree.fromstring(atom(Feed(URL, URL, typed, typed, "", [entry])))
    assert root.findtext("{*}title") == typed
