"""Turns React's HTML into the page that is sent: inline styles, deferred scripts, separate state.

React hydrates the whole document, so no element that it rendered may be removed. The stylesheet's link stays but is
disabled, and the rules that the page can use are inlined; the preload stays, with a media query that never matches;
the scripts that start React stay, with a type that is not run. The loader activates them. Links may be moved, because
React looks for them in the whole document.
"""

import json
import re
from collections.abc import Sequence
from functools import cache, cached_property
from html import escape, unescape
from pathlib import Path

from ..framework.on_load import Vars
from ..http.csp import inline_scripts
from .page_state import LOADER
from .routing import NOT_FOR_INDEXES, HeadTags, PageContext
from .state_file import state_json
from .styles import Stylesheet, UnevenStyles

_PRELOADED_STYLE = re.compile(r'<link as="style"(?P<rest>[^>]* rel="preload"[^>]*)/>')
_STYLESHEET = re.compile(r'<link href="(?P<href>/assets/__reflex_global_styles[^"]*)" rel="stylesheet"')
# Chrome delays the first paint by up to 50 ms for a font that is preloaded in the head. The preload for all screens is
# moved to the body, because that font is swapped in when it has loaded.
_PRELOADED_FACE = re.compile(r'<link as="font"[^>]* media="all"[^>]*/>')
_PRELOADED_MODULE = re.compile(r'<link rel="modulepreload" href="(?P<href>[^"]*)"/>')
_START = re.compile(r'<script type="module" async="">(?P<text>.*?)</script>', re.S)
# The router's setup before it starts: two stream objects that only a hydrated page needs.
_PREPARATION = re.compile(r"<script>(?=window\.__reactRouterContext)")
# One script applies the chosen theme, the other restores the router's scroll position. Both read browser storage, which
# delays the page, and are not needed: the server sends the page in its theme (`theme_variants`), and browsers restore
# the position after a full page load. React expects both elements when it hydrates, and the text of the first.
_THEME_SCRIPT = re.compile(r'<script>(?=[^<]*localStorage\.getItem\("theme"\))')
_SCROLL_SCRIPT = re.compile(r'<script>[^<]*"react-router-scroll-positions".*?</script>', re.S)
_BODY = re.compile(r"<body\b[^>]*>")
_CLASSES = re.compile(r' class="([^"]*)"')
# Classes that are added after rendering: the chosen theme, and `known` for a visitor who comes from another page here.
_CLASSES_ADDED_LATER = frozenset({"light", "dark", "known"})
_TITLE = re.compile(r"<title>(?P<text>.*?)</title>", re.S)
_DESCRIPTION = re.compile(r'<meta content="(?P<text>[^"]*)" name="description"/>')
# Reflex gives every page an og:image; ours replaces it.
_PICTURE = re.compile(r'<meta content="[^"]*" property="og:image"/>')
# The script that starts a page. Rendering a page with records imports other modules than its prerendered page, so its
# text is checked by a pattern.
_START_TEXT = re.compile(
    r'(?:import (?:\* as route\d+ from )?"/assets/[\w.-]+\.js";\s+)+'
    r'window\.__reactRouterRouteModules = \{(?:"[^"\\<>]+":route\d+,?)+\};\s+import\("/assets/[\w.-]+\.js"\);'
)


class UnexpectedHtml(Exception):
    """The HTML differs from what this version of Reflex and React Router produces."""


class DocumentBuilder:
    """Builds the documents of a finished build; browsers fetch the files `fetched_late` after the page has loaded."""

    def __init__(self, client: Path, origin: str, fetched_late: Sequence[str] = ()) -> None:
        self._client = client
        self._origin = origin
        self._loader = _loader(client.with_name(LOADER), tuple(fetched_late))

    def page(self, html: str, address: str, vars: Vars, head: HeadTags | None, state: str = "") -> str:
        """The HTML that visitors get at a path, which may have a query.

        Without `head` it is marked `noindex`. `state` is the address of the vars' file; if empty, they are inline.
        """
        html = _PRELOADED_STYLE.sub(r'<link as="style" media="not all"\g<rest>/>', html)
        # The router makes '#content' an absolute link without the query, but one rendered not-found page is served at
        # many addresses, and a list may be filtered by its query.
        path = address.partition("?")[0]
        html = html.replace(f'href="{path}#', 'href="#')
        modules = _PRELOADED_MODULE.findall(html)
        classes = _CLASSES_ADDED_LATER.union(" ".join(_CLASSES.findall(html)).split())
        html = _replace_once(_STYLESHEET, lambda link: self._inline_style(link, classes), html)
        html = _PRELOADED_MODULE.sub("", html)
        html = _PREPARATION.sub('<script type="text/plain" data-asleep="">', html)
        html = _THEME_SCRIPT.sub('<script type="text/plain">', html)
        html = without_scroll_script(html)
        html = _replace_once(_START, lambda start: _deferred_script(start["text"], modules, state), html)
        if "</head>" not in html or "</body>" not in html:
            raise UnexpectedHtml("a document without head or body")
        tags = self._tags(html, path, vars, head) if head else NOT_FOR_INDEXES
        html = _PICTURE.sub("", html)
        html = html.replace("</head>", f"{tags}<script>{self._loader}</script></head>", 1)
        faces = "".join(_PRELOADED_FACE.findall(html))
        html = _PRELOADED_FACE.sub("", html)
        self._refuse_unknown_scripts(html)
        html = _replace_once(_BODY, lambda body: body[0] + faces, html)
        return html if state else html.replace("</body>", f"{_state(vars)}</body>", 1)

    def _refuse_unknown_scripts(self, html: str) -> None:
        """Raise `UnexpectedHtml` for inline scripts that are not in the build, because the CSP allows all of them."""
        for script in inline_scripts(html):
            if script not in self._known_scripts and not _START_TEXT.fullmatch(script):
                raise UnexpectedHtml(f"a script of {len(script)} characters that is in no page of the build")

    @cached_property
    def _known_scripts(self) -> frozenset[str]:
        pages = (file.read_text(encoding="utf-8") for file in self._client.rglob("*.html"))
        return frozenset({self._loader}.union(*map(inline_scripts, pages)))

    def _tags(self, html: str, path: str, vars: Vars, head: HeadTags) -> str:
        title, description = (_text_of(pattern, html) for pattern in (_TITLE, _DESCRIPTION))
        return head(PageContext(self._origin, path, title, description, vars))

    def _inline_style(self, link: re.Match[str], classes: frozenset[str]) -> str:
        styles = _styles(self._client / link["href"][1:]).used(classes)
        return f'<style>{styles}</style><link disabled=""{link[0][5:]}'


def without_scroll_script(html: str) -> str:
    """The HTML with an empty script in place of the one that restores the scroll position."""
    return _SCROLL_SCRIPT.sub('<script type="text/plain"></script>', html)


def _replace_once(pattern: re.Pattern[str], replace: object, html: str) -> str:
    html, count = pattern.subn(replace, html)  # type: ignore[call-overload]
    if count != 1:
        raise UnexpectedHtml(f"{count} times {pattern.pattern}")
    return html


def _text_of(pattern: re.Pattern[str], html: str) -> str:
    match = pattern.search(html)
    if match is None:
        raise UnexpectedHtml(f"no {pattern.pattern}")
    return unescape(match["text"])


def _deferred_script(script: str, modules: list[str], state: str) -> str:
    named = f'id="page-scripts" data-modules="{" ".join(modules)}"'
    if state:
        named += f' data-state="{escape(state)}"'
    return f'<script type="text/plain" data-asleep="" {named}>{script}</script>'


def _state(vars: Vars) -> str:
    """The vars as a JSON block, which the page's scripts find by its id."""
    return f'<script type="application/json" id="page-state">{state_json(vars)}</script>'


@cache
def _styles(file: Path) -> Stylesheet:
    text = file.read_text(encoding="utf-8")
    if "</" in text:
        raise UnexpectedHtml("a stylesheet that would end its own element")
    try:
        return Stylesheet(text)
    except UnevenStyles as error:
        raise UnexpectedHtml(f"a stylesheet with {error}") from error


@cache
def _loader(file: Path, fetched_late: Sequence[str]) -> str:
    """The loader script, which the build has minified."""
    return file.read_text(encoding="utf-8").strip().replace("FETCHED_LATE", json.dumps(fetched_late))
