"""The cells of CSV files: safe for spreadsheet programs, and a record's fields as texts, in both directions."""

import json
import re
from collections.abc import Mapping
from typing import Any

from ..content import csv_texts as words
from ..core.text import clean_text
from .inputs import FormField, Group, RecordForm

# Spreadsheet programs evaluate a cell that begins with one of these as a formula. Some also end a cell at a semicolon
# or line break, even in quotation marks. Apostrophes before it count too, so that escaping can be undone exactly.
_FORMULA = re.compile(r"(?:^|(?<=[;\n\r]))(?='*[=+\-@＝＋－＠])|^(?='*[\t\r])")
_ESCAPED = re.compile(r"(?:^|(?<=[;\n\r]))'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\r])")

TRUE, FALSE = "true", "false"
_FLAGS = dict.fromkeys((TRUE, "yes", "on", "1"), "on") | dict.fromkeys((FALSE, "no", "off", "0", ""), "")


def escape_formula(cell: str) -> str:
    """Prefix a cell with an apostrophe where a spreadsheet program could evaluate it as a formula."""
    return _FORMULA.sub("'", cell)


def unescape_formula(cell: str) -> str:
    """The cell before `escape_formula`."""
    return _ESCAPED.sub("", cell)


def cells_of(form: RecordForm, fields: Mapping[str, FormField]) -> dict[str, str]:
    """A record's fields as cells, not escaped: texts as its form shows them, groups as JSON, flags as words."""
    return {name: _cell(one, form) for name, one in fields.items()}


def _cell(one: FormField, form: RecordForm) -> str:
    if isinstance(one.input, Group):
        return json.dumps(form.rows[one.name], ensure_ascii=False) if form.rows[one.name] else ""
    if one.kind.control == "check":
        return TRUE if form.texts[one.name] else FALSE
    return form.texts[one.name]


def input_of(one: FormField, cell: str) -> Any:
    """What a form sends for a cell. Raises `ValueError` with a sentence for a cell that no form could send."""
    if isinstance(one.input, Group):
        return _rows(one.input, cell)
    if one.kind.control == "check":
        try:
            return _FLAGS[cell.strip().lower()]
        except KeyError:
            raise ValueError(words.FLAG_UNREADABLE) from None
    return clean_text(cell)


def _rows(group: Group, cell: str) -> list[dict[str, str]]:
    if not cell.strip():
        return []
    known = list(group.fields)
    try:
        rows = json.loads(cell)
    except (ValueError, RecursionError):
        raise ValueError(words.GROUP_UNREADABLE.format(keys=", ".join(known))) from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(words.GROUP_UNREADABLE.format(keys=", ".join(known)))
    for key in (key for row in rows for key in row if key not in known):
        raise ValueError(words.GROUP_KEY_UNKNOWN.format(key=key[:40], keys=", ".join(known)))
    return [dict.fromkeys(known, "") | row for row in rows]
