"""The cells of CSV files: safe for spreadsheet programs, and a record's fields as texts."""

import json
import re
from collections.abc import Mapping

from .inputs import FormField, Group, RecordForm

# Spreadsheet programs evaluate a cell that begins with one of these as a formula. Some also end a cell at a semicolon
# or line break, even in quotation marks. Apostrophes before it count too, so that escaping can be undone exactly.
_FORMULA = re.compile(r"(?:^|(?<=[;\n\r]))(?='*[=+\-@＝＋－＠])|^(?='*[\t\r])")

TRUE, FALSE = "true", "false"


def escape_formula(cell: str) -> str:
    """Prefix a cell with an apostrophe where a spreadsheet program could evaluate it as a formula."""
    return _FORMULA.sub("'", cell)


def cells_of(form: RecordForm, fields: Mapping[str, FormField]) -> dict[str, str]:
    """A record's fields as cells, not escaped: texts as its form shows them, groups as JSON, flags as words."""
    return {name: _cell(one, form) for name, one in fields.items()}


def _cell(one: FormField, form: RecordForm) -> str:
    if isinstance(one.input, Group):
        return json.dumps(form.rows[one.name], ensure_ascii=False) if form.rows[one.name] else ""
    if one.kind.control == "check":
        return TRUE if form.texts[one.name] else FALSE
    return form.texts[one.name]
