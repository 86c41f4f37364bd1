"""The guide says what to do for each line that `check` may report as wrong, unsafe or a note."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from sitekit.base.redis_probe import SENTENCES
from sitekit.base.settings import PREFIX
from sitekit.records.pictures.texts import STORE_REASON

ROOT = Path(__file__).parents[2]
HEADING = "## When `check` reports something"


def tree(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_text(encoding="utf-8"))


def text_of(node: ast.expr) -> str:
    """A text in the source, with '...' for its values; empty if it is none."""
    match node:
        case ast.FormattedValue(value=ast.Name(id="PREFIX")):
            return PREFIX
        case ast.FormattedValue():
            return "..."
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(text_of, parts))
    return ""


def reported() -> Iterator[str]:
    """All texts that `check` reports, except those that are always fine."""
    yield STORE_REASON
    yield from SENTENCES.values()
    for node in ast.walk(tree("sitekit/ops/backup_stores.py")):
        match node:
            case ast.Call(func=ast.Name(id="BackupStoreUnavailable"), args=[text]):
                # What `check` does there is to open the place and to list it; the rest is about one backup.
                if not text_of(text).startswith("There is no backup") and "exists already" not in text_of(text):
                    yield text_of(text)
    modules = ("sitekit/ops/check.py", "sitekit/base/observability/checks.py", "sitekit/records/pictures/storage.py")
    for node in (node for module in modules for node in ast.walk(tree(module))):
        match node:
            case ast.Assign(targets=[ast.Name(id="text")], value=value):
                yield text_of(value)
            case ast.Call(func=ast.Name(id="CheckResult" | "Finding"), args=[_, severity, text, *_]):
                if ast.unparse(severity) != "Severity.FINE":
                    yield text_of(text)
    for node in ast.walk(tree("sitekit/base/db/diagnosis.py")):
        if isinstance(node, ast.FunctionDef) and node.name == "explain":
            yield from (text_of(one.value) for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)
    for node in ast.walk(tree("sitekit/base/db/migrations.py")):
        if isinstance(node, ast.ClassDef) and node.name == "NewerSchema":
            yield from (text_of(one.args[0]) for one in ast.walk(node) if isinstance(one, ast.Call) and one.args)


def rows() -> list[str]:
    """The fragments of texts in the first column of the table."""
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    section = guide.partition(HEADING)[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^|]+)` \| .{20,} \|$", section, re.MULTILINE)


def test_every_check_message_has_exactly_one_row_in_the_guide() -> None:
    texts = sorted({text for text in reported() if text.strip(".: ")})
    assert len(texts) > 20
    wrong = {text: found for text in texts if len(found := [row for row in rows() if row in text]) != 1}
    assert wrong == {}
    assert [row for row in rows() if not any(row in text for text in texts)] == []
