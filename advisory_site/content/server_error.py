"""The copy of the page for a request that could not be answered because of an error of ours."""

from ..core import routes
from .firm import FIRM
from .shared import Link

PAGE_TITLE = f"Something went wrong | {FIRM.name}"
TITLE = "Something went wrong"
TEXT = f"This is our fault. Please try again in a moment, or write to {FIRM.email}."
HOME_LINK = Link("Return to Home", routes.HOME)
