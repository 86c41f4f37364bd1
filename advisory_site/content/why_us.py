"""The copy of Why Us: mission, vision, purpose, and the four principles we work by."""

from sitekit.ui.copy import CallToAction, Card, Heading, Link, Passage, SeoText, changeable

from .. import routes
from .firm import FIRM

SEO = changeable(
    SeoText(
        title=f"Why founders work with us | {FIRM.name}",
        description="Our mission, vision and purpose, and the four principles that decide which engagements "
        "we take, how we behave in them and when we leave.",
    )
)

HERO = changeable(
    Heading(
        eyebrow="Why Us",
        title="The stage between traction and scale is lonely. It need not be guesswork.",
        text="Accelerators help companies begin, and banks help founders sell them. In between, founders make "
        "their most expensive decisions with the least help. That stretch is where we work.",
    )
)

BELIEFS_TITLE = changeable("What we are here to do")
MISSION = changeable(
    Card(
        "Mission",
        "To help growth-stage founders make the few decisions that matter sooner, with better evidence, and "
        "to stay until those decisions show in the numbers.",
        "target",
    )
)
VISION = changeable(
    Card(
        "Vision",
        "A Southeast Asia where a company with a good product can reach the world from Singapore, Jakarta or "
        "Cebu without first moving its founders somewhere else.",
        "globe",
    )
)
PURPOSE = changeable(
    Card(
        "Purpose",
        "Good companies fail for want of experience that somebody nearby already has. We exist to carry that "
        "experience to the people who need it, while it can still change the outcome.",
        "compass",
    )
)

PRINCIPLES = changeable(
    Heading(
        eyebrow="Our approach",
        title="Four principles, and what each one costs us",
        text="A principle that never costs anything is a slogan. Here is what ours oblige us to do.",
    )
)
PRINCIPLE_CARDS = changeable(
    (
        Card(
            "Founder-First",
            "We take fees from the company we advise and from nobody else. No finder’s fees, no commission "
            "from investors, and no advice to raise when you should be selling.",
            "handshake",
        ),
        Card(
            "Data-Driven",
            "Every recommendation names the evidence behind it and the result that would prove it wrong. "
            "When the numbers disagree with us, we change the recommendation in writing.",
            "chart",
        ),
        Card(
            "Execution-Focused",
            "We agree what will be different by when, then work on it with your team. If nothing has moved by the "
            "second monthly review, you can stop there and then, and owe nothing more.",
            "hands",
        ),
        Card(
            "Long-term Partnership",
            "We accept a small number of companies each year so that partners can answer the phone. "
            "Founders still call us three years after the last invoice, and we still pick up.",
            "scale",
        ),
    ),
    fixed=("title",),
)

FIT = changeable(
    Heading(
        eyebrow="A fair question",
        title="When we are the wrong choice",
        text="We would rather lose an engagement than start one that cannot work.",
    )
)
FIT_PASSAGES = changeable(
    (
        Passage(
            "You will get the most from us if",
            (),
            (
                "You have paying customers and a reason to believe there are many more",
                "The founders can give the work three hours a week",
                "You want to be challenged, and will tell us when we are wrong",
            ),
        ),
        Passage(
            "Look elsewhere if",
            (),
            (
                "The product has not been sold yet: a good accelerator will serve you better",
                "You only need somebody to place a round: hire a licensed placement agent",
                "The decision is already made and the report is for the file",
            ),
        ),
    )
)

CLOSING = changeable(
    CallToAction(
        title="Ask the founders we have worked with",
        text="Before you sign anything we will put you in touch with two of them: one whose plan worked, and "
        "one whose plan had to change.",
        primary=Link("Talk to Us", routes.CONTACT),
        secondary=Link("See the Companies", routes.COMPANIES),
    )
)
