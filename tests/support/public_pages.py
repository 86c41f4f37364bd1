"""The addresses of the public pages."""

from advisory_site import routes
from sitekit.base import paths

# One page of each kind; all records of a kind have the same page.
PUBLIC = (
    "/",
    "/why-us",
    "/what-we-do",
    "/how-we-work",
    "/contact",
    "/companies",
    "/companies/treacle-tech",
    "/team",
    "/team-profiles",
    "/team-profile/adeline-koh",
    "/meet-our-team",
    "/advisors",
    "/advisor/farah-nabila-ismail",
    "/insights",
    "/insights/toko-tally-the-loan-book-that-had-to-go",
    "/privacy",
    "/terms",
)


# Pages whose addresses contain no slug.
STATIC = [
    paths.HOME,
    routes.WHY_US,
    routes.WHAT_WE_DO,
    routes.HOW_WE_WORK,
    routes.CONTACT,
    routes.COMPANIES,
    routes.TEAM,
    routes.TEAM_PROFILES,
    routes.MEET_OUR_TEAM,
    routes.ADVISORS,
    routes.INSIGHTS,
    paths.PRIVACY,
    routes.TERMS,
]
