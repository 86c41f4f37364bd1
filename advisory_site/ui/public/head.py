"""The head of every page: icons, colours of the browser's own frame, and the fonts."""

import reflex as rx

# What the first lines are set in, and on which screens; together at most 20 kB. The rest comes where a page needs it.
FONTS = {"newsreader": "all", "source-sans": "(min-width: 48rem)"}
# The colours of --paper, light and dark: a browser reads them before it has read any stylesheet. Their order and media
# are known where a theme is chosen, too (`ssr/theme_variants.py`, `ssr/js/loader.js`).
PAPER = {"light": "#fbfaf6", "dark": "#0c1411"}


def head_components() -> list[rx.Component]:
    """What every page has in its head besides title and description."""
    return [
        *(_font(name, media) for name, media in FONTS.items()),
        rx.el.link(rel="icon", href="/favicon.ico", sizes="32x32"),
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/icons/apple-touch-icon.png"),
        rx.el.link(rel="manifest", href="/site.webmanifest"),
        *(
            rx.el.meta(name="theme-color", content=colour, custom_attrs={"media": f"(prefers-color-scheme: {scheme})"})
            for scheme, colour in PAPER.items()
        ),
    ]


def _font(name: str, media: str) -> rx.Component:
    # Fonts are always fetched without credentials, so a preload without `crossorigin` would be fetched twice.
    return rx.el.link(
        rel="preload",
        href=f"/fonts/{name}.woff2",
        type="font/woff2",
        custom_attrs={"as": "font", "crossOrigin": "anonymous", "media": media},
    )
