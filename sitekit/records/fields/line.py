"""One line of text, also one that must obey a rule: page addresses, emails, web addresses, years."""

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any

from ...base import messages
from ...base.text import is_email, is_head_count, is_slug, is_web_url, is_year, one_line, web_url
from ..form_fields import LONG, SHORT, read_text
from .changes import ALIKE, Cell, by_word, likeness, words_of
from .field_type import FieldType

LONGEST_URL = 2_000
# A host with a dot, as people type and copy it, and what follows.
_WITHOUT_SCHEME = re.compile(r"(?://)?(?P<rest>(?:[\w-]+\.)+[^\W\d_][\w-]*\.?(?::\d+)?(?:[/?#].*)?)")


@dataclass(frozen=True, eq=False)
class LineField(FieldType):
    """One line of text. `rule` is the check that a text has to pass, with the message for one that does not.

    `attributes` are those of the input. The history shows a text without any by word, if most of it stays.
    """

    _: KW_ONLY
    limit: int = SHORT
    rule: tuple[Callable[[str], bool], str] | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def read(self, value: object) -> str:
        text = read_text(one_line, self.limit, value)
        if text and self.rule and not self.rule[0](text):
            raise ValueError(self.rule[1])
        return text

    def difference(self, name: str, label: str, before: str, after: str) -> Cell:
        if self.attributes or likeness(words_of(before), words_of(after)) < ALIKE:
            return super().difference(name, label, before, after)
        return by_word(name, label, before, after)


class WebUrlField(LineField):
    """The address of a page, to which visitors get a link; https:// is added to one without a scheme."""

    def read(self, value: object) -> str:
        bare = _WITHOUT_SCHEME.fullmatch(one_line(value))
        return super().read(f"https://{bare['rest']}" if bare else value)

    def public(self, value: str | None) -> str:
        return web_url(value)


Line = Annotated[str, LineField()]
LongLine = Annotated[str, LineField(limit=LONG)]
Year = Annotated[str, LineField(rule=(is_year, messages.YEAR_INVALID))]
HeadCount = Annotated[str, LineField(rule=(is_head_count, messages.HEAD_COUNT_INVALID))]
Slug = Annotated[
    str,
    LineField(rule=(is_slug, messages.SLUG_INVALID), attributes={"auto_complete": "off", "spell_check": False}),
]
Email = Annotated[
    str,
    LineField(rule=(is_email, messages.EMAIL_INVALID), attributes={"type_": "email", "auto_complete": "off"}),
]
Phone = Annotated[str, LineField(attributes={"type_": "tel"})]
WEB_URL = WebUrlField(limit=LONGEST_URL, rule=(is_web_url, messages.URL_INVALID), attributes={"type_": "url"})
WebUrl = Annotated[str, WEB_URL]
