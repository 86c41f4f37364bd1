"""The copy of How We Work: four steps, three ways to engage us, and the eight tools we use."""

from dataclasses import dataclass

from sitekit.ui.copy import CallToAction, Heading, Link, SeoText, Step, changeable

from .. import routes
from .firm import FIRM


@dataclass(frozen=True, slots=True)
class EngagementModel:
    """One way to engage the firm, with how long it lasts and what it includes."""

    title: str
    duration: str
    text: str
    best_for: str
    includes: tuple[str, ...]
    icon: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A working method of the firm's own, and the one thing it is for."""

    name: str
    text: str
    icon: str


SEO = changeable(
    SeoText(
        title=f"How we work: steps, engagements, tools | {FIRM.name}",
        description="Four steps from first review to measured result, three ways to engage us from one "
        "session to twelve months, and the eight tools we bring to the work.",
    )
)

HERO = changeable(
    Heading(
        eyebrow="How We Work",
        title="A method you can see, question and stop",
        text="You should know at any moment what we are doing, why, and what comes next. So the method is "
        "published here, and the agreement we sign repeats it.",
    ),
    fixed=("eyebrow",),
)

STEPS_HEADING = changeable(
    Heading(
        eyebrow="Four steps",
        title="From first review to measured result",
        text="Each step ends with something in your hands and a decision to go on or to stop.",
    )
)
STEPS = changeable(
    (
        Step(
            "Discovery & Assessment",
            "Ten working days inside the company. We read the ledger, the pipeline and the cohort data, and "
            "speak to the founders, five of the team and eight customers, separately.",
            (
                "A written assessment of no more than six pages",
                "The one constraint we would remove first, with the evidence",
            ),
        ),
        Step(
            "Strategic Planning",
            "Two working sessions turn the assessment into choices. We put three real options on the table "
            "with their costs, argue the case against each, and the founders choose.",
            (
                "A one-page plan: three priorities, owners, dates, budget",
                "A list of what stops, agreed with the people who were doing it",
            ),
        ),
        Step(
            "Implementation Support",
            "Now we work alongside the team: in the pipeline review, in the pricing test, in the partner "
            "meeting. A partner is with you every week, in the room or on a call, and the plan follows the facts.",
            (
                "Working materials your team owns and can edit without us",
                "A weekly note of five lines: done, learned, stuck, next, needed from you",
            ),
        ),
        Step(
            "Monitoring & Optimization",
            "Each month the results are set against what the plan predicted. What works gets more of the "
            "budget, what does not is stopped, and we hand over a little more each time.",
            (
                "A scorecard of eight measures, with thresholds that trigger a decision",
                "A handover file, and a review free of charge six months after we leave",
            ),
        ),
    ),
    fixed=("title",),
)
STEP_DETAILS_LABEL = changeable("What you have at the end")

ENGAGEMENTS_HEADING = changeable(
    Heading(
        eyebrow="Three engagement models",
        title="As long as it takes, and no longer",
        text="You may move from one model to another at any review.",
    )
)
ENGAGEMENT_BEST_FOR_LABEL = "Best for"
ENGAGEMENT_LINK = "Start here"
ENGAGEMENT_LINK_CONTEXT = "with the {model}"
ENGAGEMENTS = changeable(
    (
        EngagementModel(
            "Advisory Partnership",
            "3-12 months",
            "A partner and a specialist work with you through all four steps, with a review every month. You may stop "
            "at the end of any quarter.",
            "A company changing shape: a new market, a new model or a round",
            (
                "One named partner throughout: a call every week, two days a month on site",
                "Any of the eight support areas, in the order you need them",
                "Advisors from our network, at no extra fee for the first ten hours",
            ),
            "handshake",
        ),
        EngagementModel(
            "Intensive Sprint",
            "4-6 weeks",
            "One question, one team, one answer that is tested before we leave. We work in your office and "
            "your tools, and finish with a decision.",
            "A single obstacle with a date on it: pricing, a launch, a data room",
            (
                "A partner half-time and a specialist full-time",
                "A written question and measure of success, agreed on day one",
                "A live test with real customers or investors before week five",
            ),
            "rocket",
        ),
        EngagementModel(
            "Strategic Consultation",
            "1-2 sessions",
            "You send the papers, we read them, and two partners spend half a day with you on one decision. "
            "A written opinion follows within three working days.",
            "A second opinion: a term sheet, a senior hire, a market entry",
            (
                "Papers read in advance, in confidence",
                "Two partners, so that you hear the disagreement",
                "A written opinion of two pages, including what we are unsure of",
            ),
            "bulb",
        ),
    ),
    fixed=("title", "duration"),
)
ENGAGEMENT_FEES = changeable(
    "Fees are fixed and quoted in writing before we start. A partnership is usually between S$9,000 and S$15,000 "
    "a month, a sprint between S$40,000 and S$65,000, and a consultation between S$5,000 and S$8,000, before GST."
)

TOOLS_HEADING = changeable(
    Heading(
        eyebrow="Eight tools",
        title="What we bring to the table",
        text="Each began as a spreadsheet or a checklist that proved itself more than once. Your team keeps "
        "every tool we use with you.",
    )
)
TOOLS = changeable(
    (
        Tool(
            "Constraint Compass",
            "Scores product, demand, sales, people and cash against each other to show which one limits growth.",
            "compass",
        ),
        Tool(
            "Straits Market Sizer",
            "Counts reachable buyers and contract values in six ASEAN markets, from the bottom up.",
            "globe",
        ),
        Tool(
            "Cohort Ledger",
            "Rebuilds retention and payback from invoices, so that the metrics agree with the accounts.",
            "chart",
        ),
        Tool(
            "Price Ladder",
            "Tests three price points and two packages on live deals before anything is announced.",
            "coins",
        ),
        Tool(
            "Runway Lens",
            "Shows cash under three cases and names the month in which each decision must be made.",
            "gauge",
        ),
        Tool(
            "Harbour Map",
            "Charts who influences your buyers, who among them we know, and what each would want in return.",
            "network",
        ),
        Tool(
            "Diligence Mirror",
            "Runs an investor’s own checklist on your company first: 112 questions, answered and sourced.",
            "shield",
        ),
        Tool(
            "Founder Scorecard",
            "Eight measures on one page, each with an owner and a threshold that calls for a decision.",
            "target",
        ),
    ),
    fixed=("name",),
)

# Who answers at the end of the page: the first partner with this field of expertise.
PARTNER_FIELD = "Financial modelling"
PARTNER_ANSWERS = changeable("answers questions about your numbers, usually the same day.")
CLOSING = changeable(
    CallToAction(
        title="See the method on your own numbers",
        text="Bring one question to a 30-minute call. You will leave with our first view of it, whether or "
        "not we work together.",
        primary=Link("Start the Conversation", routes.CONTACT),
    ),
    fixed=("primary",),
)
