"""What a record type costs outside its own folder, counted for articles, and what the list of each shows."""

import re
from collections import Counter
from pathlib import Path

import pytest
import reflex as rx

from advisory_site.dashboard.tabs import TABS
from advisory_site.features import FEATURES
from sitekit.admin.record_list_state import RecordListState
from sitekit.records.record_type import AnyRecordType

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


@pytest.mark.spec("DRAFT-4")
@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("record_type", [each for each in FEATURES.record_types if each.tab], ids=lambda each: each.tab)
def test_the_list_of_each_record_type_marks_the_drafts_of_its_rows(record_type: AnyRecordType) -> None:
    [state] = (
        each
        for each in rx.State.get_substates()
        if getattr(each, "record_type", None) is record_type and issubclass(each, RecordListState)
    )
    [tab] = (tab for tab in TABS if tab.name == record_type.tab)
    assert str(state.drafts) in str(tab.content())
