"""The Chakra theme, made of the stylesheet's custom properties.

Chakra's own colour mode is always light. Its colours are the custom properties in `assets/site/tokens.css`. They change
with the `dark` class of the root element, before any script runs, so that there is no flash and no hydration mismatch.
"""

from typing import Any

PAPER, SURFACE, SUNKEN = "var(--paper)", "var(--surface)", "var(--sunken)"
INK, MUTED, LINE, FIELD_LINE = "var(--ink)", "var(--muted)", "var(--line)", "var(--field-line)"
JADE, JADE_STRONG, JADE_SOFT, ON_JADE = "var(--jade)", "var(--jade-strong)", "var(--jade-soft)", "var(--on-jade)"
DANGER, DANGER_SOFT = "var(--danger)", "var(--danger-soft)"
FOCUS = {"outline": f"2px solid {JADE}", "outlineOffset": "2px", "boxShadow": "none"}


def _scale(soft: str, main: str, strong: str) -> dict[str, str]:
    """The ten shades that Chakra expects of a colour, made of our three."""
    return {
        "50": soft,
        "100": soft,
        "200": main,
        "300": main,
        "400": main,
        "500": main,
        "600": strong,
        "700": strong,
        "800": strong,
        "900": strong,
    }


_GREYS = {
    "50": SUNKEN,
    "100": SUNKEN,
    "200": LINE,
    "300": LINE,
    "400": FIELD_LINE,
    "500": MUTED,
    "600": MUTED,
    "700": INK,
    "800": INK,
    "900": INK,
}
_JADES = _scale(JADE_SOFT, JADE, JADE_STRONG)
_REDS = _scale(DANGER_SOFT, DANGER, DANGER)

_PANEL = {
    "bg": SURFACE,
    "color": INK,
    "borderWidth": "1px",
    "borderStyle": "solid",
    "borderColor": LINE,
    "borderRadius": "var(--radius-m)",
    "boxShadow": "var(--shadow-high)",
}

_COMPONENTS: dict[str, Any] = {
    "Tabs": {
        "variants": {
            "line": {
                "tablist": {"borderBottom": "1px solid", "borderColor": LINE},
                "tab": {
                    "color": MUTED,
                    "fontWeight": 600,
                    "fontSize": "var(--text-s)",
                    "borderBottomWidth": "2px",
                    "borderStyle": "solid",
                    "borderColor": "transparent",
                    "_selected": {"color": JADE, "borderColor": "currentColor"},
                    "_hover": {"color": INK},
                    "_focusVisible": FOCUS | {"outlineOffset": "-2px"},
                },
            }
        }
    },
    "Menu": {
        "baseStyle": {
            "list": _PANEL | {"zIndex": "dropdown"},
            "item": {
                "bg": "transparent",
                "fontSize": "var(--text-s)",
                "minHeight": "2.75rem",
                "_focus": {"bg": JADE_SOFT},
                "_hover": {"bg": JADE_SOFT},
                "_active": {"bg": JADE_SOFT},
            },
            "divider": {"borderColor": LINE, "borderStyle": "solid", "opacity": 1},
        }
    },
    "Modal": {
        "baseStyle": {
            "overlay": {"bg": "rgb(8 18 14 / 55%)"},
            "dialog": _PANEL,
            "header": {
                "fontFamily": "var(--font-display)",
                "fontWeight": 500,
                "fontSize": "1.6rem",
                "letterSpacing": "-0.015em",
            },
            "closeButton": {"_focusVisible": FOCUS},
        }
    },
}

THEME: dict[str, Any] = {
    "config": {"initialColorMode": "light", "useSystemColorMode": False},
    "fonts": {"body": "var(--font-text)", "heading": "var(--font-display)"},
    "colors": {
        "black": INK,
        "white": SURFACE,
        "gray": _GREYS,
        "teal": _JADES,
        "green": _JADES,
        "blue": _JADES,
        "red": _REDS,
    },
    "radii": {"sm": "4px", "base": "var(--radius-s)", "md": "var(--radius-s)", "lg": "var(--radius-m)"},
    "shadows": {"outline": f"0 0 0 2px {JADE}", "lg": "var(--shadow-high)", "md": "var(--shadow-low)"},
    "semanticTokens": {
        "colors": {
            "chakra-body-text": {"default": INK},
            "chakra-body-bg": {"default": PAPER},
            "chakra-border-color": {"default": LINE},
            "chakra-inverse-text": {"default": ON_JADE},
            "chakra-subtle-bg": {"default": SUNKEN},
            "chakra-subtle-text": {"default": MUTED},
            "chakra-placeholder-color": {"default": MUTED},
        }
    },
    "components": _COMPONENTS,
}
