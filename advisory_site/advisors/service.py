"""Reads and changes advisors in the database."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..content import messages
from ..core.permissions import Action, Actor, require
from ..core.text import image_url, may_be_slug, record_id, text_list, web_url
from ..records import listing
from ..records.listing import ACTIVE_ONLY, INACTIVE_ONLY, ListOptions, ListQuery, Page, paginate
from ..records.saving import delete as delete_record
from ..records.saving import free_slug, gone, is_free, load, refuse_if_newer, save, slug_taken, write
from ..records.slug_redirects import not_found_or_moved, present_slug
from .fields import (
    AdvisorCard,
    AdvisorDraft,
    AdvisorForm,
    AdvisorPage,
    AdvisorRow,
    form_of,
    services_of,
    slug_for,
    stats_of,
)
from .models import Advisor, columns
from .positions import experience_of

NOT_FOUND = messages.ADVISOR_NOT_FOUND
TAGS_SHOWN = 3
IS_PUBLIC = columns.is_active
LIST_OPTIONS = ListOptions(
    searched=(columns.name, columns.slug, columns.title, columns.company),
    sorts={
        "name": sa.func.lower(columns.name),
        "title": sa.func.lower(columns.title),
        "company": sa.func.lower(columns.company),
        "order": columns.display_order,
        "status": columns.is_active,
    },
    default=(columns.display_order, sa.func.lower(columns.name)),
    id=columns.id,
)
FILTERS = {ACTIVE_ONLY: IS_PUBLIC, INACTIVE_ONLY: sa.not_(IS_PUBLIC)}


def list_public(session: Session) -> list[AdvisorCard]:
    """The active advisors by display order, then name."""
    query = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.title,
        columns.bio,
        columns.image_url,
        columns.linkedin_url,
        columns.display_order,
        columns.expertise,
    ).where(IS_PUBLIC)
    # Sorted here, because databases have different collations.
    rows = sorted(session.execute(query), key=lambda row: (row.display_order, row.name.casefold(), row.id))
    return [
        AdvisorCard(
            slug=row.slug,
            name=row.name,
            title=row.title,
            bio=row.bio,
            image_url=image_url(row.image_url),
            linkedin_url=web_url(row.linkedin_url),
            expertise=text_list(row.expertise),
        )
        for row in rows
    ]


def get_public(session: Session, slug: object) -> AdvisorPage:
    """The profile of one active advisor. Raises `NotFound`, or its subclass `Moved` if the slug has changed."""
    query = sa.select(Advisor).where(columns.slug == slug, IS_PUBLIC)
    advisor = session.execute(query).scalar_one_or_none() if may_be_slug(slug) else None
    if advisor is None:
        raise not_found_or_moved(session, columns.slug, IS_PUBLIC, slug, NOT_FOUND)
    return AdvisorPage(
        slug=advisor.slug,
        name=advisor.name,
        title=advisor.title,
        company=advisor.company,
        location=advisor.location,
        tagline=advisor.tagline,
        bio=advisor.bio,
        detailed_bio=advisor.detailed_bio,
        image_url=image_url(advisor.image_url),
        cover_image_url=image_url(advisor.cover_image_url),
        linkedin_url=web_url(advisor.linkedin_url),
        email=advisor.email,
        availability=advisor.availability,
        expertise=text_list(advisor.expertise),
        stats=stats_of(advisor.stats),
        experience=experience_of(advisor.experience),
        services=services_of(advisor.services),
    )


def resolve_slug(session: Session, slug: object) -> str | None:
    """The current slug of the active advisor who has this slug or had it; None if there is none."""
    return present_slug(session, columns.slug, IS_PUBLIC, slug)


def list_slugs_public(session: Session) -> list[tuple[str, datetime]]:
    """The slug and last change of every active advisor."""
    query = sa.select(columns.slug, columns.updated_at).where(IS_PUBLIC)
    return [(slug, updated_at) for slug, updated_at in session.execute(query.order_by(columns.slug))]


def list_admin(session: Session, actor: Actor, query: ListQuery) -> Page[AdvisorRow]:
    """One page of all advisors for staff, by display order and name unless sorted otherwise."""
    require(actor, Action.MANAGE_ADVISORS)
    rows, total, page, pages = paginate(session, _select_rows(query), query, LIST_OPTIONS)
    return Page(tuple(_row(row) for row in rows), total, page, pages)


def _row(row: sa.Row[Any]) -> AdvisorRow:
    tags = text_list(row.expertise)
    return AdvisorRow(
        id=row.id,
        slug=row.slug,
        name=row.name,
        title=row.title,
        company=row.company,
        bio=row.bio,
        image_url=image_url(row.image_url),
        linkedin_url=web_url(row.linkedin_url),
        display_order=row.display_order,
        is_active=row.is_active,
        tags=tags[:TAGS_SHOWN],
        more_tags=max(0, len(tags) - TAGS_SHOWN),
    )


def page_of(session: Session, actor: Actor, query: ListQuery, record: int) -> int:
    """The number of the list's page that a record is on; 0 if search or filter exclude it."""
    require(actor, Action.MANAGE_ADVISORS)
    return listing.page_of(session, _select_rows(query), query, LIST_OPTIONS, record)


def _select_rows(query: ListQuery) -> sa.Select[Any]:
    statement = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.title,
        columns.company,
        columns.bio,
        columns.image_url,
        columns.linkedin_url,
        columns.display_order,
        columns.is_active,
        columns.expertise,
    )
    return statement.where(FILTERS[query.filter]) if query.filter in FILTERS else statement


def get_for_edit(session: Session, actor: Actor, advisor_id: object) -> AdvisorForm:
    """The form of an advisor; raises `NotFound` if there is none."""
    require(actor, Action.MANAGE_ADVISORS)
    return form_of(load(session, Advisor, advisor_id, messages.ADVISOR_FETCH_FAILED))


def is_slug_free(session: Session, actor: Actor, slug: str, except_id: object = None) -> bool:
    """Whether no other advisor has this slug."""
    require(actor, Action.MANAGE_ADVISORS)
    return is_free(session, columns.slug, slug, except_id)


def get_stored(session: Session, actor: Actor, advisor_id: object) -> AdvisorForm | None:
    """The form of a stored advisor; None if they were deleted."""
    require(actor, Action.MANAGE_ADVISORS)
    advisor = session.get(Advisor, record_id(advisor_id), populate_existing=True)
    return form_of(advisor) if advisor else None


def create(session: Session, actor: Actor, draft: AdvisorDraft) -> int:
    """Add an advisor, without testimonials; returns the id. Raises `InvalidInput` if another has the typed slug."""
    require(actor, Action.MANAGE_ADVISORS)
    advisor = Advisor(name=draft.name, slug=draft.slug)
    write(advisor, {**draft.stored(), "slug": _slug(session, draft)}, actor)
    return save(session, advisor, slug_is_typed=bool(draft.slug))


def update(
    session: Session,
    actor: Actor,
    advisor_id: object,
    draft: AdvisorDraft,
    version: int,
    overwrite: bool = False,
) -> None:
    """Save an advisor who was read at this version; the testimonials are not changed.

    Raises `SavedSince` if a newer version was saved, unless `overwrite`, and `NotFound` if the advisor was deleted.
    """
    require(actor, Action.MANAGE_ADVISORS)
    advisor = load(session, Advisor, advisor_id, gone(messages.ADVISOR_UPDATE_FAILED))
    if not overwrite:
        refuse_if_newer(session, advisor, version)
    values = draft.changes(form_of(advisor)) | draft.rewritten(advisor)
    if draft.slug != advisor.slug:
        values["slug"] = _slug(session, draft, advisor.id)
    write(advisor, values, actor)
    save(session, advisor, slug_is_typed=bool(draft.slug))


def _slug(session: Session, draft: AdvisorDraft, except_id: object = None) -> str:
    """The typed slug, or a free one made from the name. Raises `InvalidInput` if the typed slug is taken."""
    if not draft.slug:
        return free_slug(session, columns.slug, slug_for(draft.name), except_id)
    if not is_free(session, columns.slug, draft.slug, except_id):
        raise slug_taken()
    return draft.slug


def delete(session: Session, actor: Actor, advisor_id: object) -> None:
    """Delete an advisor; raises `NotFound` if they were already deleted."""
    require(actor, Action.MANAGE_ADVISORS)
    delete_record(session, load(session, Advisor, advisor_id, gone(messages.ADVISOR_DELETE_FAILED)))
