"""The words around what pages of fixed copy show of the records."""

from sitekit.ui.copy import Link, changeable

from .. import routes

PEOPLE_LINKS = changeable(
    (
        Link("Meet the team", routes.TEAM),
        Link("See the companies", routes.COMPANIES, context="we work with"),
    )
)
VOICES_TITLE = changeable("What founders say")
MARKS_TITLE = changeable("Companies we work with")
MARKS_LINK = changeable(Link("All companies we work with", routes.COMPANIES))
CASES_LABEL = "Companies"
CASES_AND = "and"
CASES_MORE = "more"
