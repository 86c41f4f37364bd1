"""Record types: a table with the operations on its records, which are the same for all types."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlmodel import Session

from ..content import media_texts, messages
from ..core.errors import InvalidInput, NotFound
from ..core.permissions import Action, Actor, require
from ..core.pictures import key_of
from ..core.text import may_be_slug, record_id
from . import listing, references, saving
from .inputs import (
    ALT,
    DECORATIVE,
    STAMP,
    FormField,
    Group,
    RecordDraft,
    RecordForm,
    description_texts,
    draft_of,
    form_fields,
    form_of,
)
from .listing import ACTIVE_ONLY, INACTIVE_ONLY, ListOptions, ListQuery, Page, paginate
from .pictures import Description, describe, descriptions, hold, shown_keys, undescribed, with_pictures
from .record import Publishing, Record
from .references import Reference
from .saving import LastSave
from .selection import Selection
from .slug_redirects import not_found_or_moved, present_slug

ORDER = "display_order"

Kept = TypeVar("Kept", bound=Record)
Card = TypeVar("Card")
Profile = TypeVar("Profile")
Row = TypeVar("Row")
Shown = TypeVar("Shown")


@dataclass(frozen=True)
class RecordTexts:
    """The replies to actions of staff and visitors with the records of a type."""

    missing: str
    list_failed: str
    fetch_failed: str
    created: str
    create_failed: str
    updated: str
    update_failed: str
    delete_confirm: str
    deleted: str
    delete_failed: str


@dataclass(frozen=True, eq=False)
class RecordType(Generic[Kept, Card, Profile, Row]):
    """A table of records, and the functions that read and change them. Declared once per feature.

    `action` is what a user must be allowed to do to manage them, `publishing` which of them visitors see, `order` the
    columns that order the public list. `card`, `profile` and `row` are the dataclasses that the public list, a public
    page and the back office's list show (see `selection`). `slug_for` makes a slug from a name, if none is typed;
    `page` is the path of the public page with a slug. `edit_page` is the path of the form with an id, or with a slug if
    `is_edited_by_slug`; `tab` is the tab of the back office with the list. `noun` is what a record is called.
    """

    noun: str

    table: type[Kept]
    card: type[Card]
    profile: type[Profile]
    row: type[Row]
    action: Action
    publishing: Publishing
    order: tuple[str, ...]
    options: ListOptions
    texts: RecordTexts
    slug_for: Callable[[str], str]
    page: Callable[[str], str]
    tab: str
    edit_page: Callable[[Any], str]
    is_edited_by_slug: bool = False

    @property
    def title(self) -> str:
        """What a record is called, as a title."""
        return self.noun[0].upper() + self.noun[1:]

    @property
    def table_name(self) -> str:
        """The name of the table."""
        return str(self.table.__tablename__)

    @property
    def columns(self) -> Any:
        """The columns of the table, for queries."""
        return self.table.__table__.c  # type: ignore[attr-defined]

    @property
    def is_public(self) -> sa.ColumnElement[bool]:
        """Whether visitors see a record."""
        public: sa.ColumnElement[bool] = self.columns[self.publishing.column] == self.publishing.public
        return public

    @property
    def is_ordered(self) -> bool:
        """Whether staff put the records in order."""
        return ORDER in self.fields

    @cached_property
    def fields(self) -> Mapping[str, FormField]:
        """The fields of the form, by the name of their column, in order."""
        return form_fields(self.table)

    @cached_property
    def groups(self) -> Mapping[str, Group]:
        """The repeating groups of the form."""
        return {name: one.input for name, one in self.fields.items() if isinstance(one.input, Group)}

    @cached_property
    def picture_fields(self) -> tuple[str, ...]:
        """The columns that hold the address of a picture."""
        return tuple(name for name, one in self.fields.items() if one.input.picture)

    @cached_property
    def references(self) -> Mapping[str, Reference]:
        """The columns that name records of another type."""
        return {name: one.input.refers_to for name, one in self.fields.items() if one.input.refers_to}

    @cached_property
    def compared_inputs(self) -> tuple[str, ...]:
        """The inputs that are checked together: whether a picture needs a description depends on the others."""
        pictures = [name + ending for name in self.picture_fields for ending in ("", ALT, DECORATIVE, STAMP)]
        return (self.publishing.column, *pictures)

    @cached_property
    def draft(self) -> type[RecordDraft]:
        """The class that reads the form of a record."""
        return draft_of(self.table, self.fields, self.publishing)

    @cached_property
    def _profiles(self) -> Selection[Profile]:
        return Selection(self.table, self.profile, self.fields)

    @cached_property
    def _rows(self) -> Selection[Row]:
        return Selection(self.table, self.row, self.fields)

    def form_page(self, record: int, slug: str) -> str:
        """The path of the form of a record."""
        return self.edit_page(slug if self.is_edited_by_slug else record)

    def blank_form(self) -> RecordForm:
        """The form of a new record. Its place is empty: it comes last."""
        form = self._described(form_of(self.table(), self.fields), {})
        return replace(form, texts=form.texts | ({ORDER: ""} if self.is_ordered else {}))

    def described_form(self, session: Session, record: Any) -> RecordForm:
        """The form of a record, stored or of a version, with what describes its pictures."""
        form = form_of(record, self.fields)
        keys = {key_of(form.texts[name]) for name in self.picture_fields} - {""}
        return self._described(form, descriptions(session, keys))

    def _described(self, form: RecordForm, stored: Mapping[str, Description]) -> RecordForm:
        texts = dict(form.texts)
        for name in self.picture_fields:
            texts |= description_texts(name, stored.get(key_of(form.texts[name])))
        return replace(form, texts=texts)

    def copied_form(self, session: Session, actor: Actor, wanted: object) -> RecordForm:
        """The form of a new record with the values of another one; it is hidden, and has no slug yet."""
        require(actor, self.action)
        form, blank = self.get_for_edit(session, actor, wanted), self.blank_form()
        fresh = {name: blank.texts[name] for name in ("slug", ORDER) if name in blank.texts}
        hidden = self.fields[self.publishing.column].kind.form_text(self.publishing.hidden)
        name = messages.COPY_OF.format(name=form.texts["name"])
        return replace(blank, texts=form.texts | fresh | {"name": name, self.publishing.column: hidden}, rows=form.rows)

    # For visitors

    def list_public(self, session: Session) -> list[Card]:
        """The public records, in order."""
        return self.select_public(session, self.card)

    def select_public(self, session: Session, shown: type[Shown]) -> list[Shown]:
        """The public records as another dataclass than their cards, in order."""
        selection = Selection(self.table, shown, self.fields)
        return with_pictures(session, selection.select(session, self.is_public, self.order))

    def get_public(self, session: Session, slug: object) -> Profile:
        """One public record. Raises `NotFound`, or its subclass `Moved` if the slug has changed."""
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
        slug = self.columns.slug
        query = sa.select(slug, self.columns.updated_at).where(self.is_public).order_by(slug)
        return [(slug, updated_at) for slug, updated_at in session.execute(query)]

    # For staff

    def list_admin(self, session: Session, actor: Actor, query: ListQuery) -> Page[Row]:
        """One page of all records, public or not."""
        require(actor, self.action)
        rows, total, page, pages = paginate(session, self._select_rows(query), query, self.options)
        return Page(tuple(map(self._rows.make, rows)), total, page, pages, query.size)

    def list_choices(self, session: Session, actor: Actor) -> dict[str, list[str]]:
        """The values to filter the list by, for each of its facets."""
        require(actor, self.action)
        return listing.choices(session, self.options)

    def page_of(self, session: Session, actor: Actor, query: ListQuery, record: int) -> int:
        """The number of the list's page that a record is on; 0 if search or filter exclude it."""
        require(actor, self.action)
        return listing.page_of(session, self._select_rows(query), query, self.options, record)

    def select_ids(self, query: ListQuery) -> sa.Select[Any]:
        """The query of the ids of the records that search and filters show, in the order of the list.

        With `query.ids`, only of those among them.
        """
        rows = self._select_rows(query)
        return listing.ordered_ids(
            rows.where(self.columns.id.in_(query.ids)) if query.ids else rows, query, self.options
        )

    def _select_rows(self, query: ListQuery) -> sa.Select[Any]:
        statement = sa.select(*self._rows.columns)
        if query.filter == ACTIVE_ONLY:
            return statement.where(self.is_public)
        return statement.where(sa.not_(self.is_public)) if query.filter == INACTIVE_ONLY else statement

    def get_for_edit(self, session: Session, actor: Actor, wanted: object) -> RecordForm:
        """The form of a record, public or not, by its id, or by a slug that it has or had. Raises `NotFound`."""
        require(actor, self.action)
        slug, record = self.columns.slug, None
        if not self.is_edited_by_slug:
            record = saving.load(session, self.table, wanted, self.texts.fetch_failed)
        elif present := present_slug(session, slug, sa.true(), wanted):
            record = session.execute(sa.select(self.table).where(slug == present)).scalar_one_or_none()
        if record is None:
            raise NotFound(self.texts.fetch_failed)
        return self.described_form(session, record)

    def list_options(self, session: Session, actor: Actor, form: RecordForm) -> dict[str, list[list[str]]]:
        """The slugs and names to choose from in a form, for each field that names a record of another type."""
        require(actor, self.action)
        return {name: references.options(session, to, form.texts[name]) for name, to in self.references.items()}

    def get_stored(self, session: Session, actor: Actor, wanted: object) -> RecordForm | None:
        """The form of a stored record; None if it was deleted."""
        require(actor, self.action)
        record = session.get(self.table, record_id(wanted), populate_existing=True)
        return self.described_form(session, record) if record else None

    def last_save(self, session: Session, actor: Actor, record: int) -> LastSave:
        """Who last saved a record and when, and its page while it is public."""
        require(actor, self.action)
        return saving.last_save(session, self.columns.slug, self.is_public, self.page, record)

    def is_slug_free(self, session: Session, actor: Actor, slug: str, except_id: object = None) -> bool:
        """Whether no other record has this slug."""
        require(actor, self.action)
        return saving.is_free(session, self.columns.slug, slug, except_id)

    def create(self, session: Session, actor: Actor, draft: RecordDraft) -> int:
        """Add a record; returns its id. Raises `InvalidInput` if another record has the typed slug."""
        require(actor, self.action)
        record = self.table()
        values = draft.stored() | {"slug": self._slug(session, draft)}
        if self.is_ordered and draft.display_order is None:
            values[ORDER] = self._last_place(session) + 1
        self._refuse_unknown(session, values)
        self._use_pictures(session, actor, draft, values)
        saving.write(session, record, values, actor)
        return saving.save(session, record, slug_is_typed=self._is_typed(draft))

    def update(
        self,
        session: Session,
        actor: Actor,
        wanted: object,
        draft: RecordDraft,
        version: int,
        overwrite: bool = False,
    ) -> None:
        """Save a record that was read at this version. A slug that is not typed follows the name.

        Raises `SavedSince` if a newer version was saved, unless `overwrite`, `NotFound` if the record was deleted, and
        `InvalidInput` if another record has the typed slug.
        """
        require(actor, self.action)
        record = saving.load(session, self.table, wanted, saving.gone(self.texts.update_failed))
        if not overwrite:
            saving.refuse_if_newer(session, record, version)
        self.change(session, actor, record, draft)

    def change(self, session: Session, actor: Actor, record: Kept, draft: RecordDraft) -> None:
        """Save a record that this transaction has read. Raises `InvalidInput` if another has the typed slug."""
        require(actor, self.action)
        form = form_of(record, self.fields)
        values = draft.changes(form, record)
        if self._is_slug_changed(draft, form, record):
            values["slug"] = self._slug(session, draft, record.id)
        self._refuse_unknown(session, values)
        self._use_pictures(session, actor, draft, values, record)
        saving.write(session, record, values, actor)
        saving.save(session, record, slug_is_typed=self._is_typed(draft))

    def delete(self, session: Session, actor: Actor, wanted: object) -> None:
        """Delete a record; raises `NotFound` if it was already deleted."""
        require(actor, self.action)
        record = saving.load(session, self.table, wanted, saving.gone(self.texts.delete_failed))
        saving.delete(session, record, actor)

    def shown_pictures(self, record: Any, **changes: Any) -> dict[str, str]:
        """The keys of the uploaded pictures that a record shows to visitors after these changes, by field."""
        names = (self.publishing.column, *self.picture_fields)
        values = {name: getattr(record, name) for name in names} if record else {}
        return shown_keys(self.publishing, self.picture_fields, values | changes)

    def refuse_undescribed(self, session: Session, values: Mapping[str, Any], record: Any = None) -> None:
        """Raise `InvalidInput` if a save begins to show visitors a picture without a description.

        Without a `record` all its pictures are new. What a public record shows already may stay.
        """
        before = self.shown_pictures(record).items() if record else {}.items()
        shown = dict(self.shown_pictures(record, **values).items() - before)
        missing = undescribed(session, {*shown.values()})
        if missing:
            name = values.get("name") or record.name
            errors = {f"{field}{ALT}": media_texts.DESCRIBE for field, key in shown.items() if key in missing}
            raise InvalidInput(media_texts.UNDESCRIBED.format(name=name), errors)

    def _refuse_unknown(self, session: Session, values: Mapping[str, Any]) -> None:
        """Raise `InvalidInput` if a save begins to name a record of another type that never was."""
        named = {name: slug for name in self.references if (slug := values.get(name))}
        unknown = [name for name, slug in named.items() if not references.known(session, self.references[name], {slug})]
        if unknown:
            raise InvalidInput(messages.FIELDS_INVALID, dict.fromkeys(unknown, messages.REFERENCE_UNKNOWN))

    def _use_pictures(
        self, session: Session, actor: Actor, draft: RecordDraft, values: Mapping[str, Any], record: Any = None
    ) -> None:
        """Reserve the pictures that will be used, and save their typed descriptions."""
        require(actor, self.action)
        self._hold_pictures(session, values)
        for name, description in draft.descriptions().items():
            describe(session, actor, key_of(getattr(draft, name)), description, name + ALT)
        self.refuse_undescribed(session, values, record)

    def _hold_pictures(self, session: Session, values: Mapping[str, Any]) -> None:
        """Keep the uploaded pictures that are about to be used. Raises `InvalidInput` if one does not exist."""
        pictures = (name for name in self.picture_fields if name in values)
        keys = {name: key for name in pictures if (key := key_of(values[name] or ""))}
        missing = {*keys.values()} - hold(session, {*keys.values()})
        if missing:
            errors = {name: messages.PICTURE_GONE for name, key in keys.items() if key in missing}
            raise InvalidInput(messages.PICTURE_GONE, errors)

    def _last_place(self, session: Session) -> int:
        return session.execute(sa.select(sa.func.max(self.columns[ORDER]))).scalar() or 0

    def _is_typed(self, draft: RecordDraft) -> bool:
        return "slug" in self.fields and bool(draft.slug)

    def _is_slug_changed(self, draft: RecordDraft, form: RecordForm, record: Any) -> bool:
        if "slug" in self.fields:
            return bool(draft.slug != form.texts["slug"])
        return self.slug_for(draft.name) != self.slug_for(record.name)

    def _slug(self, session: Session, draft: RecordDraft, except_id: object = None) -> str:
        """The typed slug, or a free one made from the name. Raises `InvalidInput` if the typed slug is taken."""
        slug = self.columns.slug
        if not self._is_typed(draft):
            return saving.free_slug(session, slug, self.slug_for(draft.name), except_id)
        if not saving.is_free(session, slug, draft.slug, except_id):
            raise saving.slug_taken()
        return str(draft.slug)


AnyRecordType = RecordType[Any, Any, Any, Any]
