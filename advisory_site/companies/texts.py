"""The copy of the company pages: the list, and the labels of one company's page."""

from sitekit.ui.copy import CallToAction, Heading, Link, SeoText, changeable

from .. import routes
from ..content.firm import FIRM

SEO = changeable(
    SeoText(
        title=f"Ventures: companies we work with | {FIRM.name}",
        description="The growth-stage companies we work with across Southeast Asia: what each one does, who "
        "founded it, where it operates and how to reach it.",
    )
)
NAME = "Companies"
HERO = changeable(
    Heading(
        eyebrow="Clients and alumni",
        title="Companies we work with",
        text="They differ in industry and age. What they share is a product that customers pay for, and "
        "founders who wanted a second opinion before the next step. These are the ones who agreed to be named.",
    )
)
FEATURED_TITLE = "Cases"
LIST_TITLE = "All companies"
MORE_TITLE = "More companies"
EXITED_TITLE = changeable("Where they are now")
FILTERS_LABEL = "Filter the companies"
SECTOR_LABEL = "Sector"
COUNTRY_LABEL = "Country"
STAGE_LABEL = "Stage"
SINCE = "Since"
DETAILS_LABEL = "View Details"
LOGO_OF = "Logo of "  # before the name
CONTACT_LINK = Link("Get in Touch", routes.CONTACT)
TALK_LINK = changeable(Link(f"Talk to {FIRM.name}", routes.CONTACT))
LOADING = "Loading..."
EMPTY_TITLE = changeable("The list is being updated")
EMPTY_TEXT = changeable(f"Please check back soon, or write to {FIRM.email} to hear about a particular company.")


def in_countries(number: int) -> str:
    """What follows the number of companies; nothing for one country."""
    return f" in {number} countries" if number > 1 else ""


CLOSING = changeable(
    CallToAction(
        title="Would your company belong here?",
        text="If customers already pay for your product and the next step is the hard one, we should talk.",
        primary=Link("Tell Us About It", routes.CONTACT),
        secondary=Link("How We Work", routes.HOW_WE_WORK),
    ),
    fixed=("secondary",),
)

# One company
BACK = Link("Back to Companies", routes.COMPANIES)
NOT_FOUND_TITLE = "Company Not Found"
NOT_FOUND_TEXT = "There is no such company here, or we no longer show it."
DETAIL_SEO = SeoText(
    title=f"Company profile | {FIRM.name}",
    description="The profile of one of the companies we work with: what it does and for whom, its "
    "founders, services, markets, key figures and legal details.",
)

WORK_TITLE = changeable("What we did")
PARTNER_LABEL = "Led by"
SUPPORT_AREA_LABEL = "Support area"
SINCE_LABEL = "Since"
EXIT_LABEL = changeable("Where they are now")
OTHERS_LABEL = "Other companies"
PREVIOUS_LABEL = "Previous"
NEXT_LABEL = "Next"
DETAILED_DESCRIPTION_TITLE = changeable("About the company")
FACTS_TITLE = "Key facts"
INDUSTRY_LABEL = "Industry"
FOUNDED_LABEL = "Founded"
EMPLOYEES_LABEL = "Employees"
LOCATION_LABEL = "Location"
WEBSITE_LABEL = "Website"
EMAIL_LABEL = "Email"
PHONE_LABEL = "Phone"
FOUNDERS_TITLE = "Founders"
SERVICES_TITLE = "Services"
COVERAGE_AREAS_TITLE = "Coverage areas"
TARGET_MARKET_TITLE = "Target market"
KEY_METRICS_TITLE = "Key metrics"
LEGAL_ENTITY_NAME_LABEL = "Legal entity name"
REGISTRATION_NUMBER_LABEL = "Registration number"
