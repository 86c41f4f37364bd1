"""The tags in the head of a page for search engines and shared links: canonical URL, Open Graph, JSON-LD."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Any

from ..ssr.routing import NOT_FOR_INDEXES
from ..ssr.routing import PageContext as PageContext

JsonLd = dict[str, Any]

ATOM = "application/atom+xml"

CARD = "/images/og.png"
CARD_SIZE = (1200, 630)
# The image types that social networks show on cards; SVG is not among them.
_PHOTO = (".png", ".jpg", ".jpeg", ".webp")


@dataclass(frozen=True, slots=True)
class PageMeta:
    """The meta data of a page: Open Graph type, image, and JSON-LD; the path of a feed that it announces.

    A page that is not indexed has nothing else.
    """

    kind: str = "website"
    image: str = ""
    feed: str = ""
    is_indexed: bool = True
    graph: list[JsonLd] = field(default_factory=list)


PageMetaBuilder = Callable[[PageContext], PageMeta]


def head_tags(build: PageMetaBuilder, site_name: str, context: PageContext) -> str:
    """The tags for the end of a page's head."""
    meta = build(context)
    if not meta.is_indexed:
        return NOT_FOR_INDEXES
    own = meta.image if re.split("[?#]", meta.image.lower())[0].endswith(_PHOTO) else ""
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
            f'<link rel="alternate" type="{ATOM}" href="{escape(meta.feed)}">' if meta.feed else "",
            _json_ld_script(meta.graph),
        ]
    )


def _json_ld_script(graph: list[JsonLd]) -> str:
    """A JSON-LD script element. Every '<' is escaped, so that no value can end the element."""
    document = {"@context": "https://schema.org", "@graph": [without_blanks(thing) for thing in graph]}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def without_blanks(thing: JsonLd) -> JsonLd:
    """The object without empty values, recursively."""
    filled = {}
    for name, value in thing.items():
        if isinstance(value, dict):
            value = without_blanks(value)
            if not value.keys() - {"@type"}:
                continue
        elif isinstance(value, list):
            value = [without_blanks(item) if isinstance(item, dict) else item for item in value if item]
        if value not in ("", None, []):
            filled[name] = value
    return filled
