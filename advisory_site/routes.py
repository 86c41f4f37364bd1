"""The addresses of this site: every path that the kit does not have is written here once."""

from urllib.parse import urlencode

from sitekit.base import paths

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
INSIGHTS = "/insights"
INSIGHT = "/insights/[slug]"
FEED = "/insights/feed.xml"
TERMS = "/terms"
ADMIN_ENQUIRIES = "/admin/enquiries"
ADMIN_ENQUIRY = "/admin/enquiries/[id]"
ADMIN_STAGE_OWNERS = "/admin/enquiries/owners"
PLACEHOLDER_COMPANY = "/images/placeholder-company.svg"
STRATEGIC_SUPPORT = "strategic-support"
SCALE_MODEL = f"{WHAT_WE_DO}#{STRATEGIC_SUPPORT}"
FOR_FOUNDERS = f"{paths.HOME}#{STRATEGIC_SUPPORT}"


def company_page(slug: str) -> str:
    """The public page of one company; takes a string or a Reflex var."""
    return f"{COMPANIES}/{slug}"


def team_profile_page(slug: str) -> str:
    """The public page of one team member."""
    return f"/team-profile/{slug}"


def advisor_page(slug: str) -> str:
    """The public page of one advisor."""
    return f"/advisor/{slug}"


def article_page(slug: str) -> str:
    """The public page of one article."""
    return f"{INSIGHTS}/{slug}"


def insights_about(topic: str) -> str:
    """The list of the articles on a topic."""
    return f"{INSIGHTS}?{urlencode({'topic': topic})}"


def advisors_with(field: str) -> str:
    """The list of the advisors who have one field of expertise."""
    return f"{ADVISORS}?{urlencode({'field': field})}"


def members_with(field: str) -> str:
    """The directory of the members who have one field of expertise."""
    return f"{TEAM_PROFILES}?{urlencode({'field': field})}#{paths.LIST}"


def enquiry_page(enquiry: str | int) -> str:
    """The page of one enquiry; takes a string or a Reflex var."""
    return f"{ADMIN_ENQUIRIES}/{enquiry}"


def member_edit_page(member_id: str | int) -> str:
    """The dialog that edits one team member, on the tab."""
    return paths.admin_tab("teams", {"edit": str(member_id)})
