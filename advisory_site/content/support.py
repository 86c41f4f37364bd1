"""The eight areas of strategic support: summaries for Home, full texts for What We Do."""

from dataclasses import dataclass

from sitekit.ui.copy import changeable


@dataclass(frozen=True, slots=True)
class SupportArea:
    """One area: a summary for Home; a paragraph and four things we do for What We Do, at `anchor`."""

    title: str
    anchor: str
    icon: str
    summary: str
    text: str
    details: tuple[str, ...]


SUPPORT_AREAS = changeable(
    (
        SupportArea(
            title="Key Operational & Strategic Issues",
            anchor="key-operational-strategic-issues",
            icon="compass",
            summary="Find the one constraint that holds back growth, then agree who removes it and by when.",
            text="Most stalled companies have one real constraint and ten symptoms. We trace the symptoms "
            "back, rank the decisions by what waiting costs, and leave you with a short list that has "
            "names on it.",
            details=(
                "A constraint review across product, sales, people and cash in the first ten working days",
                "A decision log: owner, deadline, the evidence needed, and what happens if nobody decides",
                "An operating rhythm of one weekly, one monthly and one quarterly meeting, each with a purpose",
                "A hiring sequence tied to the bottleneck, so that the next three roles earn their place",
            ),
        ),
        SupportArea(
            title="Supportive Mentoring Advice",
            anchor="supportive-mentoring-advice",
            icon="hands",
            summary="A partner who has sat in your chair, on the phone before the hard conversation.",
            text="The founder’s job changes every time headcount doubles. A named partner meets you every "
            "fortnight, prepares with you for the moments that matter, and tells you what your team will not.",
            details=(
                "A fortnightly hour with the same partner, and a call within a day when something breaks",
                "Rehearsals for board meetings, co-founder resets, difficult exits and first senior hires",
                "A private review of how you spend your week against what only you can do",
                "Introductions to two founders who solved your present problem in the last three years",
            ),
        ),
        SupportArea(
            title="Product Review & Vision Development",
            anchor="product-review-vision-development",
            icon="bulb",
            summary="Test what you build against what customers pay for, and say plainly where it is heading.",
            text="Early customers buy for reasons the roadmap never recorded. We ask them, compare their "
            "answers with usage and renewals, and help you write a product vision that can refuse things.",
            details=(
                "Twelve structured customer interviews: four who stayed, four who left, four who never bought",
                "Retention read by cohort and by use case, to see which product is really being bought",
                "A roadmap cut into keep, finish and stop, with the engineering time each one gives back",
                "A two-page product vision that a new engineer and a new investor read the same way",
            ),
        ),
        SupportArea(
            title="Investor Attraction & Funding Optimisation",
            anchor="investor-attraction-funding-optimisation",
            icon="coins",
            summary="Raise the right amount, from the right people, on terms you can live with in five years.",
            text="A round goes faster when the milestone comes first and the amount follows from it. We set "
            "the milestone, build the materials, choose the list, and stay through diligence and term sheet.",
            details=(
                "The raise sized from milestones backwards, with six months of slack and the dilution shown",
                "A list of 40 investors by cheque size, stage and present fund, in the order to approach them",
                "A deck, a data room and answers to the twenty questions that will be asked in the first week",
                "Alternatives to equity compared: venture debt, revenue-based finance and Singapore grants",
            ),
        ),
        SupportArea(
            title="Market & Intellectual Property Review",
            anchor="market-intellectual-property-review",
            icon="shield",
            summary="Know the market you can truly win, and make sure you own what you are selling.",
            text="Two surprises end deals late: a market smaller than the slide, and code or a brand the "
            "company does not own. We size the first from the bottom up and check the second with counsel.",
            details=(
                "A market sized from countable buyers and real contract values, country by country",
                "A map of competitors and substitutes, with the reasons for your last ten lost deals",
                "A chain-of-title check: founders, contractors, open-source licences and university claims",
                "A filing plan for trade marks and patents, prepared with the IP counsel you appoint",
            ),
        ),
        SupportArea(
            title="GTM Material Preparation & Partner Outreach",
            anchor="gtm-material-preparation-partner-outreach",
            icon="handshake",
            summary="Sales materials that survive a procurement team, and partners who bring real pipeline.",
            text="Good material lets a champion sell for you in rooms you never enter. We write it with your "
            "sales team, test it on live deals, and open conversations with partners who meet your buyers.",
            details=(
                "One positioning page, one deck, one security pack and one business case per buyer type",
                "Two customer stories with numbers that the customer has agreed to see in print",
                "A partner scorecard and warm introductions to six resellers, integrators or platforms",
                "A call script and objection sheet, revised after the first 30 conversations",
            ),
        ),
        SupportArea(
            title="Financial Metrics & Founder Investibility",
            anchor="financial-metrics-founder-investibility",
            icon="chart",
            summary="Numbers that reconcile, and a founder who can explain each of them without notes.",
            text="Investors back a founder who knows which number would change her mind. We rebuild the "
            "metrics from the ledger up, agree the definitions, and rehearse until the answers are short.",
            details=(
                "Revenue, margin, retention, payback and runway, each defined once and tied to the ledger",
                "A driver-based model for 24 months with three cases and the assumptions on one page",
                "A cap table cleaned of surprises: options, notes, advisors’ shares and vesting",
                "Two mock partner meetings with former investors, recorded and reviewed with you",
            ),
        ),
        SupportArea(
            title="Additional Customised GTM Plans",
            anchor="additional-customised-gtm-plans",
            icon="globe",
            summary="A market entry or a new segment, planned as an experiment with a budget and an exit.",
            text="Entering Jakarta is not entering Sydney. When the standard plan does not fit, we write one "
            "for a single market, segment or channel, with a cost, a test and a date to stop or continue.",
            details=(
                "A choice of first market scored on demand, regulation, cost to serve and local talent",
                "Pricing and packaging for local purchasing power, with tax and currency worked through",
                "A 90-day pilot with a fixed budget, weekly leading measures and a written stopping rule",
                "Local entity, first hire and first partner: which to do first, and what each one commits you to",
            ),
        ),
    ),
    fixed=("title",),
)
