"""The copy of Home: the hero, the numbers, why founders choose us, support, and the close."""

from sitekit.ui.copy import CallToAction, Card, Heading, Link, SeoText, Stat, changeable

from .. import routes
from .firm import FIRM

SEO = changeable(
    SeoText(
        title=f"{FIRM.name} | Advisory for growth-stage founders",
        description="A Singapore advisory firm for growth-stage founders: strategy, go-to-market, investor "
        "readiness and an open network, with partners who do the work.",
    )
)

HERO = changeable(
    Heading(
        eyebrow="Advisory for growth-stage founders, from Singapore",
        title="Scale your growth-stage venture with clarity and speed",
        text="You have customers, a team and more good options than hours. We help you choose the few that "
        "compound, build what they need, and open the doors they depend on.",
    )
)
HERO_PRIMARY = Link("Start Your Journey", routes.CONTACT)
HERO_SECONDARY = changeable(Link("Learn More", routes.WHY_US, context="about why founders choose us"))
# Shown with a link to the case of the company that it names; without such a case it is not shown.
TOLD_CASE = changeable("How Toko Tally gave up its loan book: 11 shops, four months, S$48,000.")

STATS_TITLE = changeable("The work in numbers")
STATS = changeable(
    (
        Stat("50+", "Startups scaled", "Taken through a full engagement, from first review to handover"),
        Stat("$2B+", "Value created", "Growth in enterprise value of the companies we advised"),
        Stat("35+", "Years experience", "Held by the partners who lead our engagements"),
        Stat("100%", "Founder focused", "We act for the company and its founders, never for the other side"),
    ),
    fixed=("value", "label"),
)
STATS_SOURCE = changeable(
    "As of 30 September 2026, from our engagement records. Value in US dollars: each company’s latest priced round or "
    "sale, less its worth when we began."
)

WHY_FOUNDERS = changeable(
    Heading(
        eyebrow="The difference",
        title="Why Founders Choose Us",
        text="Four things founders told us they could not get from an investor, a consultant or a friend.",
    ),
    fixed=("title",),
)
WHY_FOUNDERS_CARDS = changeable(
    (
        Card(
            "Strategic Clarity",
            "A plan on one page: three priorities, what each should change, and what you will stop doing to "
            "pay for them. Everyone on the team can repeat it.",
            "compass",
        ),
        Card(
            "Ecosystem Access",
            "Introductions we would stake our name on, to investors, corporate buyers and specialists across "
            "Southeast Asia. Each one comes with a reason and a brief.",
            "network",
        ),
        Card(
            "Hands-On Execution",
            "We write the model, sit in the pipeline review and join the negotiation. Advice that ends with "
            "a slide leaves the work to somebody else.",
            "hands",
        ),
        Card(
            "Proven Framework",
            "Four steps, eight working tools and a fixed rhythm of reviews. You always know what happens "
            "next, what it costs and how we will both judge it.",
            "framework",
        ),
    ),
    fixed=("title",),
)

SUPPORT = changeable(
    Heading(
        eyebrow="For founders",
        title="Strategic support, in eight areas",
        text="Take one when a single question is in the way, or several when the company is changing shape.",
    )
)
SUPPORT_LINK = changeable(Link("See what each area includes", routes.SCALE_MODEL))

CLOSING = changeable(
    CallToAction(
        title="Bring us the decision you keep putting off",
        text="The first conversation takes 30 minutes and costs nothing. If we are not the right people for "
        "it, we will say so and name somebody who is.",
        primary=Link("Book a Consultation", routes.CONTACT),
        secondary=Link("Explore Our Model", routes.SCALE_MODEL),
    ),
    fixed=("primary", "secondary"),
)
