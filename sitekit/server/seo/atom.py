"""Atom feeds (RFC 4287)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from ..ssr.content_version import VersionSource
from .last_read import LastRead
from .meta_tags import ATOM

_NAMESPACE = "http://www.w3.org/2005/Atom"
# Texts that were stored before such characters were removed may have some.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class FeedEntry:
    """One article of a feed. Its `id` never changes; `published` and `updated` are times of RFC 3339."""

    id: str
    title: str
    url: str
    published: str
    updated: str
    author: str
    summary: str
    html: str
    topics: Sequence[str] = ()


@dataclass(frozen=True)
class Feed:
    """A feed with its newest entries first; `url` is its own address, `page` that of the list it follows."""

    url: str
    page: str
    title: str
    author: str
    empty_since: str  # when it was updated last while it has no entry
    entries: Sequence[FeedEntry]


class AtomFeed(LastRead):
    """The endpoint of a feed; `read` reads it from the database."""

    subject, media_type = "The feed", f"{ATOM}; charset=utf-8"

    def __init__(self, read: Callable[[], Feed], versions: VersionSource) -> None:
        super().__init__(versions)
        self._read = read

    def text(self) -> str:
        """The XML document."""
        return atom(self._read())


def atom(feed: Feed) -> str:
    """The XML document of a feed."""
    root = Element("feed", {"xmlns": _NAMESPACE, "xml:lang": "en"})
    updated = max((entry.updated for entry in feed.entries), default=feed.empty_since, key=datetime.fromisoformat)
    _add(root, {"id": feed.url, "title": feed.title, "updated": updated})
    SubElement(root, "link", rel="self", type=ATOM, href=feed.url)
    SubElement(root, "link", rel="alternate", type="text/html", href=feed.page)
    _add(SubElement(root, "author"), {"name": feed.author})
    for entry in feed.entries:
        element = SubElement(root, "entry")
        _add(element, {"id": entry.id, "title": entry.title, "published": entry.published, "updated": entry.updated})
        SubElement(element, "link", rel="alternate", type="text/html", href=entry.url)
        _add(SubElement(element, "author"), {"name": entry.author or feed.author})
        for topic in entry.topics:
            SubElement(element, "category", term=topic)
        _add(element, {"summary": entry.summary} if entry.summary else {})
        SubElement(element, "content", type="html").text = entry.html
    document = '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"
    return _FORBIDDEN.sub("", document)


def _add(to: Element, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        SubElement(to, name).text = text
