"""What a record type costs outside its own folder, counted for articles: the places and lines that name them."""

import re
from collections import Counter
from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "advisory_site"
# `rx.el.article` is an element of HTML, and a particle a part of a name.
NAMES = re.compile(r"(?<!el\.)(?<!p)article|insight", re.IGNORECASE)
MOST_LINES = 150
# Where each record type is registered and has its addresses and its permission.
OF_EACH_TYPE = {"advisory_site.py", "dashboard/tabs.py", "features.py", "permissions.py", "routes.py"}
# Other pages that show articles or lead to them.
SHOWN = {
    "advisors/public.py",
    "advisors/views.py",
    "companies/public.py",
    "companies/views.py",
    "content/layout.py",
    "enquiries/source.py",
    "pages/case_opening.py",
    "pages/home.py",
    "pages/testimonial_views.py",
    "team/public.py",
    "team/views.py",
}


@pytest.mark.spec("NEWS-10")
def test_articles_are_named_in_few_places_and_lines_outside_their_folder() -> None:
    lines = Counter[str]()
    for path in SITE.rglob("*.py"):
        place = path.relative_to(SITE)
        if place.parts[0] != "articles":
            lines[place.as_posix()] += sum(bool(NAMES.search(line)) for line in path.read_text("utf-8").splitlines())
    assert set(+lines) == OF_EACH_TYPE | SHOWN
    assert lines.total() <= MOST_LINES
