"""Sections and artwork: the small decisions that are made in Python."""

import json
import re
from pathlib import Path

from advisory_site.components.artwork import contour
from advisory_site.content.firm import FIRM
from sitekit.ui.copy import NEW_TAB_NOTE, Link
from sitekit.ui.public import head
from sitekit.ui.public.links import anchor
from sitekit.ui.scripts import joined


def test_contour_lines_are_closed_and_shrink_towards_the_summit() -> None:
    shore, summit = (contour(level, (100, 100), (80, 80)) for level in (0, 0.9))
    assert shore.startswith("M")
    assert shore.endswith("z")
    assert len(shore) > len(summit)


def test_a_link_with_a_context_has_it_as_visually_hidden_text() -> None:
    link = anchor(Link("Learn More", "/why-us", context="about why founders choose us"))
    assert "about why founders choose us" in str(link)
    assert "visually-hidden" in str(link)


def test_an_external_link_opens_a_new_tab_and_says_so() -> None:
    link = str(anchor(Link("LinkedIn", "https://example.com", external=True)))
    assert 'rel:"noopener"' in link
    assert 'target:"_blank"' in link
    assert NEW_TAB_NOTE in link


def test_the_browser_theme_color_matches_the_page_background() -> None:
    css = joined(Path(__file__).parents[3] / "assets" / "site.css")
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
