"""The head of every page: icons, theme colours, font preloads."""

import reflex as rx

# The fonts above the fold, and their media queries; together at most 20 kB. Browsers load the others when needed.
FONTS = {"newsreader": "all", "source-sans": "(min-width: 48rem)"}
# The values of --paper, light and dark, for the theme-color tags. `ssr/theme_variants.py` and `ssr/js/loader.js` of the
# server depend on their order and media queries.
PAPER = {"light": "#fbfaf6", "dark": "#0c1411"}


def head_components() -> list[rx.Component]:
    """The tags in every page's head besides title and description."""
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
    # Browsers fetch fonts in CORS mode; a preload without `crossorigin` would be fetched twice.
    return rx.el.link(
        rel="preload",
        href=f"/fonts/{name}.woff2",
        type="font/woff2",
        custom_attrs={"as": "font", "crossOrigin": "anonymous", "media": media},
    )
