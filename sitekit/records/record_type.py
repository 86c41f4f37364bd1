"""Record types: a table with the operations on its records, which are the same for all types."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import sqlalchemy as sa
from sqlmodel import Session

from ..base import messages, paths
from ..base.db.database import read_session
from ..base.errors import NotFound
from ..base.permissions import Actor, require
from ..base.text import capitalised, may_be_slug, record_id
from ..base.typography import typeset_record
from . import batch, listing, saving, versions
from .edits import Edit, IfTaken
from .fields.group import group_options
from .fields.picture import unanswered_after
from .finding import Findable
from .inputs import RecordData, form_of
from .listing import ACTIVE_ONLY, INACTIVE_ONLY, WITH_DRAFT, ListOptions, ListPage, ListQuery, paginate
from .pictures.held import with_pictures
from .proposals import has_draft
from .record import ORDER
from .record_form import RecordForm
from .record_table import Kept, RecordTable
from .record_texts import RecordTexts
from .saving import LastSave
from .selection import Selection
from .slug_redirects import not_found_or_moved, present_slug

Card = TypeVar("Card")
Profile = TypeVar("Profile")
Row = TypeVar("Row")
Shown = TypeVar("Shown")


@dataclass(frozen=True)
class StaffPages:
    """The paths of the form of a record with an id (or a slug), of that of a new one, and of the import.

    `new_page` is empty if staff add none.
    """

    edit_page: Callable[[Any], str]
    new_page: str
    import_page: str

    def new_page_with(self, parameter: str, value: Any) -> str:
        """The form of a new record with a query parameter; takes a string or a Reflex var."""
        return f"{self.new_page}{'&' if '?' in self.new_page else '?'}{parameter}={value}"


def pages_in(folder: str) -> StaffPages:
    """Pages that are all in one folder, such as `/admin/companies`."""
    return StaffPages(lambda record: f"{folder}/{record}/edit", f"{folder}/new", f"{folder}/import")


@dataclass(frozen=True, eq=False)
class RecordType(RecordTable[Kept], Generic[Kept, Card, Profile, Row]):
    """A table of records, and the functions that read and change them. Declared once per feature.

    `order` are the columns that order the public list (`-` descends), `card`, `profile` and `row` the dataclasses that
    the public list, a public page and the back office's list show (see `selection`). `slug_for` makes a slug from a
    name, if none is typed; `page` is the path of the public page with a slug. `tab` is the tab of the back office with
    the list; without one, `list_path` is the list's path. `staff_pages` are the others, with a slug in place of the id
    if `is_edited_by_slug`. `noun` is what a record is called, `plural` what several are, `note` the column that says
    more beside its name. `shown_on`: labels of the pages that show it, by path, if not its own. `own_texts`: other
    `texts`.
    """

    noun: str
    plural: str
    card: type[Card]
    profile: type[Profile]
    row: type[Row]
    order: tuple[str, ...]
    options: ListOptions
    slug_for: Callable[[str], str]
    page: Callable[[str], str]
    tab: str
    staff_pages: StaffPages
    note: str
    is_edited_by_slug: bool = False
    list_path: str = ""
    shown_on: Callable[[str], Mapping[str, str]] | None = None
    own_texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What a record is called, as a title."""
        return capitalised(self.noun)

    def number_of(self, records: int) -> str:
        """How many records there are, in words: "1 company", "3 companies"."""
        return f"{records} {self.noun if records == 1 else self.plural}"

    @cached_property
    def texts(self) -> RecordTexts:
        """The replies to actions with the records."""
        return RecordTexts.about(self.noun, self.plural, **self.own_texts)

    @cached_property
    def _profiles(self) -> Selection[Profile]:
        return Selection(self.table, self.profile, self.fields)

    @cached_property
    def _rows(self) -> Selection[Row]:
        return Selection(self.table, self.row, self.fields)

    def list_page(self, parameters: Mapping[str, str] = MappingProxyType({})) -> str:
        """The path of the back office's list, with query parameters."""
        own = f"{self.list_path}?{urlencode(parameters)}".rstrip("?")
        return paths.admin_tab(self.tab, parameters) if self.tab else own

    def form_page(self, record: int, slug: str) -> str:
        """The path of the form of a record."""
        return self.staff_pages.edit_page(slug if self.is_edited_by_slug else record)

    @cached_property
    def findable(self) -> Findable:
        """How a record is found by the search of all records."""
        return Findable(
            self.table_name,
            self.title,
            self.read_action,
            self.columns.name,
            self.columns[self.note],
            self.options,
            lambda row: self.form_page(row.id, row.slug),
            (self.columns.slug,),
            shown_on=self.shown_on,
        )

    def copied_form(self, session: Session, actor: Actor, id_or_slug: object) -> RecordForm:
        """The form of a new record with the values of another one; it is hidden, and has a slug that is free."""
        require(actor, self.change_action)
        form, blank = self.get_for_edit(session, actor, id_or_slug), self.blank_form()
        fresh = {ORDER: ""} if self.is_ordered else {}
        hidden = self.fields[self.publishing.column].field_type.form_text(self.publishing.hidden)
        name = messages.COPY_OF.format(name=form.texts["name"])
        if "slug" in form.texts:
            fresh["slug"] = saving.free_slug(session, self.columns.slug, self.slug_for(name))
        return replace(blank, texts=form.texts | fresh | {"name": name, self.publishing.column: hidden}, rows=form.rows)

    # For visitors

    @staticmethod
    def read(read: Callable[[Session], Shown]) -> Shown:
        """What `read` finds in a session of its own, with all its texts typeset. Runs in a thread."""
        with read_session() as session:
            return typeset_record(read(session))

    def list_public(self, session: Session) -> list[Card]:
        """The public records, in order."""
        return self.select_public(session, self.card)

    def select_public(self, session: Session, shape: type[Shown], *fit: sa.ColumnElement[bool]) -> list[Shown]:
        """The public records, or those of them that fit, as another dataclass than their cards, in order."""
        rows = Selection(self.table, shape, self.fields).select(session, sa.and_(self.is_public, *fit), self.order)
        return with_pictures(session, rows)

    def beside(
        self, session: Session, slug: str, shape: type[Shown], *fit: sa.ColumnElement[bool]
    ) -> tuple[Shown, Shown]:
        """The public records before and after the one with this slug, in a list that begins again at its end.

        One that is not in the list is followed by the first. Of two each is shown once, as the following one; a record
        alone has empty ones beside it.
        """
        listed: list[Any] = self.select_public(session, shape, *fit)
        place = next((place for place, record in enumerate(listed) if record.slug == slug), -1)
        others = [*listed[place + 1 :], *listed[: max(place, 0)]]
        return others[-1] if len(others) > 1 else shape(), others[0] if others else shape()

    def get_public(self, session: Session, slug: object) -> Profile:
        """One public record. Raises `NotFound`, or its subclass `RecordMoved` if the slug has changed."""
        query = sa.select(*self._profiles.columns).where(self.columns.slug == slug, self.is_public)
        row = session.execute(query).first() if may_be_slug(slug) else None
        if row is None:
            raise not_found_or_moved(session, self.columns.slug, self.is_public, slug, self.texts.missing)
        return with_pictures(session, [self._profiles.make(row)])[0]

    def resolve_slug(self, session: Session, slug: object) -> str | None:
        """The current slug of the public record that has this slug or had it; None if there is none."""
        return present_slug(session, self.columns.slug, self.is_public, slug)

    def list_slugs_public(self, session: Session) -> list[tuple[str, datetime]]:
        """The slug and last change of every public record."""
        query = sa.select(self.columns.slug, self.columns.updated_at).where(self.is_public).order_by(self.columns.slug)
        return [(slug, updated_at) for slug, updated_at in session.execute(query)]

    # For staff

    def list_admin(self, session: Session, actor: Actor, query: ListQuery) -> ListPage[Row]:
        """One page of all records, public or not."""
        require(actor, self.read_action)
        rows, total, page, pages = paginate(session, self._select_rows(query), query, self.options)
        return ListPage(tuple(map(self._rows.make, rows)), total, page, pages, query.size)

    def list_choices(self, session: Session, actor: Actor) -> dict[str, list[str]]:
        """The values to filter the list by, by facet."""
        require(actor, self.read_action)
        return listing.choices(session, self.options)

    def page_of(self, session: Session, actor: Actor, query: ListQuery, record: int) -> int:
        """The number of the list's page that a record is on; 0 if search or filter exclude it."""
        require(actor, self.read_action)
        return listing.page_of(session, self._select_rows(query), query, self.options, record)

    def select_ids(self, query: ListQuery) -> sa.Select[Any]:
        """The query of the ids of the records that search and filters show, in the order of the list.

        With `query.ids`, only of those among them.
        """
        rows = self._select_rows(query)
        if query.ids:
            rows = rows.where(self.columns.id.in_(query.ids))
        return listing.ordered_ids(rows, query, self.options)

    def _select_rows(self, query: ListQuery) -> sa.Select[Any]:
        statement = sa.select(*self._rows.columns)
        if query.filter == ACTIVE_ONLY:
            return statement.where(self.is_public)
        if query.filter == WITH_DRAFT:
            return statement.where(has_draft(self.table_name, self.columns.id))
        return statement.where(sa.not_(self.is_public)) if query.filter == INACTIVE_ONLY else statement

    def get_for_edit(self, session: Session, actor: Actor, id_or_slug: object) -> RecordForm:
        """The form of a record, public or not, by its id, or by a slug that it has or had. Raises `NotFound`."""
        require(actor, self.read_action)
        slug, record = self.columns.slug, None
        if not self.is_edited_by_slug:
            record = saving.load(session, self.table, id_or_slug, self.texts.fetch_failed)
        elif present := present_slug(session, slug, sa.true(), id_or_slug):
            record = session.execute(sa.select(self.table).where(slug == present)).scalar_one_or_none()
        if record is None:
            raise NotFound(self.texts.fetch_failed)
        return self.described_form(session, record)

    def list_options(self, session: Session, actor: Actor, form: RecordForm) -> dict[str, list[list[str]]]:
        """What a form offers: for a field that names a record of another type, the slugs and names of these; for one
        that decides a filter, the values of other records.
        """
        require(actor, self.read_action)
        own = replace(self.options, facets={name: self.columns[name] for name in self.faceted})
        values = listing.choices(session, own)
        suggested = {name: [[value, value] for value in offered] for name, offered in values.items()}
        named = {name: to.options(session, form.texts[name]) for name, to in self.references.items()}
        return suggested | named | group_options(session, self.groups, form.rows)

    def is_new_choice(self, session: Session, actor: Actor, name: str, text: str, except_id: int) -> bool:
        """Whether a text in a field that decides a filter would give the filter a new value."""
        require(actor, self.change_action)
        column = self.options.facets[self.faceted[name]]
        value = text if column is self.columns[name] else text.rpartition(",")[2].strip()
        is_same = listing.has_value(column, value, self.options) & (self.columns.id != except_id)
        return bool(value) and session.execute(sa.select(self.columns.id).where(is_same).limit(1)).first() is None

    def get_stored(self, session: Session, actor: Actor, typed_id: object) -> RecordForm | None:
        """The form of a stored record; None if it was deleted."""
        require(actor, self.read_action)
        record = session.get(self.table, record_id(typed_id), populate_existing=True)
        return self.described_form(session, record) if record else None

    def last_save(self, session: Session, actor: Actor, record: int) -> LastSave:
        """Who last saved a record and when, and its page while it is public."""
        require(actor, self.read_action)
        return saving.last_save(session, self.columns.slug, self.is_public, self.page, record)

    def is_slug_free(self, session: Session, actor: Actor, slug: str, except_id: object = None) -> bool:
        """Whether no other record has this slug."""
        require(actor, self.change_action)
        return saving.is_free(session, self.columns.slug, slug, except_id)

    def create(self, session: Session, actor: Actor, data: RecordData) -> int:
        """Add a record; returns its id. Raises `InvalidInput` if another record has the typed slug."""
        require(actor, self.change_action)
        edit = self.new_edit(data)
        self.apply(session, actor, [edit])
        return int(edit.record.id)

    def update(
        self,
        session: Session,
        actor: Actor,
        typed_id: object,
        data: RecordData,
        version: int,
        overwrite: bool = False,
    ) -> None:
        """Save a record that was read at this version. A slug that is not typed follows the name.

        Raises `SavedSince` if a newer version was saved, unless `overwrite`, `NotFound` if the record was deleted, and
        `InvalidInput` if another record has the typed slug.
        """
        require(actor, self.change_action)
        record = saving.load(session, self.table, typed_id, saving.gone(self.texts.update_failed))
        if not overwrite:
            versions.refuse_if_changed(session, actor, record, version)
        place = versions.present_place(session, record, dict(data), version)
        self.change(session, actor, record, data.model_copy(update=place))

    def change(self, session: Session, actor: Actor, record: Kept, data: RecordData) -> None:
        """Save a record that this transaction has read. Raises `InvalidInput` if another has the typed slug."""
        require(actor, self.change_action)
        self.apply(session, actor, [self.edit(record, form_of(record, self.fields), data)])

    def new_edit(self, data: RecordData) -> Edit:
        """What `apply` adds for a draft. Needs no database."""
        values = data.stored()
        if self.is_ordered and data.display_order is None:
            values[ORDER] = None
        return self._edit(self.table(**values), values, data, has_new_slug=True)

    def edit(self, record: Kept, form: RecordForm, data: RecordData) -> Edit:
        """What `apply` changes of a record, whose form this is, for a draft. Needs no database."""
        has_new_slug = self._is_slug_changed(data, form, record)
        return self._edit(record, data.changes(form, record), data, has_new_slug=has_new_slug)

    def _edit(self, record: Kept, values: dict[str, Any], data: RecordData, *, has_new_slug: bool) -> Edit:
        values.pop("slug", None)
        typed = dict(data)
        values["unanswered"] = unanswered_after(self.picture_fields, typed, record.unanswered)
        if not has_new_slug:
            return Edit(record, values, typed=typed)
        if "slug" in self.fields and data.slug:
            return Edit(record, values, data.slug, IfTaken.REFUSE, typed)
        return Edit(record, values, self.slug_for(data.name), IfTaken.NUMBER, typed)

    def apply(self, session: Session, actor: Actor, edits: Sequence[Edit]) -> None:
        """Write what was typed into records, all or none; an error tells the `row` of the first one that is refused.

        Raises `InvalidInput`, also if another record has a typed slug, and `Conflict` if one was saved since.
        """
        require(actor, self.change_action)
        batch.check_uses(session, actor, self, edits)
        batch.write(session, actor, self, edits)

    def delete(self, session: Session, actor: Actor, typed_id: object) -> None:
        """Delete a record; raises `NotFound` if it was already deleted."""
        require(actor, self.change_action)
        record = saving.load(session, self.table, typed_id, saving.gone(self.texts.delete_failed))
        saving.delete(session, actor, record)

    def _is_slug_changed(self, data: RecordData, form: RecordForm, record: Any) -> bool:
        was, made = form.texts.get("slug", self.slug_for(record.name)), self.slug_for(data.name)
        return bool((data.slug if "slug" in self.fields else made) != was)


AnyRecordType = RecordType[Any, Any, Any, Any]
