"""What axe-core finds on a page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"


def serious_findings(page: Page) -> list[str]:
    """What axe-core calls serious or critical, as readable lines; no colour changes by degrees while it looks."""
    page.add_style_tag(content="*, ::before, ::after { transition: none !important; animation: none !important }")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{found['id']}: {found['help']} at {[node['target'] for node in found['nodes']][:3]}"
        for found in result["violations"]
        if found["impact"] in ("serious", "critical")
    ]
