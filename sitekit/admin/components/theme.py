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

_FIELD = {
    "bg": SURFACE,
    "color": INK,
    "borderWidth": "1px",
    "borderStyle": "solid",
    "borderColor": FIELD_LINE,
    "borderRadius": "var(--radius-s)",
    "fontSize": "var(--text-s)",
    "_placeholder": {"color": MUTED, "opacity": 1},
    "_hover": {"borderColor": INK},
    "_focusVisible": {"borderColor": JADE, "boxShadow": f"0 0 0 1px {JADE}", "outline": "none"},
    # An invalid field keeps its colour while it has the focus.
    "_invalid": {
        "borderColor": DANGER,
        "boxShadow": f"0 0 0 1px {DANGER}",
        "_focusVisible": {"borderColor": DANGER, "boxShadow": f"0 0 0 2px {DANGER}"},
    },
    "_disabled": {"opacity": 0.6, "cursor": "not-allowed", "bg": SUNKEN},
}
_FIELD_VARIANT = {"variants": {"outline": {"field": _FIELD}}, "defaultProps": {"focusBorderColor": JADE}}

_SOLID = {
    "bg": JADE,
    "color": ON_JADE,
    "_hover": {"bg": JADE_STRONG, "_disabled": {"bg": JADE}},
    "_active": {"bg": JADE_STRONG},
}
_OUTLINE = {
    "bg": SURFACE,
    "color": INK,
    "borderWidth": "1px",
    "borderStyle": "solid",
    "borderColor": FIELD_LINE,
    "_hover": {"bg": JADE_SOFT, "borderColor": JADE, "_disabled": {"bg": SURFACE}},
    "_active": {"bg": JADE_SOFT},
}
_GHOST = {"bg": "transparent", "color": INK, "_hover": {"bg": JADE_SOFT}, "_active": {"bg": JADE_SOFT}}

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
    "Button": {
        "baseStyle": {
            "borderRadius": "var(--radius-s)",
            "fontWeight": 600,
            "lineHeight": 1.2,
            "textDecoration": "none",
            "gap": "0.45rem",
            "_focusVisible": FOCUS,
            "_disabled": {"opacity": 0.6},
        },
        "sizes": {
            "md": {"fontSize": "var(--text-s)", "h": "2.75rem", "minW": "2.75rem", "px": "1.1rem"},
            "sm": {"fontSize": "0.875rem", "h": "2.25rem", "minW": "2.25rem", "px": "0.8rem"},
        },
        "variants": {
            "solid": _SOLID,
            "outline": _OUTLINE,
            "ghost": _GHOST,
            "link": {"color": JADE, "_hover": {"color": JADE_STRONG}, "_active": {"color": JADE_STRONG}},
        },
    },
    "Input": _FIELD_VARIANT,
    "Select": {
        "variants": {"outline": {"field": _FIELD, "icon": {"color": MUTED}}},
        "baseStyle": {"field": {"bg": SURFACE, "> option": {"bg": SURFACE, "color": INK}}},
    },
    "Textarea": {"variants": {"outline": _FIELD | {"lineHeight": 1.5}}, "defaultProps": {"focusBorderColor": JADE}},
    "Checkbox": {
        "baseStyle": {
            "control": {
                "borderColor": FIELD_LINE,
                "borderStyle": "solid",
                "bg": SURFACE,
                "_checked": {"bg": JADE, "borderColor": JADE, "color": ON_JADE},
                "_focusVisible": FOCUS,
            }
        }
    },
    "Radio": {
        "baseStyle": {
            "control": {
                "borderColor": FIELD_LINE,
                "borderStyle": "solid",
                "bg": SURFACE,
                "_checked": {"bg": JADE, "borderColor": JADE, "color": ON_JADE},
                "_focusVisible": FOCUS,
            }
        }
    },
    "Switch": {
        "baseStyle": {
            "track": {"bg": FIELD_LINE, "_checked": {"bg": JADE}, "_focusVisible": FOCUS},
            "thumb": {"bg": SURFACE},
        }
    },
    "FormLabel": {"baseStyle": {"fontSize": "var(--text-s)", "fontWeight": 600, "mb": "0.3rem"}},
    "Form": {
        "baseStyle": {
            "helperText": {"color": MUTED, "fontSize": "0.875rem", "lineHeight": 1.45, "mt": "0.35rem"},
            "requiredIndicator": {"color": DANGER},
        }
    },
    "FormError": {
        "baseStyle": {"text": {"color": DANGER, "fontSize": "0.875rem", "lineHeight": 1.45, "mt": "0.35rem"}}
    },
    "Avatar": {
        "baseStyle": {"container": {"bg": JADE_SOFT, "color": JADE_STRONG, "fontWeight": 600, "borderColor": LINE}}
    },
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
    "Spinner": {"baseStyle": {"color": JADE}},
    "Skeleton": {
        "baseStyle": {
            "borderRadius": "var(--radius-s)",
            "opacity": 1,
            "--skeleton-start-color": SUNKEN,
            "--skeleton-end-color": LINE,
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

# Replaces Chakra's reset, which styles every element of the document. Ours has lower specificity than any class, and
# applies only to the back office and to the elements that Chakra appends to the body.
RESET: dict[str, Any] = {
    ":where(.backoffice, .chakra-portal)": {"font": "400 var(--text-s) / 1.5 var(--font-text)", "color": INK},
    ":where(.backoffice, .chakra-portal) :where(*, ::before, ::after)": {
        "borderWidth": 0,
        "borderStyle": "solid",
        "borderColor": LINE,
        "boxSizing": "border-box",
    },
    ":where(.backoffice, .chakra-portal) :where(h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset)": {
        "margin": 0,
        "padding": 0,
    },
    ":where(.backoffice, .chakra-portal) :where(h1, h2, h3, h4)": {"fontSize": "inherit", "fontWeight": "inherit"},
    ":where(.backoffice, .chakra-portal) :where(ul, ol)": {"listStyle": "none"},
    ":where(.backoffice, .chakra-portal) :where(button, input, select, textarea)": {
        "font": "inherit",
        "color": "inherit",
        "margin": 0,
        "padding": 0,
    },
    ":where(.backoffice, .chakra-portal) :where(button)": {"background": "transparent", "cursor": "pointer"},
    ":where(.backoffice, .chakra-portal) :where(img, svg)": {"display": "block", "maxWidth": "100%"},
    ":where(.backoffice) :where(img)": {"height": "auto"},
    ":where(.backoffice, .chakra-portal) :where(table)": {"borderCollapse": "collapse"},
    ":where(.backoffice, .chakra-portal) :where(a)": {"color": JADE, "textUnderlineOffset": "0.2em"},
    ":where(.backoffice, .chakra-portal) :where(:focus-visible)": {
        "outline": f"2px solid {JADE}",
        "outlineOffset": "2px",
    },
}
