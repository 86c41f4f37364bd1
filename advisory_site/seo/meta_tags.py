"""What machines read in the head of a page: its one address, its card for shared links, its structured data."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

Thing = dict[str, Any]

CARD = "/images/og.png"
CARD_SIZE = (1200, 630)
# Networks that show cards read these kinds of pictures; a drawing (SVG) is none of them.
_PHOTO = (".png", ".jpg", ".jpeg", ".webp")


@dataclass(frozen=True, slots=True)
class PageText:
    """A rendered page as machines know it so far: where it is, what it says of itself, what it was made from."""

    origin: str
    path: str
    title: str
    description: str
    vars: Mapping[str, Mapping[str, Any]]

    @property
    def url(self) -> str:
        """The one address of the page."""
        return self.origin + self.path

    def var(self, state: str, name: str) -> Any:
        """A var of a state, by the state's full name; None where it has its default."""
        return self.vars.get(state, {}).get(f"{name}_rx_state_")


@dataclass(frozen=True, slots=True)
class Description:
    """What a page adds: its kind, a picture of its own, and the things it tells of in schema.org's words."""

    kind: str = "website"
    image: str = ""
    things: list[Thing] = field(default_factory=list)


Describe = Callable[[PageText], Description]


def head_tags(text: PageText, described: Description, site_name: str) -> str:
    """The tags, to be put at the end of a page's head."""
    own = described.image if described.image.lower().endswith(_PHOTO) else ""
    image = own if own.startswith("http") else text.origin + (own or CARD)
    properties = {
        "og:type": described.kind,
        "og:site_name": site_name,
        "og:locale": "en_SG",
        "og:title": text.title,
        "og:description": text.description,
        "og:url": text.url,
        "og:image": image,
    }
    if not own:
        properties |= {"og:image:width": str(CARD_SIZE[0]), "og:image:height": str(CARD_SIZE[1])}
        properties["og:image:alt"] = site_name
    names = {
        "twitter:card": "summary_large_image",
        "twitter:title": text.title,
        "twitter:description": text.description,
    }
    return "".join(
        [
            f'<link rel="canonical" href="{escape(text.url)}">',
            *(f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()),
            *(f'<meta name="{name}" content="{escape(value)}">' for name, value in names.items()),
            _structured_data(described.things),
        ]
    )


def _structured_data(things: list[Thing]) -> str:
    """A block of data. Nothing in it can end the block: every '<' is written as its code."""
    graph = {"@context": "https://schema.org", "@graph": [without_blanks(thing) for thing in things]}
    text = json.dumps(graph, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def without_blanks(thing: Thing) -> Thing:
    """The thing without what it has no value for, in things within it too."""
    kept = {}
    for name, value in thing.items():
        if isinstance(value, dict):
            value = without_blanks(value)
            if not value.keys() - {"@type"}:
                continue
        elif isinstance(value, list):
            value = [without_blanks(item) if isinstance(item, dict) else item for item in value if item]
        if value not in ("", None, []):
            kept[name] = value
    return kept
