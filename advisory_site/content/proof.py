"""The words around what pages of fixed copy show of the records."""

from ..core import routes
from .shared import Link

PEOPLE_LINKS = (
    Link("Meet the team", routes.TEAM),
    Link("See the companies", routes.COMPANIES, context="we work with"),
)
VOICES_TITLE = "What founders say"
MARKS_TITLE = "Companies we work with"
MARKS_LINK = Link("All companies we work with", routes.COMPANIES)
CASES_LABEL = "Companies"
CASES_AND = "and"
CASES_MORE = "more"
