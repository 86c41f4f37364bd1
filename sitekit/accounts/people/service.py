"""Reads and changes people and their roles in the database."""

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, SQLModel, col

from ...base import messages, paths
from ...base.db.database import now, rows_changed
from ...base.db.folding import folded
from ...base.errors import Conflict, InvalidInput, NotFound
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...base.permissions import Action, Actor, Role, may, require
from ...base.settings import get_settings
from ...base.text import is_mailable, one_line
from ...base.times import iso_text
from ...records import activity, preview_links
from ...records.features import close_account
from ...records.finding import Findable
from ...records.listing import ListOptions, ListPage, ListQuery, ordered_ids, paginate
from .. import mails, owner_mails
from ..form_data import NamesData, email_of
from ..models import Credential, Profile, UserRole, is_active
from ..password.passwords import check_new_password, hash_password

PROFILES = "profiles"


@dataclass(frozen=True)
class UserRow:
    """A user in the list; times are ISO texts in UTC. Only those who may change roles see the last three fields."""

    id: int = 0
    email: str = ""
    name: str = ""
    role: str = ""
    since: str = ""
    is_confirmed: bool = False
    signed_in: str = ""
    is_deactivated: bool = False


# For queries: to a type checker, an attribute of the class has the type of its value.
_profiles, _roles, _credentials = (SQLModel.metadata.tables[name].c for name in (PROFILES, "user_roles", "credentials"))
_is_confirmed = _credentials.email_confirmed_at.is_not(None).label("is_confirmed")
_OPTIONS = ListOptions(
    searched=(_profiles.email, _profiles.first_name, _profiles.last_name),
    sorts={
        "name": (folded(_profiles.first_name), folded(_profiles.last_name)),
        "email": _profiles.email,
        "role": (_roles.role, _profiles.email),
        "created": _profiles.created_at,
    },
    default=(_profiles.created_at.desc(), _profiles.id.desc()),
    id=_profiles.id,
)
_ADMIN_SORTS = {
    "confirmed": (_credentials.email_confirmed_at.is_not(None), _profiles.email),
    # Databases differ in where they sort those who have never signed in: here, before all others.
    "signed_in": (_profiles.last_signed_in_at.is_not(None), _profiles.last_signed_in_at),
}
_ADMIN_OPTIONS = dataclasses.replace(_OPTIONS, sorts={**_OPTIONS.sorts, **_ADMIN_SORTS})

FINDABLE = Findable(
    PROFILES,
    "Person",
    Action.VIEW_ACCOUNTS,
    sa.func.coalesce(
        sa.func.nullif(sa.func.trim(_profiles.first_name + " " + _profiles.last_name), ""), _profiles.email
    ),
    _profiles.email,
    _OPTIONS,
    lambda row: paths.person_page(row.id),
    is_listed=_profiles.id.in_(sa.select(_roles.user_id)),
)


def has_admin(session: Session) -> bool:
    """Whether there is an admin whose account is active."""
    return session.execute(_active_admins()).first() is not None


def create_admin(session: Session, email: str, password: str, first_name: str = "", last_name: str = "") -> int:
    """Create an admin account with a confirmed email address; returns the user's id.

    Raises `InvalidInput`, `WeakPassword`, or `Conflict` if the account exists.
    """
    email = email_of(email)
    if not is_mailable(email):
        raise InvalidInput(messages.EMAIL_INVALID, {"email": messages.EMAIL_INVALID})
    check_new_password(password, (email, first_name, last_name))
    if session.execute(sa.select(col(Profile.id)).where(col(Profile.email) == email)).first():
        raise Conflict(f"There is already an account for {email}.")
    password_hash = hash_password(password, get_settings().bcrypt_cost)
    profile = Profile(email=email, first_name=one_line(first_name), last_name=one_line(last_name))
    session.add(profile)
    session.flush()
    assert profile.id is not None
    session.add(UserRole(user_id=profile.id, role=Role.ADMIN))
    session.add(Credential(user_id=profile.id, password_hash=password_hash, email_confirmed_at=now()))
    subject = f"{email}, {Role.ADMIN}"
    activity.log(session, AuditEvent.ACCOUNT_CREATED, subject, of_table=PROFILES, record_id=profile.id)
    return profile.id


def user_id_of(session: Session, email: str) -> int:
    """The id of the account with this address. Raises `NotFound`."""
    user_id = session.execute(sa.select(col(Profile.id)).where(col(Profile.email) == email_of(email))).scalar()
    if user_id is None:
        raise NotFound(f"There is no account for {email_of(email)}.")
    return int(user_id)


def count_by_role(session: Session, actor: Actor | None) -> dict[Role, int]:
    """The number of users of each role."""
    require(actor, Action.VIEW_STATISTICS)
    counted = dict(session.execute(sa.select(col(UserRole.role), sa.func.count()).group_by(col(UserRole.role))).all())
    return {role: counted.get(role, 0) for role in Role}


def count_profiles(session: Session, actor: Actor | None) -> int:
    """The number of registered users, with a role or without."""
    require(actor, Action.VIEW_STATISTICS)
    registered: int = session.execute(sa.select(sa.func.count()).select_from(Profile)).scalar_one()
    return registered


def list_users(session: Session, actor: Actor | None, query: ListQuery) -> ListPage[UserRow]:
    """One page of users who have a role, newest first unless sorted otherwise; `query.filter` is one role."""
    require(actor, Action.LIST_USERS)
    sees_all = may(actor, Action.CHANGE_ROLES)
    rows, total, page, pages = paginate(session, _select_users(query), query, _options(actor))
    return ListPage(tuple(_row(row, sees_all) for row in rows), total, page, pages, query.size)


def select_user_ids(actor: Actor | None, query: ListQuery) -> sa.Select[Any]:
    """The query of the ids of the users who have a role, in the order of the list."""
    return ordered_ids(_select_users(query), query, _options(actor))


def _select_users(query: ListQuery) -> sa.Select[Any]:
    statement = (
        sa.select(*_profiles, _roles.role, _is_confirmed)
        .join(UserRole, _roles.user_id == _profiles.id)
        .outerjoin(Credential, _credentials.user_id == _profiles.id)
    )
    return statement.where(_roles.role == query.filter) if query.filter in tuple(Role) else statement


def _options(actor: Actor | None) -> ListOptions:
    return _ADMIN_OPTIONS if may(actor, Action.CHANGE_ROLES) else _OPTIONS


def _row(row: Any, sees_all: bool) -> UserRow:
    name = f"{row.first_name} {row.last_name}".strip()
    user_row = UserRow(row.id, row.email, name, row.role, iso_text(row.created_at))
    if not sees_all:
        return user_row
    return dataclasses.replace(
        user_row,
        is_confirmed=row.is_confirmed,
        signed_in=iso_text(row.last_signed_in_at),
        is_deactivated=row.deactivated_at is not None,
    )


def change_role(session: Session, actor: Actor | None, user_id: int, role: str) -> None:
    """Change a user's role. Raises `Forbidden`, `NotFound`, or `Conflict` for the last admin."""
    require(actor, Action.CHANGE_ROLES)
    set_role(session, user_id, role, by=actor.user_id if actor else None)


def set_role(session: Session, user_id: int, role: str, by: int | None = None) -> None:
    """Set a user's role without checking an actor, for the command line."""
    if role not in tuple(Role):
        raise InvalidInput(messages.ROLE_UPDATE_FAILED, {"role": messages.ROLE_UPDATE_FAILED})
    allowed = sa.or_(
        col(UserRole.role) != Role.ADMIN, sa.literal(role) == Role.ADMIN, has_another_admin(session, user_id)
    )
    changed = session.execute(
        sa.update(UserRole)
        .where(col(UserRole.user_id) == user_id, col(UserRole.role) != role, allowed)
        .values(role=role)
        .execution_options(synchronize_session=False)
    )
    if rows_changed(changed):
        subject = f"{email_by_id(session, user_id)} is {role}"
        activity.log(session, AuditEvent.ROLE_CHANGED, subject, by=by, of_table=PROFILES, record_id=user_id)
        owner_mails.enqueue(session, user_id, partial(mails.ROLE_CHANGED, role=role))
        return
    current = session.execute(sa.select(col(UserRole.role)).where(col(UserRole.user_id) == user_id)).scalar()
    if current is None:
        raise NotFound(messages.ROLE_UPDATE_FAILED)
    if current != role:
        raise Conflict(messages.LAST_ADMIN)


def delete_account(session: Session, user_id: int, by: int | None = None) -> None:
    """Delete a user's account, sessions and links without checking an actor, for the command line.

    Links to previews end too. Records that the user saved stay, and so does their name in the history and the activity.
    Mail that waits for them is not sent. Raises `NotFound`, or `Conflict` for the last admin.
    """
    email = email_by_id(session, user_id)
    preview_links.revoke_all_of(session, user_id)
    close_account(session, user_id)
    deleted = session.execute(
        sa.delete(Profile)
        .where(col(Profile.id) == user_id, is_not_the_last_admin(session, user_id))
        .execution_options(synchronize_session=False)
    )
    if rows_changed(deleted):
        outbox.suspend_to(session, email, messages.MAIL_HELD_BACK_ACCOUNT)
        activity.log(session, AuditEvent.ACCOUNT_DELETED, email, by=by, of_table=PROFILES, record_id=user_id)
        return
    if session.get(Profile, user_id) is None:
        raise NotFound(messages.PERSON_MISSING)
    raise Conflict(messages.LAST_ADMIN_DELETED)


def email_by_id(session: Session, user_id: int) -> str:
    """The address of a user, for a line of activity."""
    return (
        session.execute(sa.select(col(Profile.email)).where(col(Profile.id) == user_id)).scalar() or f"user {user_id}"
    )


def is_not_the_last_admin(session: Session, user_id: int) -> sa.ColumnElement[bool]:
    """The condition that this user is no admin, or not the only one, for the statement that removes the user."""
    is_admin = sa.exists().where(col(UserRole.user_id) == user_id, col(UserRole.role) == Role.ADMIN)
    return sa.or_(~is_admin, has_another_admin(session, user_id))


def has_another_admin(session: Session, user_id: int) -> sa.ColumnElement[bool]:
    """The condition that there is another active admin, for the statement that removes this one."""
    admins = _active_admins()
    # PostgreSQL locks these rows until the transaction ends, so that two admins cannot remove each other at once;
    # always in the same order, so that they cannot deadlock. SQLite has one writer anyway.
    session.execute(admins.order_by(col(UserRole.user_id)).with_for_update(key_share=True)).all()
    others = sa.select(sa.func.count()).select_from(admins.where(col(UserRole.user_id) != user_id).subquery())
    return others.scalar_subquery() > 0


def _active_admins() -> sa.Select[Any]:
    return (
        sa.select(col(UserRole.user_id))
        .join(Profile, col(Profile.id) == col(UserRole.user_id))
        .where(col(UserRole.role) == Role.ADMIN, is_active())
    )


def active_admins(session: Session) -> list[int]:
    """The ids of the admins whose accounts are active."""
    return list(session.execute(_active_admins()).scalars())


def active_role(session: Session, user_id: int) -> Role | None:
    """The role of a user whose account is active; None for others."""
    of_user = sa.select(col(UserRole.role)).join(Profile, col(Profile.id) == col(UserRole.user_id))
    role = session.execute(of_user.where(col(UserRole.user_id) == user_id, is_active())).scalar_one_or_none()
    return Role(role) if role else None


def names(session: Session, actor: Actor) -> dict[str, str]:
    """The actor's own names, as their form shows them."""
    profile = session.get(Profile, actor.user_id)
    return {"first_name": profile.first_name, "last_name": profile.last_name} if profile else {}


def change_names(session: Session, actor: Actor, data: NamesData) -> None:
    """Change the actor's own names."""
    profile = session.get(Profile, actor.user_id)
    if profile is None:
        raise NotFound(messages.PROFILE_UPDATE_FAILED)
    if (profile.first_name, profile.last_name) == (data.first_name, data.last_name):
        return
    profile.first_name = data.first_name
    profile.last_name = data.last_name
    name = f"{data.first_name} {data.last_name}"
    activity.log(session, AuditEvent.NAMES_CHANGED, name, by=profile.id, of_table=PROFILES, record_id=profile.id)
