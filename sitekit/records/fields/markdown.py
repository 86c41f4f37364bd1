"""Text in a subset of Markdown: what it may hold, and its HTML, which page, preview and feed share.

Headings of two levels, paragraphs, emphasis, links, lists, quotations, and pictures of the library. Anything else,
HTML too, is shown as it was typed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sqlmodel import Session

from ...base import messages, site_pages
from ...base.errors import InvalidInput
from ...base.permissions import Actor
from ...base.phone_numbers import dialable
from ...base.settings import get_settings
from ...base.text import is_email, is_web_url
from ...base.typography import typeset
from ..edits import Edit
from ..pictures import held
from ..pictures.addresses import PREFIX, Picture, file_name, key_of, sizes_of
from ..record import Publishing
from .text import TextField

_PARSER = MarkdownIt("zero").enable(["heading", "list", "blockquote", "emphasis", "link", "image", "escape", "newline"])
_TAGS = {"h2", "h3", "p", "em", "strong", "a", "ul", "ol", "li", "blockquote", "br", "img"}
_ATTRIBUTES = {
    "a": {"href", "rel"},
    "ol": {"start"},
    "img": {"src", "srcset", "sizes", "alt", "width", "height", "loading"},
}
_SCHEMES = {"https", "http", "mailto", "tel"}
# How wide a picture is shown at most; the column of text is narrower.
_SIZES = "(min-width: 48rem) 44rem, 100vw"
# Stands for what is not text while the signs of a paragraph are set.
_NO_TEXT = "\ue000"


class MarkdownField(TextField):
    """A text in Markdown. Its links to this site, and its pictures, exist when it is saved.

    `look` are the classes that it has on its page, and in the preview beside its field.
    """

    def __init__(self, look: str = "") -> None:
        super().__init__()
        self.look = look

    def read(self, value: object) -> str:
        text = super().read(value)
        for address in _addresses(text, "image"):
            if not key_of(address):
                raise ValueError(messages.MARKDOWN_PICTURE.format(address=address))
        for address in _addresses(text, "link_open"):
            if not _is_whole(address):
                raise ValueError(messages.MARKDOWN_LINK.format(address=unquote(address) or "()"))
        return text

    def prepare(self, session: Session, actor: Actor, name: str, edits: Sequence[Edit]) -> None:
        """Keep the pictures in a text from being deleted. Raises `InvalidInput` if one, or a linked page, is gone."""
        kept = held.hold(session, {key for edit in edits for key in keys_in(edit.values.get(name))})
        for row, edit in enumerate(edits):
            text = edit.values.get(name) or ""
            if keys_in(text) - kept:
                raise InvalidInput(messages.PICTURE_GONE, {name: messages.PICTURE_GONE}, row)
            for path in map(_path_here, _addresses(text, "link_open")):
                if path and not site_pages.has_page(session, path):
                    raise InvalidInput(messages.FIELDS_INVALID, {name: site_pages.missing(session, path)}, row)

    def check_shown(self, session: Session, publishing: Publishing, name: str, edits: Sequence[Edit]) -> None:
        """Refuse a picture without a description, stored or typed, that visitors did not see before."""
        for row, edit in enumerate(edits):
            before = (
                {} if edit.is_new else {column: getattr(edit.record, column) for column in (publishing.column, name)}
            )
            shown, seen = ({*_shown(publishing, name, values)} for values in (before | edit.values, before))
            if held.undescribed(session, shown - seen):
                raise InvalidInput(messages.MARKDOWN_UNDESCRIBED, {name: messages.MARKDOWN_UNDESCRIBED}, row)


def _shown(publishing: Publishing, name: str, values: Mapping[str, Any]) -> Iterator[str]:
    """The keys of the pictures that visitors see with these values and that no description was typed for."""
    if values.get(publishing.column) == publishing.public:
        yield from (key_of(address) for address, typed in _pictures(values.get(name) or "") if not typed)


def html_of(session: Session, text: str, origin: str = "") -> str:
    """The HTML of a text, with typographic signs. With an `origin`, its addresses are absolute."""
    pictures = held.pictures_with(session, keys_in(text))
    blocks = _PARSER.parse(text.replace(_NO_TEXT, ""))
    for block in blocks:
        if block.type in ("heading_open", "heading_close"):
            block.tag = "h2" if block.tag in ("h1", "h2") else "h3"
        _set_signs(block.children or [])
        for token in block.children or []:
            if token.type == "link_open":
                _complete_link(token, origin)
            elif token.type == "image":
                _complete_picture(token, pictures, origin)
    html = _PARSER.renderer.render(blocks, _PARSER.options, {})
    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel=None).strip()


def with_picture(text: str, key: str, address: str) -> str:
    """The text with the picture at an address in place of the one with this key."""
    return re.sub(rf"{PREFIX}{key}-\d+\.\w+", lambda _: address, text)


def keys_in(text: str | None) -> set[str]:
    """The keys of the pictures in a text."""
    return {key for address, _ in _pictures(text or "") if (key := key_of(address))}


def _pictures(text: str) -> Iterator[tuple[str, str]]:
    """The address of each picture in a text, with what was typed as its description."""
    for token in _tokens(text, "image"):
        yield str(token.attrGet("src")), token.content.strip()


def _addresses(text: str, kind: str) -> Iterator[str]:
    return (str(token.attrGet("src" if kind == "image" else "href")) for token in _tokens(text, kind))


def _tokens(text: str, kind: str) -> Iterator[Token]:
    return (token for block in _PARSER.parse(text) for token in block.children or [] if token.type == kind)


def _is_whole(address: str) -> bool:
    """Whether a link leads somewhere: to a host, a mailbox, a telephone, or a path of this site."""
    parts = _split(address)
    match parts.scheme:
        case "http" | "https":
            return is_web_url(f"https://{unquote(parts.netloc)}")
        case "mailto":
            return all(map(is_email, unquote(parts.path).split(",")))
        case "tel":
            return dialable(unquote(parts.path)) != ""
    return parts.scheme == "" and parts.path != "" and not address.startswith("//")


def _path_here(address: str) -> str:
    """The decoded path of a link to this site, in which an encoded slash stays encoded; empty for any other link."""
    parts, here = _split(address), urlsplit(get_settings().public_url).netloc
    is_here = parts.netloc.lower() == here if parts.scheme else not address.startswith("//")
    return "%2F".join(map(unquote, re.split("%2f", parts.path or "/", flags=re.I))) if is_here else ""


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:  # such as half of an IPv6 address
        return urlsplit("invalid:")


def _set_signs(tokens: Sequence[Token]) -> None:
    """Set apostrophes, quotation marks and dashes, also where emphasis or a link comes between."""
    texts_of = (
        token.content if token.type == "text" else "\n" if token.type == "softbreak" else "" for token in tokens
    )
    for token, text in zip(tokens, typeset(_NO_TEXT.join(texts_of)).split(_NO_TEXT), strict=False):
        if token.type == "text":
            token.content = text


def _complete_link(token: Token, origin: str) -> None:
    address = str(token.attrGet("href"))
    if not _path_here(address):
        token.attrSet("rel", "noopener")
    elif origin and address.startswith("/"):
        token.attrSet("href", origin + address)


def _complete_picture(token: Token, pictures: Mapping[str, Picture], origin: str) -> None:
    """Draw an uploaded picture in all its sizes; nothing for one that is gone."""
    key = key_of(str(token.attrGet("src")))
    picture, alt = pictures.get(key), typeset(token.content.strip())
    token.type, token.content = "text", ""
    if picture is None:
        return
    files = {width: origin + PREFIX + file_name(key, width, "webp") for width in sizes_of(picture.width)}
    attributes = {
        "src": files[max(files)],
        "srcset": ", ".join(f"{file} {width}w" for width, file in files.items()),
        "sizes": _SIZES,
        "width": max(files),
        "height": round(picture.height * max(files) / picture.width),
        "alt": alt or picture.alt,
        "loading": "lazy",
    }
    token.type = "html_inline"
    token.content = "<img {}>".format(" ".join(f'{name}="{escape(str(value))}"' for name, value in attributes.items()))
