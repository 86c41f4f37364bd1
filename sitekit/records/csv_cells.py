"""The cells of CSV files: safe for spreadsheet programs, and a record's fields as texts."""

import re
from collections.abc import Mapping

from .fields.field_type import FormField
from .record_form import RecordForm

# Spreadsheet programs evaluate a cell that begins with one of these as a formula. Some also end a cell at a semicolon
# or line break, even in quotation marks. Apostrophes before it count too, so that escaping can be undone exactly.
_FORMULA = re.compile(r"(?:^|(?<=[;\n\r]))(?='*[=+\-@＝＋－＠])|^(?='*[\t\r])")
_SIGN = re.compile(r"[=+\-@＝＋－＠\t\r]")  # without one nothing is escaped
_ESCAPED = re.compile(r"(?:^|(?<=[;\n\r]))'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\r])")


def escape_formula(cell: str) -> str:
    """Prefix a cell with an apostrophe where a spreadsheet program could evaluate it as a formula."""
    return _FORMULA.sub("'", cell) if _SIGN.search(cell) else cell


def unescape_formula(cell: str) -> str:
    """The cell before `escape_formula`."""
    return _ESCAPED.sub("", cell)


def cells_of(form: RecordForm, fields: Mapping[str, FormField]) -> dict[str, str]:
    """A record's fields as cells, not escaped: texts as its form shows them, groups as JSON, flags as words."""
    inputs = form.inputs()
    return {name: each.field_type.cell(inputs[name]) for name, each in fields.items()}
