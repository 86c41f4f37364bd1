"""Sections and artwork: the small decisions that are made in Python."""

import json
import re
from pathlib import Path

from advisory_site.content.firm import FIRM
from advisory_site.content.layout import NEW_TAB_NOTE
from advisory_site.content.shared import Link
from advisory_site.ui.public import head
from advisory_site.ui.public.artwork import contour
from advisory_site.ui.public.links import anchor
from advisory_site.ui.public.sections import unbroken


def test_a_hyphenated_word_in_a_title_is_kept_whole() -> None:
    before, word, after = unbroken("Scale your growth-stage venture")
    assert (before, after) == ("Scale your ", " venture")
    assert "nowrap" in str(word)


def test_a_title_without_hyphens_is_left_alone() -> None:
    assert unbroken("Why Founders Choose Us") == ["Why Founders Choose Us"]


def test_a_contour_line_is_closed_and_shrinks_towards_the_summit() -> None:
    shore, summit = (contour(level, (100, 100), (80, 80)) for level in (0, 0.9))
    assert shore.startswith("M")
    assert shore.endswith("z")
    assert len(shore) > len(summit)


def test_a_link_with_a_context_says_it_to_those_who_cannot_see_the_page() -> None:
    link = anchor(Link("Learn More", "/why-us", context="about why founders choose us"))
    assert "about why founders choose us" in str(link)
    assert "visually-hidden" in str(link)


def test_an_external_link_opens_a_new_tab_and_says_so() -> None:
    link = str(anchor(Link("LinkedIn", "https://example.com", external=True)))
    assert 'rel:"noopener"' in link
    assert 'target:"_blank"' in link
    assert NEW_TAB_NOTE in link


def test_the_browser_frame_has_the_colour_of_the_paper() -> None:
    css = (Path(__file__).parents[3] / "assets" / "site.css").read_text(encoding="utf-8")
    assert {colour in css for colour in head.PAPER.values()} == {True}


def test_every_file_that_the_head_names_exists() -> None:
    assets = Path(__file__).parents[3] / "assets"
    named = [path for part in head.head_components() for path in re.findall(r'href:"/([^"]+)"', str(part))]
    assert len(named) == 6
    assert all((assets / path).is_file() for path in named)


def test_the_web_manifest_carries_the_name_and_the_icons() -> None:
    assets = Path(__file__).parents[3] / "assets"
    manifest = json.loads((assets / "site.webmanifest").read_text(encoding="utf-8"))
    assert manifest["name"] == manifest["short_name"] == FIRM.name
    assert all((assets / icon["src"].lstrip("/")).is_file() for icon in manifest["icons"])
