"""The addresses of the site: every path is written here once, as a constant or a builder."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlencode

HOME = "/"
WHY_US = "/why-us"
WHAT_WE_DO = "/what-we-do"
HOW_WE_WORK = "/how-we-work"
CONTACT = "/contact"
COMPANIES = "/companies"
COMPANY = "/companies/[slug]"
TEAM = "/team"
TEAM_PROFILES = "/team-profiles"
TEAM_PROFILE = "/team-profile/[slug]"
MEET_OUR_TEAM = "/meet-our-team"
ADVISORS = "/advisors"
ADVISOR = "/advisor/[slug]"
# The fragment of a filtered list, so that a choice does not lead back to the top of the page.
LIST = "list"
PRIVACY = "/privacy"
TERMS = "/terms"

AUTH = "/auth"
AUTH_FORGOT = "/auth/forgot"
AUTH_RESET = "/auth/reset"
AUTH_VERIFY = "/auth/verify"
AUTH_INVITATION = "/auth/invitation"
AUTH_EMAIL = "/auth/email"

ADMIN = "/admin"
ADMIN_COMPANY_NEW = "/admin/companies/new"
ADMIN_COMPANY_EDIT = "/admin/companies/[slug]/edit"
ADMIN_ADVISOR_NEW = "/admin/advisors/new"
ADMIN_ADVISOR_EDIT = "/admin/advisors/[id]/edit"
ADMIN_ENQUIRIES = "/admin/enquiries"
ADMIN_EXPORT = "/admin/export"
ADMIN_MEDIA = "/admin/media"
ADMIN_UPLOAD = "/admin/media/upload"
ADMIN_COMPANY_IMPORT = "/admin/companies/import"
ADMIN_MEMBER_IMPORT = "/admin/team/import"
ADMIN_ADVISOR_IMPORT = "/admin/advisors/import"
ADMIN_HISTORY = "/admin/history/[table]/[record]"
ADMIN_TRASH = "/admin/trash"
ADMIN_ACTIVITY = "/admin/activity"
ADMIN_INVITATIONS = "/admin/invitations"
ADMIN_PERSON = "/admin/users/[id]"
ADMIN_PERSONAL_DATA = "/admin/personal-data"
ADMIN_PROFILE = "/admin/profile"
ADMIN_SETTINGS = "/admin/settings"
ADMIN_TWO_STEP = "/admin/two-step"

# What is shown in place of a picture that is missing.
PLACEHOLDER_PERSON = "/images/placeholder-person.svg"
PLACEHOLDER_COMPANY = "/images/placeholder-company.svg"

# The back office: neither rendered for visitors nor shown to search engines.
PRIVATE = (AUTH, ADMIN)

# Home with a notice; shown after an email address has been confirmed.
CONFIRMED = "email=confirmed"
HOME_CONFIRMED = f"{HOME}?{CONFIRMED}"

STRATEGIC_SUPPORT = "strategic-support"
SCALE_MODEL = f"{WHAT_WE_DO}#{STRATEGIC_SUPPORT}"
FOR_FOUNDERS = f"{HOME}#{STRATEGIC_SUPPORT}"


def company_page(slug: str) -> str:
    """The public page of one company; takes a string or a Reflex var."""
    return f"{COMPANIES}/{slug}"


def team_profile_page(slug: str) -> str:
    """The public page of one team member."""
    return f"/team-profile/{slug}"


def advisor_page(slug: str) -> str:
    """The public page of one advisor."""
    return f"/advisor/{slug}"


def advisors_with(field: str) -> str:
    """The list of the advisors who have one field of expertise."""
    return f"{ADVISORS}?{urlencode({'field': field})}"


def admin_tab(tab: str, parameters: Mapping[str, str] = MappingProxyType({})) -> str:
    """The address of a back-office tab with its list parameters."""
    return f"{ADMIN}?{urlencode({'tab': tab, **parameters})}"


def company_edit_page(slug: str) -> str:
    """The form that edits one company."""
    return f"/admin/companies/{slug}/edit"


def member_edit_page(member_id: str | int) -> str:
    """The dialog that edits one team member, on the tab."""
    return admin_tab("teams", {"edit": str(member_id)})


def advisor_edit_page(advisor_id: str | int) -> str:
    """The form that edits one advisor."""
    return f"/admin/advisors/{advisor_id}/edit"


def person_page(user_id: str | int) -> str:
    """What admins see of one user; takes a string or a Reflex var."""
    return f"/admin/users/{user_id}"


def picture_page(picture: str | int) -> str:
    """The dialog of one uploaded picture, on the page of all; takes a string or a Reflex var."""
    return f"{ADMIN_MEDIA}?open={picture}"


def history_page(table: str, record: str | int) -> str:
    """The history of one record; takes strings or Reflex vars."""
    return f"/admin/history/{table}/{record}"
