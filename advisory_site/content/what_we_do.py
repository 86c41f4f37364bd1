"""The copy of What We Do: four core services, then the eight support areas in full."""

from dataclasses import dataclass

from sitekit.ui.copy import CallToAction, Heading, Link, SeoText, changeable

from .. import routes
from .firm import FIRM


@dataclass(frozen=True, slots=True)
class Service:
    """A core service: what it is, what it delivers, and when founders need it."""

    title: str
    icon: str
    text: str
    outcome: str
    ask_when: str


SEO = changeable(
    SeoText(
        title=f"What we do: services and strategic support | {FIRM.name}",
        description="Four core services and eight areas of support for scaling companies, each with what we "
        "do, what you receive and the moment to ask for it.",
    )
)

HERO = changeable(
    Heading(
        eyebrow="What We Do",
        title="Four services for companies that have outgrown their first plan",
        text="What worked for the first million in revenue rarely works for the next ten. We help you "
        "rebuild strategy, sales, relationships and governance, the most urgent first.",
    ),
    fixed=("eyebrow",),
)

SERVICES_TITLE = "Core services"
OUTCOME_LABEL = "You receive"
ASK_WHEN_LABEL = "Ask when"
SERVICES = changeable(
    (
        Service(
            "Strategic Advisory",
            "compass",
            "We work out where you can win, what it takes and what it rules out. The test of a strategy is "
            "the sensible things it tells you not to do, so we write those down first.",
            "A one-page strategy, the reasoning behind it, and a decision log your board can follow",
            "growth has slowed and the founders disagree about why",
        ),
        Service(
            "Growth Acceleration",
            "rocket",
            "We find the segment that buys fastest and stays longest, then rebuild positioning, pricing and "
            "the sales process around it. More spending comes only after payback is known.",
            "A sales playbook, a price list you can defend, and a forecast that holds within 15 per cent",
            "referrals have run dry and each new customer costs more than the last",
        ),
        Service(
            "Ecosystem Building",
            "network",
            "Distribution in Asia runs on relationships. We map who already has the trust of your buyers, "
            "decide what you can offer them, and make the introduction with you in the room.",
            "A partner map, signed first agreements, and advisors matched to the gaps in your team",
            "you are entering a market where nobody answers a stranger’s email",
        ),
        Service(
            "Investment & Governance",
            "scale",
            "We prepare the company to be owned by more people: clean records, honest metrics, and a board "
            "that meets to decide. Done early, it is cheap. Done in diligence, it costs valuation.",
            "An investor-ready data room, a board calendar and pack, and delegated authorities in writing",
            "you plan to raise, to add a director or to sell within 18 months",
        ),
    ),
    fixed=("title",),
)

SUPPORT = changeable(
    Heading(
        eyebrow="The scale model",
        title="Eight areas of strategic support",
        text="An engagement draws on one of them or on several. Each lists four things we do, stated so that you can "
        "check whether we did them.",
    )
)
SUPPORT_ID = routes.STRATEGIC_SUPPORT

INDEX_LABEL = "The eight areas"
# Who answers at the end of the page: the first partner with this field of expertise.
PARTNER_FIELD = "Market entry"
PARTNER_ANSWERS = changeable("answers questions about market entry, usually the same day.")
CLOSING = changeable(
    CallToAction(
        title="Not sure which area is yours?",
        text="Few founders are. Tell us what you have tried and what happened; we will tell you where we would "
        "look first.",
        primary=Link("Describe Your Situation", routes.CONTACT),
        secondary=Link("See How We Work", routes.HOW_WE_WORK),
    )
)
