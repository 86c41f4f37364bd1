"""The copy of the page for a request that could not be answered because of an error of ours."""

from sitekit.base import paths
from sitekit.ui.copy import Link

from .firm import FIRM

PAGE_TITLE = f"Something went wrong | {FIRM.name}"
TITLE = "Something went wrong"
TEXT = f"This is our fault. Please try again in a moment, or write to {FIRM.email}."
HOME_LINK = Link("Return to Home", paths.HOME)
