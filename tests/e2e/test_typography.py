"""Typographic signs on every public page; only texts that are prescribed word for word have plain ones."""

import re
from html.parser import HTMLParser

from advisory_site import routes
from tests.e2e.conftest import Site
from tests.e2e.demo_firm import records
from tests.support.fetch import fetch
from tests.support.public_pages import STATIC

PRESCRIBED = {"Let's Scale Your Vision", "3-12 months", "4-6 weeks", "1-2 sessions"}
# Apostrophes, quotation marks, three full stops, and a hyphen between two numbers, but not in a unit number as #04-02.
PLAIN = re.compile(r"""['"]|\.\.\.|(?<![\w#+-])\d+ ?-{1,2} ?\d""")
READ_ALOUD = {"alt", "aria-label", "placeholder", "title"}


class Texts(HTMLParser):
    """Collects what a page shows and what screen readers read of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._skipped = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped = tag in ("script", "style")
        is_description = ("name", "description") in attrs
        self.found += [
            text or "" for name, text in attrs if name in READ_ALOUD or (is_description and name == "content")
        ]

    def handle_endtag(self, tag: str) -> None:
        self._skipped = False

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.found.append(data)


def pages_of_records() -> list[str]:
    """The pages of the demo firm's public records."""
    return [
        *(routes.company_page(r["slug"]) for r in records("companies") if r.get("status", "Active") == "Active"),
        *(routes.team_profile_page(r["slug"]) for r in records("team_members") if r.get("is_active", True)),
        *(routes.advisor_page(r["slug"]) for r in records("advisors") if r.get("is_active", True)),
    ]


def test_straight_quotes_and_dashes_occur_only_in_listed_texts(site: Site) -> None:
    plain: set[str] = set()
    paths = STATIC + pages_of_records()
    for path in paths:
        texts = Texts(fetch(site.url + path).text).found
        assert len(texts) > 50, path
        plain |= {text for text in texts if PLAIN.search(text)}
    assert len(paths) > 40
    assert plain == PRESCRIBED
