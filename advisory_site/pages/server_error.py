"""The page for an error of ours: plain HTML, which needs neither the build, the renderer nor the database."""

from html import escape

from sitekit.base import messages
from sitekit.base.request_context import PLACEHOLDER

from ..content import server_error as texts


def server_error_page() -> str:
    """The message, the reference of the request, and a link to Home."""
    title, page_title, text, home = map(escape, (texts.TITLE, texts.PAGE_TITLE, texts.TEXT, texts.HOME_LINK.label))
    mention = escape(messages.MENTION.format(reference=PLACEHOLDER))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{page_title}</title><link rel="stylesheet" href="/site.css"></head>'
        f'<body><main class="site"><section class="wrap lost"><h1 class="title-l">{title}</h1>'
        f'<p class="lead">{text}</p><p class="hint">{mention}</p>'
        f'<p><a class="button" href="{texts.HOME_LINK.href}">{home}</a></p></section></main></body></html>'
    )
