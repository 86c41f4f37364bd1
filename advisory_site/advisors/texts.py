"""The copy of the advisor pages: the list, the invitation to advisors, three steps, one profile."""

from sitekit.base import paths
from sitekit.ui.copy import CallToAction, Heading, Link, Passage, SeoText, Step, changeable

from .. import routes
from ..content.firm import FIRM

SEO = changeable(
    SeoText(
        title=f"Advisors: our expert network | {FIRM.name}",
        description="Specialists who advise growth-stage founders beside our partners, the twelve fields they "
        "cover, how the network works and how to join it.",
    )
)
HERO = changeable(
    Heading(
        eyebrow="Advisors",
        title="The person who has done it before",
        text="Some questions need a career, not a consultant. Our advisors have led the product launches, "
        "market entries and audits that our founders are about to face.",
    )
)

EXPERTISE_TITLE = "Twelve fields of expertise"
FILTER_LABEL = "Field"

LIST_TITLE = "Our advisors"
LOADING = "Loading..."
EMPTY_TITLE = changeable("Profiles are being updated")
EMPTY_TEXT = changeable(f"Please check back soon, or write to {FIRM.email} to be introduced to an advisor.")

JOIN_ANCHOR = "join"
JOIN_QUESTION = changeable("Is your field missing here?")
JOIN_LINK = changeable(Link("Join the network", f"#{JOIN_ANCHOR}"))
PITCH = changeable(
    Heading(
        eyebrow="Join the network",
        title="An invitation to people with something to pass on",
    )
)
PITCH_PASSAGES = changeable(
    (
        Passage(
            "Why I am writing to you",
            (
                (
                    "You have run a function, a market or a company through the stage our founders are in "
                    "now. You remember which decisions mattered, which only felt as if they did, and how "
                    "little of it was written down. That memory is the scarcest thing a growing company can "
                    "get, and it cannot be hired: the people who have it are rarely looking for a job."
                ),
                (
                    f"{FIRM.name} exists to bring it to founders while it is still useful. Our partners lead the "
                    "engagement. Advisors join for the part that they know better than anybody else in the room."
                ),
            ),
        ),
        Passage(
            "What advising here is like",
            (
                (
                    "The work comes in short, well-prepared pieces. A partner calls with a named company and "
                    "one question: how to price the first bank contract, whether to appoint a distributor in "
                    "Vietnam, what a hospital’s procurement committee will ask. You receive a two-page "
                    "brief, spend an hour or two with the founder, and hear afterwards what came of it."
                ),
                (
                    "Most advisors give between two and six hours a month. Some months it is none. You may "
                    "decline any request without a reason, and we never publish your name beside a client’s "
                    "without asking."
                ),
            ),
        ),
        Passage(
            "What you receive",
            ("We pay for advice, because free advice is asked for carelessly. In return for your time:",),
            (
                "An hourly fee, agreed before each piece of work and paid within 14 days",
                ("For longer roles, an equity grant from the company on a standard two-year agreement that we draft"),
                "A written note after each session on what the founder did with it",
                "Two dinners a year with the other advisors, under the Chatham House Rule",
                "A profile on this site, which you approve line by line",
            ),
        ),
        Passage(
            "What we ask of you",
            (
                (
                    "Ten years in your field, at least three of them responsible for a result with a number "
                    "attached. Candour with founders, who can tell when they are being humoured. "
                    "Confidentiality, in writing. And disclosure: if you hold shares in a competitor, tell "
                    "us before the brief and not after it. We do not ask for exclusivity, nor that you sell "
                    "our services or bring us clients."
                ),
            ),
        ),
        Passage(
            "How to begin",
            (
                (
                    "Write to me directly. A paragraph about the hardest problem you have solved tells me "
                    "more than a CV. I answer every note myself within one working day, and where there may be a fit "
                    "we talk for half an hour that week or the next. From there to a first introduction takes "
                    f"about a month. Advisors sign their agreement with {FIRM.legal_name}, a company "
                    "registered in Singapore under business registration number (UEN) "
                    f"{FIRM.registration_number}."
                ),
            ),
        ),
    )
)
PITCH_SIGNATURE_NAME = FIRM.founder_name
PITCH_SIGNATURE_TITLE = f"{FIRM.founder_title}, {FIRM.legal_name}"
PITCH_EMAIL = Link(FIRM.founder_email, FIRM.founder_email_href)
PITCH_PHONE = Link(FIRM.founder_phone, FIRM.founder_phone_href)
PITCH_REGISTRATION = f"Business registration number (UEN): {FIRM.registration_number}"

STEPS_HEADING = changeable(
    Heading(
        eyebrow="Three steps",
        title="How Our Advisory Network Works",
        text="The same three steps whether a founder is looking for an hour or for a board member.",
    ),
    fixed=("title",),
)
STEPS = changeable(
    (
        Step(
            "Describe the question",
            "You tell a partner what you must decide and by when. We write it up in two pages, so that the "
            "advisor’s first hour is not spent on background.",
        ),
        Step(
            "Meet the right person",
            "Within five working days we suggest two advisors, with our reasons and any conflict disclosed. "
            "You speak to both and choose one, or neither.",
        ),
        Step(
            "Work, then review",
            "You book sessions by the hour, and we take the notes. After the third we ask both sides whether it is "
            "helping, and change the advisor or stop if it is not.",
        ),
    )
)


CLOSING = changeable(
    CallToAction(
        title="Looking for an advisor, or thinking of becoming one?",
        text="Tell us which, and describe the problem you want to work on.",
        primary=Link("Contact Us", routes.CONTACT),
    )
)

# One profile
BACK = Link("Back to Advisors", routes.ADVISORS)
NOT_FOUND_TITLE = "Advisor Not Found"
NOT_FOUND = "Advisor not found"
PROFILE_FAILED = "Failed to load advisor profile"
BY_FIELD = Link("All Advisors by Field", f"{routes.ADVISORS}#{paths.LIST}")
PROFILE_SEO = SeoText(
    title=f"Advisor profile | {FIRM.name}",
    description="The profile of an advisor in our network: background, experience, fields of expertise, "
    "the sessions on offer, availability and how to be introduced.",
)
DETAILED_BIO_TITLE = "Background"
EXPERTISE_SECTION_TITLE = "Expertise"
STATS_TITLE = changeable("At a glance")
EXPERIENCE_TITLE = "Experience"
SERVICES_TITLE = changeable("Ways to work together")
CONTACT_TITLE = "Contact"
AVAILABILITY_LABEL = "Availability"
LOCATION_LABEL = "Location"
EMAIL_LABEL = "Email"
LINKEDIN_LABEL = "LinkedIn"
