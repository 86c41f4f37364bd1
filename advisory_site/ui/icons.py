"""The icon drawer: every icon of the site, drawn for it, named by the short keys that content uses.

An icon is one or two strokes on a 24 by 24 grid. The second, where there is one, is the spark: it is
drawn in gold, and it is what makes these icons a family.
"""

import reflex as rx

CIRCLE = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z"

STROKES: dict[str, tuple[str, ...]] = {
    # What content speaks of.
    "award": ("M12 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z", "m8.5 13.5-1.5 7 5-2.5 5 2.5-1.5-7"),
    "briefcase": ("M3.5 8h17v11.5h-17V8ZM9 8V4.5h6V8", "M3.5 13h17"),
    "building": ("M5 20.5v-17h9v17M14 9.5h5v11M3 20.5h18", "M8 8h3M8 12h3M8 16h3"),
    "bulb": ("M9 17.5c0-2.2-3-3.4-3-7.3a6 6 0 0 1 12 0c0 3.9-3 5.1-3 7.3H9Z", "M10 20.5h4"),
    "calendar": ("M4 6h16v14.5H4V6ZM8 3.5v5M16 3.5v5", "M4 11.5h16"),
    "chart": ("M4 4v16h16", "m7.5 15.5 3.8-4.8 3.2 2.6L20 6.5M16.5 6.5H20V10"),
    "clock": (CIRCLE, "M12 7v5.3l3.5 2"),
    "coins": (
        "M15 6.5C15 7.9 12.5 9 9.5 9S4 7.9 4 6.5 6.5 4 9.5 4 15 5.1 15 6.5ZM4 6.5v9c0 1.3 2 2.2 4.5 2.4"
        "M4 11c0 1.3 2 2.2 4.5 2.4M15 6.5v2",
        "M20.5 13.8c0 1.3-2 2.3-4.5 2.3s-4.5-1-4.5-2.3 2-2.3 4.5-2.3 4.5 1 4.5 2.3Zm0 0v4.4"
        "c0 1.3-2 2.3-4.5 2.3s-4.5-1-4.5-2.3v-4.4",
    ),
    "compass": (CIRCLE, "m15.8 8.2-2.3 5.3-5.3 2.3 2.3-5.3 5.3-2.3Z"),
    "doc": ("M6 3.5h8L18.5 8v12.5H6v-17ZM14 3.5V8h4.5", "M9 12.5h6M9 16h4"),
    "framework": ("M4 8 12 3.5 20 8l-8 4.5L4 8ZM4 12l8 4.5 8-4.5", "m4 16 8 4.5 8-4.5"),
    "gauge": ("M4.5 18a9 9 0 1 1 15 0", "m12 14 4-5.5M12 14h.01"),
    "globe": (CIRCLE + "M3 12h18", "M12 3c2.8 2.6 4 5.6 4 9s-1.2 6.4-4 9c-2.8-2.6-4-5.6-4-9s1.2-6.4 4-9Z"),
    "hands": (
        "M8 13.5V6.3a1.45 1.45 0 0 1 2.9 0V11M10.9 10.5V4.7a1.45 1.45 0 0 1 2.9 0V11"
        "M13.8 11V6.3a1.45 1.45 0 0 1 2.9 0V12M16.7 11.5V9.3a1.4 1.4 0 0 1 2.8 0V14.5"
        "c0 3.7-2.7 6.5-6.3 6.5-2.8 0-4.4-1.2-5.7-3.5l-2.9-4.9",
        "M8 14.5l-1.1-1.9a1.35 1.35 0 0 0-2.3 1.4",
    ),
    "handshake": (
        "M2.5 6.5 6 5.5l6 2 6-2 3.5 1M2.5 15.5l3 .5M21.5 15.5 18.5 16l-5.5-5",
        "M12 7.5 8.5 11c.9 1.3 2.6 1.4 3.7.5l1-.8M5.5 16l4.7 3.6c1 .8 2.4.7 3.3-.1L18.5 16",
    ),
    "network": (
        "M12 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM5.5 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z"
        "M18.5 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
        "m10.8 8.2-4.1 7.5M13.2 8.2l4.1 7.5M8 18h8",
    ),
    "people": (
        "M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 20c.4-3.5 3-5.5 6.5-5.5s6.1 2 6.5 5.5",
        "M15.5 4.8a3.5 3.5 0 0 1 0 6.4M17.5 14.9c2.3.7 3.7 2.5 4 5.1",
    ),
    "person": ("M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "M4.5 20.5c.5-3.8 3.4-5.5 7.5-5.5s7 1.7 7.5 5.5"),
    "rocket": (
        "M12.5 15.5c4.5-2.5 7-6.5 7.5-11.5-5 .5-9 3-11.5 7.5l-4 .5 3 2.5M12.5 15.5 12 19.5 9.5 16.5"
        "M12.5 15.5 8.5 11.5M14.8 8.2h.01",
        "M7 16c-1.8.5-2.7 2-3 4.5 2.5-.3 4-1.2 4.5-3",
    ),
    "scale": (
        "M5 7.5 2.5 14a2.9 2.9 0 0 0 5 0L5 7.5ZM19 7.5 16.5 14a2.9 2.9 0 0 0 5 0L19 7.5ZM12 4v16.5M8 20.5h8",
        "M5 7.5c3 0 4-1.5 7-1.5s4 1.5 7 1.5",
    ),
    "shield": ("M12 3 5 5.6v5.7c0 4.4 2.9 7.8 7 9.2 4.1-1.4 7-4.8 7-9.2V5.6L12 3Z", "m9 11.8 2.3 2.3 4-4.3"),
    "target": (
        "M20.5 9.2A9 9 0 1 1 14.8 3.5M16.7 11a5 5 0 1 1-3.7-3.7",
        "M12 12l5-5M17 7V4l3-2v2h2l-2 3h-3",
    ),
    # Ways to reach somebody.
    "mail": ("M3.5 5.5h17v13h-17v-13Z", "m3.5 6.5 8.5 6.5 8.5-6.5"),
    "phone": (
        "M5.5 3.5H9l1.5 4.5-2.2 1.7a12 12 0 0 0 6 6L16 13.5l4.5 1.5v3.5a2 2 0 0 1-2.2 2"
        "C10.4 20 4 13.6 3.5 5.7a2 2 0 0 1 2-2.2Z",
    ),
    "pin": (
        "M12 21c4.5-4.6 6.5-8 6.5-11a6.5 6.5 0 0 0-13 0c0 3 2 6.4 6.5 11Z",
        "M12 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6Z",
    ),
    "linkedin": ("M4 4h16v16H4V4ZM8 10.5v6M8 7.5v.01M12 16.5v-6M12 13c0-1.6 1-2.5 2.2-2.5S16 11.3 16 13v3.5",),
    "link": (
        "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1",
        "M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
    ),
    # What the interface needs.
    "alert": ("M12 4 2.8 20h18.4L12 4Z", "M12 10v4.5M12 17.2v.01"),
    "arrow-left": ("M19.5 12h-15M10.5 6l-6 6 6 6",),
    "arrow-right": ("M4.5 12h15M13.5 6l6 6-6 6",),
    "check": ("m5 12.5 4.5 4.5L19 7.5",),
    "close": ("m6 6 12 12M18 6 6 18",),
    "external": ("M9 5H5v14h14v-4M13.5 5H19v5.5M19 5l-8.5 8.5",),
    "download": ("M4 15v5h16v-5", "M12 4v11M7.5 11l4.5 4.5 4.5-4.5"),
    "edit": ("M4 20h4L19.5 8.5l-4-4L4 16v4Z", "m13 7 4 4"),
    "logout": ("M10 4H5v16h5M9.5 12H20M16 8l4 4-4 4",),
    "menu": ("M4 8h16M4 16h16",),
    "moon": ("M20 14.3A8.5 8.5 0 0 1 9.7 4a8.5 8.5 0 1 0 10.3 10.3Z",),
    "plus": ("M12 5v14M5 12h14",),
    "search": ("M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.3 15.3 20.5 20.5",),
    "settings": (
        "M4 7h9M17 7h3M4 17h3M11 17h9",
        "M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
    ),
    "trash": ("M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7", "M10.5 11v5M13.5 11v5"),
    "sun": (
        "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5V4M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1"
        "M5.3 18.7l1-1M17.7 6.3l1-1",
    ),
}


def icon(name: str, *, class_name: str = "") -> rx.Component:
    """The icon of that key, hidden from screen readers: the words beside it carry the meaning.

    Raises KeyError at import of the page, so a misspelt key never reaches a visitor.
    """
    main, *spark = STROKES[name]
    return rx.el.svg(
        rx.el.path(d=main),
        *(rx.el.path(d=stroke, class_name="spark") for stroke in spark),
        view_box="0 0 24 24",
        class_name=f"icon {class_name}".strip(),
        aria_hidden="true",
    )
