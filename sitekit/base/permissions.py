"""Roles, actions, the policy table, and `require()`.

A site adds the actions of its own records at start: a subclass of `AnyAction`, and their lines of `POLICY`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from .errors import Forbidden, ReauthenticationNeeded


class Role(StrEnum):
    """The role of a signed-in user."""

    ADMIN = "admin"
    MANAGER = "manager"
    EMPLOYEE = "employee"


class AnyAction(StrEnum):
    """An action in the back office, of the kit or of a site."""


class Action(AnyAction):
    """The actions of the kit."""

    VIEW_STATISTICS = "view statistics"
    LIST_USERS = "list users"
    CHANGE_ROLES = "change roles"
    INVITE_USERS = "invite users"
    VIEW_ACCOUNTS = "view the accounts of users"
    MANAGE_ACCOUNTS = "manage the accounts of users"
    EXPORT_LISTS = "export lists"
    ERASE_RECORDS = "erase records and their versions permanently"
    READ_MEDIA = "read pictures"
    CHANGE_MEDIA = "change pictures"
    READ_TEXTS = "read the texts of pages"
    CHANGE_TEXTS = "change the texts of pages"
    MANAGE_MAIL = "manage outgoing mail"
    MANAGE_PERSONAL_DATA = "export and erase what is held about a person"
    VIEW_OPERATIONS = "view backups and health"
    CHANGE_SIGN_IN = "change one's own ways of signing in"
    VIEW_OWN_ACTIVITY = "view one's own activity"
    VIEW_CONTENT_ACTIVITY = "view what was done to content"
    VIEW_ALL_ACTIVITY = "view all activity"


@dataclass(frozen=True)
class Actor:
    """The signed-in user who calls a service, as the database has them now.

    `proved_at` is when they last proved who they are in this session.
    """

    user_id: int
    role: Role
    proved_at: datetime | None = None

    @property
    def is_proved(self) -> bool:
        """Whether the last reauthentication is recent enough for the actions in `NEEDS_REAUTHENTICATION`."""
        return self.proved_at is not None and self.proved_at > datetime.now(UTC) - REAUTHENTICATION_LIFE


# Written out: a role that is added may nothing until a line says so.
STAFF = frozenset({Role.ADMIN, Role.MANAGER, Role.EMPLOYEE})
MANAGERS = frozenset({Role.ADMIN, Role.MANAGER})
ADMINS = frozenset({Role.ADMIN})

# The roles that may perform each action.
POLICY: dict[AnyAction, frozenset[Role]] = {
    Action.VIEW_STATISTICS: STAFF,
    Action.LIST_USERS: STAFF,
    Action.CHANGE_ROLES: ADMINS,
    Action.INVITE_USERS: ADMINS,
    Action.VIEW_ACCOUNTS: ADMINS,
    Action.MANAGE_ACCOUNTS: ADMINS,
    Action.EXPORT_LISTS: STAFF,
    Action.ERASE_RECORDS: ADMINS,
    Action.READ_MEDIA: STAFF,
    Action.CHANGE_MEDIA: STAFF,
    Action.READ_TEXTS: STAFF,
    Action.CHANGE_TEXTS: MANAGERS,
    Action.MANAGE_MAIL: ADMINS,
    Action.MANAGE_PERSONAL_DATA: ADMINS,
    Action.VIEW_OPERATIONS: ADMINS,
    Action.CHANGE_SIGN_IN: STAFF,
    Action.VIEW_OWN_ACTIVITY: STAFF,
    Action.VIEW_CONTENT_ACTIVITY: MANAGERS,
    Action.VIEW_ALL_ACTIVITY: ADMINS,
}

# The actions for which an open or stolen session is not enough: the user has proved who they are within
# `REAUTHENTICATION_LIFE`.
NEEDS_REAUTHENTICATION: frozenset[AnyAction] = frozenset(
    {
        Action.CHANGE_ROLES,
        Action.INVITE_USERS,
        Action.MANAGE_ACCOUNTS,
        Action.MANAGE_PERSONAL_DATA,
        Action.ERASE_RECORDS,
        Action.EXPORT_LISTS,
        Action.CHANGE_SIGN_IN,
    }
)
REAUTHENTICATION_LIFE = timedelta(minutes=15)

_REFUSALS: dict[AnyAction, str] = {
    Action.CHANGE_ROLES: "Only admins can change user roles",
    Action.INVITE_USERS: "Only admins can invite people",
}


def may(actor: Actor | None, action: AnyAction) -> bool:
    """Whether the role allows this action."""
    return actor is not None and actor.role in POLICY[action]


def is_within(role: Role, other: Role) -> bool:
    """Whether a role allows nothing that the other one does not."""
    return all(other in roles for roles in POLICY.values() if role in roles)


def require(actor: Actor | None, action: AnyAction) -> None:
    """Raise `Forbidden` unless the actor may perform this action, or `ReauthenticationNeeded`."""
    if actor is None or not may(actor, action):
        raise Forbidden(_REFUSALS.get(action, "You may not do this."))
    if action in NEEDS_REAUTHENTICATION and not actor.is_proved:
        raise ReauthenticationNeeded("Please confirm that it is you.")
