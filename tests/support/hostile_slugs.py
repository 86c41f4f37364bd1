"""Hostile values for slugs in addresses."""

HOSTILE_SLUGS = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "a/b",
    "a b",
    "x" * 10_000,
    "acme\x00",
    "acme'--",
    'acme"',
    "acme\u202e",
    "ac\u200fme",
    "acmé",
    "acme\n",
    "%00",
    None,
    7,
    ["acme"],
    {"$ne": ""},
]
