"""A page as a document that runs no script and leads nowhere else: the preview of a draft."""

import re
from collections.abc import Mapping
from html import escape, unescape

from ..http.csp import scriptless_policy
from ..http.responses import NEVER_STORED, PrebuiltResponse, raw_headers
from .theme_variants import in_theme

# What only the scripts need; styles are inline.
_UNUSED = re.compile(
    r'<script\b.*?</script>|<link\b[^>]*\b(?:as="style"|rel="(?:stylesheet|modulepreload)")[^>]*>', re.S
)
# React escapes '>' and '"' in attributes.
_LINK = re.compile(r'(<(?:a|area)\b[^>]*?) href="([^"]*)"')
_FORM = re.compile(r"<form\b")
_BODY = re.compile(r"<body\b[^>]*>")
_ROOT = re.compile(r'<html (?:class="([^"]*)" )?')
_BAR_STYLE = (
    ".preview-bar{position:fixed;inset:auto 0 0;z-index:2147483647;margin:0;padding:.5rem 1rem;background:#1b1b1b;"
    "color:#fff;font:600 .875rem/1.4 system-ui,sans-serif;text-align:center}body{padding-block-end:2.25rem}"
)
# Browsers underline only what leads somewhere. Every other rule weighs more.
_LINK_STYLE = ":where(a[data-path]){text-decoration:underline}"
# The texts that staff can change, and the chosen one; `ui/js/page_frame.jsx` chooses.
_TEXT_STYLE = (
    "[data-text]{cursor:text;border-radius:2px}[data-text]:hover{outline:2px solid #6b9a86;outline-offset:2px}"
    "[data-text][data-is-chosen],[data-text]:target{outline:3px solid #1f7a5a;outline-offset:2px;"
    "background:#d9f2e6;color:#10241c;scroll-margin-block:35vh}"
)
# A site that has a stylesheet at this address gives the message its look.
_SITE_STYLE = "/site.css"
_MESSAGE_STYLE = (
    ":root{color-scheme:light dark}body{margin:0;font:1.125rem/1.5 system-ui,sans-serif}"
    "main{min-height:100vh;place-content:center;box-sizing:border-box}main>.logo{margin:0}"
)
HEADERS = {
    "cache-control": NEVER_STORED,
    "x-robots-tag": "noindex, nofollow",
    "referrer-policy": "no-referrer",
    "x-frame-options": "SAMEORIGIN",
}


def preview_html(html: str, links: Mapping[str, str], theme: str, bar: str = "") -> str:
    """The document of a page without its scripts, above a bar if that has a text. Forms are inert.

    It is set in the typefaces that a visitor's later pages have. Of its links, those within it stay, and those to the
    paths in `links` lead to these addresses instead; the others keep their path, which the frame of the back office
    reads.
    """

    def follow(link: re.Match[str]) -> str:
        path, hash_sign, fragment = unescape(link[2]).partition("#")
        address = links.get(path) if path else ""
        if address is None:
            return f'{link[1]} data-path="{escape(path)}"'
        return f'{link[1]} href="{escape(address + hash_sign + fragment)}"'

    html = _FORM.sub('<form inert=""', _LINK.sub(follow, _UNUSED.sub("", html)))
    style = _BAR_STYLE if bar else _TEXT_STYLE
    html = html.replace("</head>", f"<style>{_LINK_STYLE}{style}</style></head>", 1)
    if bar:
        html = _BODY.sub(lambda body: f'{body[0]}<p class="preview-bar">{escape(bar)}</p>', html, count=1)
    html = in_theme(html, theme) if theme else html
    html = _ROOT.sub(lambda root: f'<html class="{" ".join(filter(None, (root[1], "known")))}" ', html, count=1)
    head, end, body = html.partition("</head>")
    return head.replace("font-display:optional", "font-display:swap") + end + body


def message_html(brand: str, title: str, sentence: str, *more: str) -> str:
    """A page in place of a preview that cannot be shown, with the site's mark, name and look."""
    texts = "".join(f'<p class="lead">{escape(text)}</p>' for text in more)
    mark = '<img src="/favicon.svg" alt="" width="28" height="28">'
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.svg">'
        f"<title>{escape(title)} | {escape(brand)}</title><style>{_MESSAGE_STYLE}</style>"
        f'<link rel="stylesheet" href="{_SITE_STYLE}"></head><body>'
        f'<main class="site wrap lost"><p class="logo">{mark}{escape(brand)}</p>'
        f'<h1 class="title-l">{escape(sentence)}</h1>{texts}</main></body></html>'
    )


def preview_response(html: str, method: str, status: int = 200, **more: str) -> PrebuiltResponse:
    """The response with a document that must not be stored, indexed or framed by other sites."""
    body = html.encode()
    own = {"content-type": "text/html; charset=utf-8", "content-length": str(len(body))}
    headers = {**HEADERS, **own, "content-security-policy": scriptless_policy(html), **more}
    return PrebuiltResponse(status, raw_headers(headers), b"" if method == "HEAD" else body)
