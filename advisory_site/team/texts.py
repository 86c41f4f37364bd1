"""The copy of the team pages: the list, the directory, one profile, and Meet Our Team."""

from sitekit.ui.copy import CallToAction, Card, Heading, Link, SeoText, Stat, changeable

from .. import routes
from ..content.firm import FIRM

SEO = changeable(
    SeoText(
        title=f"The core team | {FIRM.name}",
        description="Meet the people who do the work: former founders, operators and investors in Singapore, "
        "with their backgrounds, expertise and direct contacts.",
    )
)
HERO = changeable(
    Heading(
        eyebrow="Team",
        title="The people who do the work",
        text="The partner you meet first is the partner who stays. Each of us has built, run or financed a "
        "company, and most of us have also got one badly wrong.",
    )
)
STATS_TITLE = changeable("Experience in numbers")
STATS = changeable(
    (
        Stat("75+", "Years combined experience", "The whole core team, in operating and investing roles"),
        Stat("15+", "Exits", "Sales and listings in which one of us held a seat"),
        Stat("$2B+", "Value created", "Growth in enterprise value of the companies we advised"),
        Stat("200+", "Startups supported", "Engagements, mentoring and clinics, before and at the firm"),
    ),
    fixed=("value", "label"),
)
LIST_TITLE = "Core team"
ONE_OF, A_PARTNER = "One of the {number} above", "A partner"
READERS_LABEL = changeable("One of these partners will reply:")
DIRECTORY_QUESTION = changeable("Need a particular skill?")
DIRECTORY_LINK = changeable(Link("Search the team by expertise", routes.TEAM_PROFILES))
LOADING = "Loading team members..."
EMPTY_TITLE = changeable("Profiles are being updated")
EMPTY_TEXT = changeable(f"Please check back soon, or write to {FIRM.email} and the right person will reply.")

VALUES = changeable(
    Heading(
        eyebrow="Values",
        title="What we expect of one another",
        text="Clients see these before they read them. They are also what we discuss at every annual review.",
    )
)
VALUE_CARDS = changeable(
    (
        Card(
            "Candour",
            "We say the difficult thing early, to the person concerned, with a suggestion attached.",
            "bulb",
        ),
        Card(
            "Craft",
            "A model that does not reconcile or a sentence that hides its meaning does not leave the building.",
            "framework",
        ),
        Card(
            "Discretion",
            "What founders tell us stays with the people on the engagement.",
            "shield",
        ),
        Card(
            "Generosity",
            "We share introductions and credit freely, and give a day each quarter to founders who cannot pay.",
            "handshake",
        ),
    )
)
CLOSING = changeable(
    CallToAction(
        title="Work with one of us",
        text="If a profile here fits your question, write to that person directly. Otherwise tell us about "
        "it and we will find the right one.",
        primary=Link("Get in Touch", routes.CONTACT),
        secondary=Link("Meet Our Advisors", routes.ADVISORS),
    ),
    fixed=("primary",),
)

# One profile
BACK = Link("Back to Team", routes.TEAM)
NOT_FOUND_TITLE = "Team Member Not Found"
NOT_FOUND_TEXT = "This profile does not exist, or the person is no longer with the firm."
PROFILE_SEO = SeoText(
    title=f"Team member | {FIRM.name}",
    description="The profile of a member of our core team in Singapore: role, background, achievements, "
    "areas of expertise and how to reach them directly.",
)
DETAILED_BIO_TITLE = "Background"
COMPANIES_TITLE = "Companies"
ACHIEVEMENTS_TITLE = "Achievements"
EXPERTISE_TITLE = "Expertise"
CONTACT_TITLE = "Contact"
EMAIL_LABEL = "Email"
LINKEDIN_LABEL = "LinkedIn"

# The directory
DIRECTORY_SEO = changeable(
    SeoText(
        title=f"Team directory | {FIRM.name}",
        description="Every profile of our core team in one directory, with roles and areas of expertise, "
        "arranged so that the right person is found fast.",
    )
)
DIRECTORY = changeable(
    Heading(
        eyebrow="Directory",
        title="Find the right person",
        text="Everyone on one page, by name and by what they know.",
    )
)
DIRECTORY_INDEX_LABEL = "Jump to a letter"
BY_FAMILY_NAME = ", by family name"
NAME_LABEL = "Name"
ROLE_LABEL = "Role"


def number_of(people: int) -> str:
    """How many people the directory shows."""
    return f"{people} {'person' if people == 1 else 'people'}"


# The views of the team
VIEWS_LABEL = "Views of the team"
VIEWS = (Link("Portraits", routes.TEAM), Link("Directory", routes.TEAM_PROFILES))

# Meet Our Team
MEET_SEO = changeable(
    SeoText(
        title=f"Meet our team | {FIRM.name}",
        description="A small team led by partners: see who leads our engagements in Singapore, what they did "
        "before, and how to start a conversation with them.",
    )
)
MEET = changeable(
    Heading(
        eyebrow="Meet our team",
        title="A small team, led by partners",
        text="Nobody here sells an engagement and hands it down. The people who win your trust are the people who do "
        "your work.",
    )
)
MEET_CARD = changeable(
    Heading(
        title="Our core team",
        text="Former founders, operators and investors, each with a profile that says what they have done, what "
        "they are good at and how to reach them.",
    )
)
MEET_TEAM_LINK = changeable(Link("Meet the Team", routes.TEAM))
MEET_CONTACT_LINK = Link("Get in Touch", routes.CONTACT)
