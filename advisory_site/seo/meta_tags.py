"""What machines read in the head of a page: its one address, its card for shared links, its structured data."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

JsonLd = dict[str, Any]

CARD = "/images/og.png"
CARD_SIZE = (1200, 630)
# Networks that show cards read these kinds of pictures; a drawing (SVG) is none of them.
_PHOTO = (".png", ".jpg", ".jpeg", ".webp")


@dataclass(frozen=True, slots=True)
class PageContext:
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
class PageMeta:
    """What a page adds: its kind, a picture of its own, and the things it tells of in schema.org's words."""

    kind: str = "website"
    image: str = ""
    graph: list[JsonLd] = field(default_factory=list)


PageMetaBuilder = Callable[[PageContext], PageMeta]


def head_tags(context: PageContext, meta: PageMeta, site_name: str) -> str:
    """The tags, to be put at the end of a page's head."""
    own = meta.image if meta.image.lower().endswith(_PHOTO) else ""
    image = own if own.startswith("http") else context.origin + (own or CARD)
    properties = {
        "og:type": meta.kind,
        "og:site_name": site_name,
        "og:locale": "en_SG",
        "og:title": context.title,
        "og:description": context.description,
        "og:url": context.url,
        "og:image": image,
    }
    if not own:
        properties |= {"og:image:width": str(CARD_SIZE[0]), "og:image:height": str(CARD_SIZE[1])}
        properties["og:image:alt"] = site_name
    names = {
        "twitter:card": "summary_large_image",
        "twitter:title": context.title,
        "twitter:description": context.description,
    }
    return "".join(
        [
            f'<link rel="canonical" href="{escape(context.url)}">',
            *(f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()),
            *(f'<meta name="{name}" content="{escape(value)}">' for name, value in names.items()),
            _json_ld_script(meta.graph),
        ]
    )


def _json_ld_script(graph: list[JsonLd]) -> str:
    """A block of data. Nothing in it can end the block: every '<' is written as its code."""
    document = {"@context": "https://schema.org", "@graph": [without_blanks(thing) for thing in graph]}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def without_blanks(thing: JsonLd) -> JsonLd:
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
