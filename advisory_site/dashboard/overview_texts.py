"""The texts of the overview on the dashboard."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sitekit.admin.worklist import Counted
from sitekit.base import paths


@dataclass(frozen=True, slots=True)
class Tile:
    """One number of the dashboard and what it counts."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that a role can do, and where; `href` is empty if it has no place of its own."""

    text: str
    href: str = ""


GREETING_MORNING = "Good morning"
GREETING_AFTERNOON = "Good afternoon"
GREETING_EVENING = "Good evening"
ADD_NAME = "Add your name"
WELCOME = "Welcome to your {role} dashboard. Here's what you can do:"
_USERS, _TEAM = paths.admin_tab("users"), paths.admin_tab("teams")
CAPABILITIES: Mapping[str, tuple[Capability, ...]] = MappingProxyType(
    {
        "admin": (
            Capability("Full system access"),
            Capability("User management", _USERS),
            Capability("Role assignment", _USERS),
            Capability("System configuration"),
            Capability("All reports and analytics"),
        ),
        "manager": (
            Capability("Team management", _TEAM),
            Capability("View user lists", _USERS),
            Capability("Generate reports"),
            Capability("Monitor team activities", paths.ADMIN_ACTIVITY),
        ),
        "employee": (
            Capability("Personal dashboard"),
            Capability("Assigned tasks"),
            Capability("Profile updates", paths.ADMIN_PROFILE),
            Capability("Basic features"),
        ),
    }
)

FACTOR_FROM = "From"  # before the day
FACTOR_DUE = "you need a second step to sign in, such as a code from your phone."
FACTOR_SET_UP = "Set it up now"

TOTAL_USERS = Tile("Total Users", "Registered in the system")
ADMINISTRATORS = Tile("Administrators", "Full system access")
MANAGERS = Tile("Managers", "Team leadership")
EMPLOYEES = Tile("Employees", "Standard access")

TO_ANSWER = "To answer"
TO_ANSWER_NONE = "No enquiries to answer."
ENQUIRIES_WAITING = "waiting for a reply"
ENQUIRIES_OVERDUE = "overdue"
ENQUIRIES_OPEN = "Read enquiries"
ENQUIRIES_BY_WEEK = "Enquiries by week"
ENQUIRIES_BY_WEEK_NONE = "No enquiries in the last eight weeks."

CHANGES = "Recent changes"
CHANGES_NONE = "Companies, team members and advisors appear here when they are saved."
ALL_ACTIVITY = "All activity"

ATTENTION = "Needs attention"
MAIL_FAILED = Counted("email has failed", "emails have failed")
WITHOUT_LOGO = Counted("active company without a logo", "active companies without a logo")
WITHOUT_LINKEDIN = Counted("active team member without LinkedIn", "active team members without LinkedIn")
RELEASED_ENQUIRIES = Counted("enquiry whose owner’s account was closed", "enquiries whose owners’ accounts were closed")
REPLIES_FAILED = Counted("enquiry whose reply was not sent", "enquiries whose replies were not sent")
UNUSED_PICTURES = Counted("older picture is not used", "older pictures are not used")
TEXTS_GONE = Counted("changed text is no longer on the site", "changed texts are no longer on the site")
