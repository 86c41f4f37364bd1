"""Roles, actions, the policy table, and `require()`."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from .errors import Forbidden, ProofNeeded


class Role(StrEnum):
    """The role of a signed-in user."""

    ADMIN = "admin"
    MANAGER = "manager"
    EMPLOYEE = "employee"


class Action(StrEnum):
    """An action in the back office."""

    VIEW_STATISTICS = "view statistics"
    LIST_USERS = "list users"
    CHANGE_ROLES = "change roles"
    INVITE_USERS = "invite users"
    VIEW_ACCOUNTS = "view the accounts of users"
    MANAGE_ACCOUNTS = "manage the accounts of users"
    EXPORT_LISTS = "export lists"
    MANAGE_COMPANIES = "manage companies"
    MANAGE_TEAM = "manage team members"
    MANAGE_ADVISORS = "manage advisors"
    MANAGE_MEDIA = "manage pictures"
    MANAGE_ENQUIRIES = "manage enquiries"
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
        """Whether the last proof is recent enough for the actions in `NEEDS_PROOF`."""
        return self.proved_at is not None and self.proved_at > datetime.now(UTC) - PROOF_LIFE


STAFF = frozenset(Role)
ADMINS = frozenset({Role.ADMIN})

# The roles that may perform each action.
POLICY: dict[Action, frozenset[Role]] = {
    Action.VIEW_STATISTICS: STAFF,
    Action.LIST_USERS: STAFF,
    Action.CHANGE_ROLES: ADMINS,
    Action.INVITE_USERS: ADMINS,
    Action.VIEW_ACCOUNTS: ADMINS,
    Action.MANAGE_ACCOUNTS: ADMINS,
    Action.EXPORT_LISTS: STAFF,
    Action.MANAGE_COMPANIES: STAFF,
    Action.MANAGE_TEAM: STAFF,
    Action.MANAGE_ADVISORS: STAFF,
    Action.MANAGE_MEDIA: STAFF,
    Action.MANAGE_ENQUIRIES: STAFF,
    Action.MANAGE_MAIL: ADMINS,
    Action.MANAGE_PERSONAL_DATA: ADMINS,
    Action.VIEW_OPERATIONS: ADMINS,
    Action.CHANGE_SIGN_IN: STAFF,
    Action.VIEW_OWN_ACTIVITY: STAFF,
    Action.VIEW_CONTENT_ACTIVITY: frozenset({Role.ADMIN, Role.MANAGER}),
    Action.VIEW_ALL_ACTIVITY: ADMINS,
}

# The actions for which an open or stolen session is not enough: the user has proved within `PROOF_LIFE` who they are.
NEEDS_PROOF = frozenset(
    {
        Action.CHANGE_ROLES,
        Action.INVITE_USERS,
        Action.MANAGE_ACCOUNTS,
        Action.MANAGE_PERSONAL_DATA,
        Action.EXPORT_LISTS,
        Action.CHANGE_SIGN_IN,
    }
)
PROOF_LIFE = timedelta(minutes=15)

_REFUSALS = {
    Action.CHANGE_ROLES: "Only admins can change user roles",
    Action.INVITE_USERS: "Only admins can invite people",
}


def may(actor: Actor | None, action: Action) -> bool:
    """Whether the role allows this action."""
    return actor is not None and actor.role in POLICY[action]


def is_within(role: Role, other: Role) -> bool:
    """Whether a role allows nothing that the other one does not."""
    return all(other in roles for roles in POLICY.values() if role in roles)


def require(actor: Actor | None, action: Action) -> None:
    """Raise `Forbidden` unless the actor may perform this action, and `ProofNeeded` if they have to prove first."""
    if actor is None or not may(actor, action):
        raise Forbidden(_REFUSALS.get(action, "You may not do this."))
    if action in NEEDS_PROOF and not actor.is_proved:
        raise ProofNeeded("Please confirm that it is you.")
