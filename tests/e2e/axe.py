"""What axe-core finds on a page, at each width and in each theme."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.conftest import Theme, wait_until_painted

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
LAPTOP, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=360, height=800)
THEMES: tuple[Theme, ...] = get_args(Theme)
# The one rule whose result depends on colours.
CONTRAST = "color-contrast"


def serious_findings(page: Page, only: Sequence[str] = ()) -> list[str]:
    """What axe-core calls serious or critical, as readable lines; no colour changes by degrees while it looks."""
    if not page.evaluate("'axe' in window"):
        page.add_style_tag(content="*, ::before, ::after { transition: none !important; animation: none !important }")
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"]} | ({"runOnly": only} if only else {})
    result: dict[str, Any] = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{found['id']}: {found['help']} at {[node['target'] for node in found['nodes']][:3]}"
        for found in result["violations"]
        if found["impact"] in ("serious", "critical")
    ]


def findings_by_theme(page: Page) -> list[str]:
    """The findings in both themes; in the dark one, only the contrast of colours is new."""
    first, other = THEMES
    _set_theme(page, other)
    found = [f"{other}: {one}" for one in serious_findings(page, only=[CONTRAST])]
    _set_theme(page, first)
    return found + serious_findings(page)


def findings_by_width(page: Page, within: Locator | None = None) -> list[str]:
    """The findings on a laptop and on a phone in both themes, and whether the page, or a part of it, scrolls sideways.

    The page is loaded once, and has the width of a phone afterwards.
    """
    found = []
    for size in (LAPTOP, PHONE):
        width = size["width"]
        page.set_viewport_size(size)
        wait_until_painted(page)
        found += [f"{width}: {one}" for one in findings_by_theme(page)]
        for part in filter(None, (page.locator("html"), within)):
            if part.evaluate("part => part.scrollWidth > part.clientWidth"):
                found.append(f"{width}: {part} scrolls sideways")
    return found


def _set_theme(page: Page, theme: Theme) -> None:
    page.emulate_media(color_scheme=theme)
    expect(page.locator("html")).to_have_css("color-scheme", theme)
