"""The texts of the public pages, which staff may change: the record type, what visitors read, what lists show."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from ...base import paths
from ...base.db.database import read_session
from ...base.db.folding import folded
from ...base.permissions import Action, Actor, require
from ...base.text import text_name
from ...base.text_pages import pages_of
from ...base.times import iso_text
from ...base.typography import typeset
from ...records.activity import NAME, PROFILES
from ...records.csv_export import csv_of
from ...records.listing import ListOptions
from ...records.record import PUBLISHING
from ...records.record_type import RecordType, StaffPages
from ...ui.copy import ORIGINALS
from . import screen_texts as texts
from .fields import TextRow
from .models import Text, columns

# Every page that is rendered reads all texts, and the same ones until a text is changed.
_typeset = lru_cache(maxsize=2_000)(typeset)

IS_CHANGED = sa.and_(columns.is_active, columns.text != columns.name)
# Changes of texts that the site does not have any more.
IS_GONE = sa.and_(
    IS_CHANGED, columns.name.not_in(sa.bindparam("originals", expanding=True, callable_=lambda: list(ORIGINALS)))
)


TEXTS = RecordType(
    noun="text",
    plural="texts",
    table=Text,
    card=TextRow,
    profile=TextRow,
    row=TextRow,
    read_action=Action.READ_TEXTS,
    change_action=Action.CHANGE_TEXTS,
    publishing=PUBLISHING,
    order=("id",),
    options=ListOptions(
        searched=(columns.name, columns.text),
        sorts={"name": folded(columns.name)},
        default=(columns.id,),
        id=columns.id,
    ),
    slug_for=text_name,
    page=lambda slug: next(iter(pages_of(slug)), paths.HOME),
    tab="",
    list_path=paths.ADMIN_TEXTS,
    staff_pages=StaffPages(paths.text_edit_page, "", paths.ADMIN_TEXT_IMPORT),
    note="text",
    shown_on=pages_of,
    own_texts={"updated": texts.SAVED, "list_failed": texts.FETCH_FAILED, "fetch_failed": texts.FETCH_FAILED},
)

TEXTS_CSV = csv_of(TEXTS, "texts")


@dataclass(frozen=True)
class LastChange:
    """Who changed one of several texts last and when (ISO text in UTC), and how many of them are changed."""

    count: int = 0
    name: str = ""
    at: str = ""


def read_changed() -> dict[str, str]:
    """What visitors read in place of a text, by its original; of a text that the site no longer has, nothing."""
    query = sa.select(columns.name, columns.text).where(IS_CHANGED).order_by(columns.id)
    with read_session() as session:
        return {original: _typeset(text) for original, text in session.execute(query) if original in ORIGINALS}


def add_missing(session: Session) -> None:
    """Add a row, not used, for each text of the site that has none: so it can be found, exported and changed."""
    stored = set(session.execute(sa.select(columns.name)).scalars())
    rows = [
        {"name": original, "text": "", "slug": text_name(original), "is_active": False}
        for original in sorted(ORIGINALS - stored)
    ]
    if rows:
        insert: Any = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
        session.connection().execute(insert(columns.id.table).on_conflict_do_nothing(), rows)


def has_missing(session: Session) -> bool:
    """Whether a text of the site has no row."""
    stored = sa.select(sa.func.count()).where(columns.name.in_(ORIGINALS))
    return int(session.execute(stored).scalar() or 0) < len(ORIGINALS)


def list_texts(session: Session, actor: Actor, originals: Collection[str]) -> dict[str, TextRow]:
    """The rows of some texts, by their originals."""
    require(actor, Action.READ_TEXTS)
    query = sa.select(Text).where(columns.name.in_(originals)).order_by(columns.id)
    return {row.name: _row(row) for row in session.execute(query).scalars()}


def list_gone(session: Session, actor: Actor) -> list[TextRow]:
    """The changes of texts that the site does not have any more, newest first."""
    require(actor, Action.READ_TEXTS)
    query = sa.select(Text).where(IS_GONE).order_by(columns.updated_at.desc())
    return [_row(row) for row in session.execute(query).scalars()]


def last_changes(session: Session, actor: Actor, pages: Mapping[str, Collection[str]]) -> dict[str, LastChange]:
    """The number of changed texts of each page, and the last change of one, by path; `pages` has their originals."""
    require(actor, Action.READ_TEXTS)
    query = (
        sa.select(columns.name, IS_CHANGED.label("is_changed"), columns.updated_at, NAME.label("by"))
        .outerjoin(PROFILES, PROFILES.c.id == columns.updated_by)
        .where(columns.version > 1)
        .order_by(columns.updated_at)
    )
    rows = session.execute(query).all()
    changes = {}
    for path, originals in pages.items():
        of_page = [row for row in rows if row.name in originals]
        count = sum(row.is_changed for row in of_page)
        newest = of_page[-1] if of_page else None
        changes[path] = LastChange(count, newest.by or "", iso_text(newest.updated_at)) if newest else LastChange()
    return changes


def report() -> list[str]:
    """All texts that staff can change, each with its change below it, and the changes of those that are gone."""
    query = sa.select(columns.name, columns.text, columns.is_active).order_by(columns.name, columns.id)
    with read_session() as session:
        rows = [row for row in session.execute(query) if row.text]
    changes = {original: f"  {'now' if is_active else 'not used'}: {text}" for original, text, is_active in rows}
    on_site = [line for original in sorted(ORIGINALS) for line in (original, changes.pop(original, "")) if line]
    gone = [line for original, change in changes.items() for line in (original, change)]
    return [*on_site, *(["", "No longer on the site:", *gone] if gone else [])]


def _row(text: Text) -> TextRow:
    return TextRow(text.id or 0, text.slug, text.name, text.text, text.is_active, iso_text(text.updated_at))
