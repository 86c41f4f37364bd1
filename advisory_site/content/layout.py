"""The copy of the frame of public pages: header links, menu labels, footer."""

from dataclasses import dataclass

from sitekit.base import paths
from sitekit.ui.copy import Link

from .. import routes
from .firm import FIRM


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """One column of the footer."""

    title: str
    links: tuple[Link, ...]


SKIP_LINK = "Skip to content"
LOGO_LABEL = f"{FIRM.name}, home"
NAVIGATION_LABEL = "Main"
FOOTER_NAVIGATION_LABEL = "Footer"
MENU_OPEN_LABEL = "Open menu"
MENU_CLOSE_LABEL = "Close menu"
CONTENTS_LABEL = "On this page"

NAVIGATION = (
    Link("Why Us", routes.WHY_US),
    Link("What We Do", routes.WHAT_WE_DO),
    Link("How We Work", routes.HOW_WE_WORK),
    Link("Advisors", routes.ADVISORS),
    Link("Contact", routes.CONTACT),
)
GET_STARTED = Link("Get Started", routes.CONTACT)
# The foot of the phone's menu; the email address and telephone number follow.
MENU_FOOT = (
    Link("Companies", routes.COMPANIES),
    Link("Team", routes.TEAM),
)

FOOTER_GROUPS = (
    LinkGroup(
        "Firm",
        (
            Link("Why Us", routes.WHY_US),
            Link("Team", routes.TEAM),
            Link("Advisors", routes.ADVISORS),
            Link("Ventures", routes.COMPANIES),
            Link("Insights", routes.INSIGHTS),
        ),
    ),
    LinkGroup(
        "Work",
        (
            Link("What We Do", routes.WHAT_WE_DO),
            Link("How We Work", routes.HOW_WE_WORK),
            Link("Scale Model", routes.SCALE_MODEL),
            Link("For Founders", routes.FOR_FOUNDERS),
        ),
    ),
)
FOOTER_LEGAL = (
    Link("Privacy Policy", paths.PRIVACY),
    Link("Terms of Service", routes.TERMS),
)
FOOTER_CONTACT_TITLE = "Reach us"
FOOTER_EMAIL = Link(FIRM.email, FIRM.email_href)
FOOTER_PHONE = Link(FIRM.phone, FIRM.phone_href)
FOOTER_SOCIAL = (
    Link("LinkedIn", FIRM.linkedin_url, external=True),
    Link("X (Twitter)", FIRM.x_url, external=True),
)
FOOTER_TAGLINE = FIRM.tagline
FOOTER_COPYRIGHT = FIRM.copyright_line

# Messages of pages whose content does not load.
LATE = "This is taking longer than it should."
RELOAD = "Load the page again."
NEEDS_SCRIPTS = "This page needs scripts at the moment. Please try again in a minute."
