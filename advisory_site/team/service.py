"""Reads and changes team members in the database."""

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
from ..records.saving import free_slug, gone, load, refuse_if_newer, save, write
from ..records.slug_redirects import not_found_or_moved, present_slug
from .fields import MemberCard, MemberDraft, MemberForm, MemberPage, MemberRow, form_of, slug_for
from .models import TeamMember, columns

NOT_FOUND = "Team Member Not Found"
IS_PUBLIC = columns.is_active
LIST_OPTIONS = ListOptions(
    searched=(columns.name, columns.slug, columns.designation, columns.email),
    sorts={
        "name": sa.func.lower(columns.name),
        "designation": sa.func.lower(columns.designation),
        "email": sa.func.lower(columns.email),
        "order": columns.display_order,
        "status": columns.is_active,
    },
    default=(columns.display_order, sa.func.lower(columns.name)),
    id=columns.id,
)
FILTERS = {ACTIVE_ONLY: IS_PUBLIC, INACTIVE_ONLY: sa.not_(IS_PUBLIC)}


def list_public(session: Session) -> list[MemberCard]:
    """The active members by display order, then name."""
    query = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.designation,
        columns.bio,
        columns.image_url,
        columns.linkedin_url,
        columns.email,
        columns.display_order,
        columns.expertise,
    ).where(IS_PUBLIC)
    # Sorted here, because databases have different collations.
    rows = sorted(session.execute(query), key=lambda row: (row.display_order, row.name.casefold(), row.id))
    return [
        MemberCard(
            slug=row.slug,
            name=row.name,
            designation=row.designation,
            bio=row.bio,
            image_url=image_url(row.image_url),
            linkedin_url=web_url(row.linkedin_url),
            email=row.email,
            display_order=row.display_order,
            expertise=text_list(row.expertise),
        )
        for row in rows
    ]


def get_public(session: Session, slug: object) -> MemberPage:
    """The page of one active member. Raises `NotFound`, or its subclass `Moved` if the slug has changed."""
    query = sa.select(TeamMember).where(columns.slug == slug, IS_PUBLIC)
    member = session.execute(query).scalar_one_or_none() if may_be_slug(slug) else None
    if member is None:
        raise not_found_or_moved(session, columns.slug, IS_PUBLIC, slug, NOT_FOUND)
    return MemberPage(
        slug=member.slug,
        name=member.name,
        designation=member.designation,
        bio=member.bio,
        detailed_bio=member.detailed_bio,
        image_url=image_url(member.image_url),
        linkedin_url=web_url(member.linkedin_url),
        email=member.email,
        achievements=text_list(member.achievements),
        expertise=text_list(member.expertise),
    )


def resolve_slug(session: Session, slug: object) -> str | None:
    """The current slug of the active member who has this slug or had it; None if there is none."""
    return present_slug(session, columns.slug, IS_PUBLIC, slug)


def list_slugs_public(session: Session) -> list[tuple[str, datetime]]:
    """The slug and last change of every active member."""
    query = sa.select(columns.slug, columns.updated_at).where(IS_PUBLIC)
    return [(slug, updated_at) for slug, updated_at in session.execute(query.order_by(columns.slug))]


def list_admin(session: Session, actor: Actor, query: ListQuery) -> Page[MemberRow]:
    """One page of all members for staff, by display order and name unless sorted otherwise."""
    require(actor, Action.MANAGE_TEAM)
    rows, total, page, pages = paginate(session, _select_rows(query), query, LIST_OPTIONS)
    shown = tuple(
        MemberRow(
            id=row.id,
            slug=row.slug,
            name=row.name,
            designation=row.designation,
            email=row.email,
            image_url=image_url(row.image_url),
            display_order=row.display_order,
            is_active=row.is_active,
        )
        for row in rows
    )
    return Page(shown, total, page, pages)


def page_of(session: Session, actor: Actor, query: ListQuery, record: int) -> int:
    """The number of the list's page that a record is on; 0 if search or filter exclude it."""
    require(actor, Action.MANAGE_TEAM)
    return listing.page_of(session, _select_rows(query), query, LIST_OPTIONS, record)


def _select_rows(query: ListQuery) -> sa.Select[Any]:
    statement = sa.select(
        columns.id,
        columns.slug,
        columns.name,
        columns.designation,
        columns.email,
        columns.image_url,
        columns.display_order,
        columns.is_active,
    )
    return statement.where(FILTERS[query.filter]) if query.filter in FILTERS else statement


def get_for_edit(session: Session, actor: Actor, member_id: object) -> MemberForm:
    """The form of a member; raises `NotFound` if there is none."""
    require(actor, Action.MANAGE_TEAM)
    return form_of(load(session, TeamMember, member_id, messages.MEMBERS_FETCH_FAILED))


def get_stored(session: Session, actor: Actor, member_id: object) -> MemberForm | None:
    """The form of a stored member; None if they were deleted."""
    require(actor, Action.MANAGE_TEAM)
    member = session.get(TeamMember, record_id(member_id), populate_existing=True)
    return form_of(member) if member else None


def create(session: Session, actor: Actor, draft: MemberDraft) -> int:
    """Add a member, with a slug made from the name; returns the id."""
    require(actor, Action.MANAGE_TEAM)
    member = TeamMember(name=draft.name, slug=free_slug(session, columns.slug, slug_for(draft.name)))
    write(member, draft.stored(), actor)
    return save(session, member, slug_is_typed=False)


def update(
    session: Session,
    actor: Actor,
    member_id: object,
    draft: MemberDraft,
    version: int,
    overwrite: bool = False,
) -> None:
    """Save a member who was read at this version; a new name gets a new slug.

    Raises `SavedSince` if a newer version was saved, unless `overwrite`, and `NotFound` if the member was deleted.
    """
    require(actor, Action.MANAGE_TEAM)
    member = load(session, TeamMember, member_id, gone(messages.MEMBER_SAVE_FAILED))
    if not overwrite:
        refuse_if_newer(session, member, version)
    values = draft.changes(form_of(member))
    if slug_for(draft.name) != slug_for(member.name):
        values["slug"] = free_slug(session, columns.slug, slug_for(draft.name), except_id=member.id)
    write(member, values, actor)
    save(session, member, slug_is_typed=False)


def delete(session: Session, actor: Actor, member_id: object) -> None:
    """Delete a member; raises `NotFound` if they were already deleted."""
    require(actor, Action.MANAGE_TEAM)
    delete_record(session, load(session, TeamMember, member_id, gone(messages.MEMBER_DELETE_FAILED)))
