"""Finds in a page the texts that staff can change, and puts an element around each, for the frame of the back office.

`ui/js/words.js` marks them where they are rendered: U+E000, the name of the marks, the number of the text, U+E001, the
text, U+E002. The name is random, so that no record of the page can have such marks in its own text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

from ...base.text import text_name

# A title and an attribute have no elements in them.
_NO_ELEMENTS = re.compile(r"<title>.*?</title>|<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.S)
_COMMENT, _SPOKEN = "<!--", 'class="visually-hidden"'
_DESCRIPTION = re.compile(r'<meta\b[^>]*\bname="description"')


@dataclass(frozen=True)
class MarkedHtml:
    """The HTML, and the originals of its texts in reading order.

    `title` and `description` are the originals of what a search result shows; empty for those that staff cannot change.
    `is_shown` says of each original whether the page shows it, or has it only in its head, an attribute or a part that
    it does not show now, as headings for screen readers. `spoken_after` has the text that each of those completes that
    are in a span for screen readers.
    """

    html: str
    is_shown: dict[str, bool]
    title: str = ""
    description: str = ""
    spoken_after: dict[str, str] = field(default_factory=dict)


def read_marks(html: str, asked: Sequence[str], marks: str = "") -> MarkedHtml:
    """The page with its texts in spans, each with the name of its original; texts that it does not show come last.

    `marks` is the name of the marks with which it was rendered.
    """
    numbers = "|".join(map(str, range(len(asked))))
    pattern = re.compile(f"\ue000{marks}({numbers})\ue001([^\ue002]*)\ue002")
    is_shown: dict[str, bool] = {}
    head: dict[str, str] = {}
    named: set[str] = set()

    def span(marked: re.Match[str]) -> str:
        original = asked[int(marked[1])]
        is_shown[original] = True
        name = text_name(original)
        # Links lead to the first place of a text.
        anchor = "" if name in named else f' id="text-{name}"'
        named.add(name)
        return f'<span data-text="{name}"{anchor}>{marked[2]}</span>'

    def unmarked(marked: re.Match[str]) -> str:
        is_shown.setdefault(asked[int(marked[1])], False)
        return marked[2]

    parts, end = [], 0
    spoken_after: dict[str, str] = {}
    before, spoken = "", ""
    for tag in _NO_ELEMENTS.finditer(html):
        text = html[end : tag.start()]
        alone = ""
        if spoken and (marked := pattern.search(text)):
            original = asked[int(marked[1])]
            if spoken.startswith("<span"):
                spoken_after[original] = before
            elif original not in is_shown:
                alone = original
        before = unescape(pattern.sub(r"\2", text)).strip() or before
        if not tag[0].startswith(_COMMENT):
            spoken = tag[0] if _SPOKEN in tag[0] else ""
        is_description = _DESCRIPTION.match(tag[0])
        if (is_description or tag[0].startswith("<title>")) and (marked := pattern.search(tag[0])):
            head["description" if is_description else "title"] = asked[int(marked[1])]
        parts += [pattern.sub(span, text), pattern.sub(unmarked, tag[0])]
        if alone:
            is_shown[alone] = False
        end = tag.end()
    parts.append(pattern.sub(span, html[end:]))
    # A closed branch asks for its texts too.
    hidden = {original: False for original in asked if original not in is_shown}
    return MarkedHtml("".join(parts), is_shown | hidden, **head, spoken_after=spoken_after)
