"""Texts without what is not seen: composed, without invisible characters at their ends. PostgreSQL can fold texts."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

RECORDS = ("advisors", "articles", "companies", "team_members", "texts")
OTHERS = {
    "enquiries": ("first_name", "last_name", "email", "company", "message"),
    "enquiry_entries": ("text",),
    "media": ("name", "alt", "credit"),
    "profiles": ("first_name", "last_name"),
}
# Columns of records whose texts are for programs.
TECHNICAL = {"id", "slug", "unanswered", "version"}
CHUNK = 500
INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
AT_ENDS = re.compile(rf"^[\s{INVISIBLE}]*[{INVISIBLE}]|[\s{INVISIBLE}]*[{INVISIBLE}][\s{INVISIBLE}]*$")
# The function as `sitekit.base.text.fold` was when this was written; a test compares them.
UNHEARD = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    rf"{INVISIBLE}\u180b-\u180f\ufe00-\ufe0f\U000e0000-\U000e0fff"
)
# Texts with none of these need less work: what does not decompose, or to such a letter, and scripts beyond Cyrillic.
SLOW = "[ØøĐđÐðŁłÞþÆæŒœßẞıςΣǢǣǼǽǾǿŉϲϹ\u0374\u1e9a\xb4\u02b9-\u02bf\u0590-\u1dff\u1f00-\U0010ffff]"
LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
SIGNS = {"o": "ø", "d": "đð", "l": "ł", "i": "ı", "σ": "ς", "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"}
SIGNS |= {'"': "\u201c\u201d\u201e\u201f\u2033"}
APOSTROPHES = "'`\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u2018\u2019\u201a\u201b\u2032"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        _add_fold()
    op.execute("UPDATE activity SET searched = fold(searched) WHERE searched <> fold(searched)")
    for table, names in ((_table(name), names) for name, names in OTHERS.items()):
        for key, values in _cleaned(table, names):
            op.execute(table.update().where(table.c.id == key).values(values))
    if sum(map(_clean_records, RECORDS)):
        op.execute("UPDATE content_version SET number = number + 1")


def _add_fold() -> None:
    """Add the function. It needs no extension, and lower-cases as the database does only if PostgreSQL has no ICU."""
    icu = "SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu'"
    collation = ' COLLATE "und-x-icu"' if op.get_bind().execute(sa.text(icu)).first() else ""
    short = rf"lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f\u00ad''`]', '', 'g'){collation})"
    folded = f"regexp_replace(normalize(replace(value, '\xb4', ''''), NFKD), '[{UNHEARD}]', '', 'g')"
    folded = f"lower({folded}{collation})"
    for letter, plain in LETTERS.items():
        folded = f"replace({folded}, '{letter}', '{plain}')"
    signs = ("".join(SIGNS.values()) + APOSTROPHES).replace("'", "''")
    folded = f"translate({folded}, '{signs}', '{''.join(sign * len(same) for sign, same in SIGNS.items())}')"
    op.get_bind().exec_driver_sql(f"""
        CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $fold$
            SELECT CASE WHEN octet_length(value) = char_length(value)
                THEN translate(lower(value COLLATE "C"), '''`', '')
                WHEN value !~ '{SLOW}' THEN {short} COLLATE "C"
                ELSE normalize({folded}, NFC) COLLATE "C" END
        $fold$""")


def _table(name: str) -> sa.Table:
    return sa.Table(name, sa.MetaData(), autoload_with=op.get_bind())


def _cleaned(table: sa.Table, names: Collection[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The id of each row with texts to clean, and these by column."""
    last = 0
    query = sa.select(table.c.id, *(table.c[name] for name in names)).order_by(table.c.id).limit(CHUNK)
    while rows := op.get_bind().execute(query.where(table.c.id > last)).mappings().all():
        last = rows[-1]["id"]
        for row in rows:
            texts = {name: _clean_column(table.c[name], row[name]) for name in names if row[name]}
            if values := {name: text for name, text in texts.items() if text != row[name]}:
                yield row["id"], values


def _clean_column(column: sa.Column[Any], text: str) -> str:
    before = _value(column, text)
    after = _clean(before)
    return text if after == before else after if isinstance(after, str) else json.dumps(after, ensure_ascii=False)


def _value(column: sa.Column[Any], text: str) -> Any:
    """What a text of the database stands for: long columns have JSON, or a plain text of an old version."""
    try:
        return json.loads(text) if isinstance(column.type, sa.Text) else text
    except (ValueError, RecursionError):
        return text


def _clean(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_clean, value))
    if isinstance(value, dict):
        return {name: _clean(inner) for name, inner in value.items()}
    return unicodedata.normalize("NFC", AT_ENDS.sub("", value)) if isinstance(value, str) else value


def _clean_records(name: str) -> int:
    """Clean the records of a table, each with a revision of its own; returns how many."""
    connection, table, revisions, pictures = op.get_bind(), *map(_table, (name, "revisions", "revision_pictures"))
    names = [column.name for column in table.c if isinstance(column.type, sa.String) and column.name not in TECHNICAL]
    again = {
        "at": datetime.now(UTC),
        "by": None,
        "by_name": "",
        "via": "command",
        "action": "saved",
        "batch": uuid4().hex,
    }
    found = list(_cleaned(table, names))
    for key, values in found:
        newest = sa.select(revisions).where(revisions.c.of_table == name, revisions.c.record_id == key)
        last = connection.execute(newest.order_by(revisions.c.number.desc()).limit(1)).mappings().one()
        number, snapshot = last["number"] + 1, json.loads(last["snapshot"])
        snapshot |= {column: _value(table.c[column], text) for column, text in values.items()}
        row = {**last, **again, "number": number, "label": snapshot["name"], "changed": json.dumps(list(values))}
        row |= {"snapshot": json.dumps(snapshot, ensure_ascii=False), "restored_from": None}
        del row["id"]
        added = connection.execute(revisions.insert().values(row).returning(revisions.c.id)).scalar_one()
        same = sa.select(sa.literal(added), pictures.c.key).where(pictures.c.revision_id == last["id"])
        connection.execute(pictures.insert().from_select(["revision_id", "key"], same))
        changed = table.update().where(table.c.id == key).values(version=number, updated_at=again["at"], **values)
        connection.execute(changed)
    return len(found)


def downgrade() -> None:
    # What was cleaned stays clean.
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION fold(text)")
