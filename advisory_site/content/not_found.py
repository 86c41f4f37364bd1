"""The copy of the page for an unknown address."""

from sitekit.base import paths
from sitekit.ui.copy import Link, SeoText

from .. import routes
from .firm import FIRM

SEO = SeoText(
    title=f"Page not found | {FIRM.name}",
    description="There is no page at this address. It may have moved, or the link that brought you here "
    "may be mistyped. Return to the home page to go on.",
)

CODE = "404"
TITLE = "Oops! Page not found"
TEXT = "The address may be mistyped, or the page may have moved. These are the pages most people look for."
HOME_LINK = Link("Return to Home", paths.HOME)
OTHER_LINKS = (
    Link("What We Do", routes.WHAT_WE_DO),
    Link("Companies", routes.COMPANIES),
    Link("Advisors", routes.ADVISORS),
    Link("Contact", routes.CONTACT),
)
