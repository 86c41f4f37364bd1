"""The content security policy of a page, with the hash of each of its inline scripts and styles."""

import base64
import hashlib
import re

_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.S)
_STYLE = re.compile(r"<style[^>]*>(?P<text>.*?)</style>", re.S)
# Script elements of these types are data: browsers do not run them, and the policy does not apply to them.
_DATA = ('type="application/json"', 'type="application/ld+json"', 'type="text/plain"')

# For responses that are not pages, such as images and texts.
NOT_A_PAGE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"


def content_security_policy(html: str) -> str:
    """The policy for one document: only our scripts, no eval, no framing.

    The back office's component library creates empty style elements and fills them through the CSSOM, which the policy
    does not restrict, so the hash of the empty text suffices.
    """
    directives = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", *_hashes(inline_scripts(html))]),
        "style-src": " ".join(["'self'", *_hashes(["", *_styles(html)])]),
        "style-src-attr": "'unsafe-inline'",
        "img-src": "'self' data: https:",
        "connect-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return _policy(directives)


def scriptless_policy(html: str) -> str:
    """The policy for a document that runs nothing, sends nothing, and is framed by this site alone."""
    return _policy(
        {
            "default-src": "'none'",
            "script-src": "'none'",
            "style-src": " ".join(["'self'", *_hashes(["", *_styles(html)])]),
            "style-src-attr": "'unsafe-inline'",
            "img-src": "'self' data: https:",
            "font-src": "'self'",
            "manifest-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'self'",
            "sandbox": "allow-same-origin",  # without which typefaces would be of another origin
        }
    )


def inline_scripts(html: str) -> list[str]:
    """The texts of the inline scripts in a document that run: directly, or when the loader starts them."""
    return [
        match["text"]
        for match in _SCRIPT.finditer(html)
        if " src=" not in match["attributes"] and _is_run(match["attributes"])
    ]


def _policy(directives: dict[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def _styles(html: str) -> list[str]:
    return [match["text"] for match in _STYLE.finditer(html)]


def _is_run(attributes: str) -> bool:
    return "data-asleep" in attributes or not any(kind in attributes for kind in _DATA)


def _hashes(texts: list[str]) -> list[str]:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return list(dict.fromkeys(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))
