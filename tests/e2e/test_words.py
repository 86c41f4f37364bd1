"""The words, links and order of the public pages, read in their HTML."""

import re

import pytest

from advisory_site.advisors.expertise import FIELDS
from advisory_site.content.firm import FIRM
from advisory_site.content.how_we_work import TOOLS
from advisory_site.content.support import SUPPORT_AREAS
from sitekit.ui.copy import NEW_TAB_NOTE
from tests.e2e.conftest import Site
from tests.e2e.raw_html import Words
from tests.support.fetch import fetch
from tests.support.public_pages import PUBLIC

LINKS = (
    "[Why Us](/why-us) [What We Do](/what-we-do) [How We Work](/how-we-work) [Advisors](/advisors) [Contact](/contact)"
    " [Get Started](/contact)"
)
REACH = f"[{FIRM.email}]({FIRM.email_href}) [{FIRM.phone}]({FIRM.phone_href})"
HEADER = f"[{FIRM.name}](/) {LINKS} Open menu Close menu {LINKS} [Companies](/companies) [Team](/team) {REACH}"
FOOTER = (
    f"[{FIRM.name}](/) {FIRM.tagline} # Firm [Why Us](/why-us) [Team](/team) [Advisors](/advisors)"
    " [Ventures](/companies) [Insights](/insights) # Work [What We Do](/what-we-do) [How We Work](/how-we-work)"
    f" [Scale Model](/what-we-do#strategic-support) [For Founders](/#strategic-support) # Reach us {REACH}"
    f" [LinkedIn ({NEW_TAB_NOTE})]({FIRM.linkedin_url} _blank noopener)"
    f" [X (Twitter) ({NEW_TAB_NOTE})]({FIRM.x_url} _blank noopener) © {FIRM.legal_name}",
    f"{FIRM.registration_number}. [Privacy Policy](/privacy) [Terms of Service](/terms)",
)
# The link that is marked as the current page, in the header and in its menu.
CURRENT = {
    "/why-us": ["Why Us"],
    "/what-we-do": ["What We Do"],
    "/how-we-work": ["How We Work"],
    "/advisors": ["Advisors"],
    "/advisor/farah-nabila-ismail": ["Advisors"],
    "/contact": ["Contact"],
}
AREAS = (
    "Key Operational & Strategic Issues",
    "Supportive Mentoring Advice",
    "Product Review & Vision Development",
    "Investor Attraction & Funding Optimisation",
    "Market & Intellectual Property Review",
    "GTM Material Preparation & Partner Outreach",
    "Financial Metrics & Founder Investibility",
    "Additional Customised GTM Plans",
)
WORDS: dict[str, tuple[str, ...]] = {
    "/": (
        *("# Scale your growth-stage", "with clarity and speed"),
        *("[Start Your Journey](/contact)", "[Learn More about why founders choose us](/why-us)"),
        *("[Meet the team](/team)", "[See the companies we work with](/companies)"),
        *("Startups scaled 50+", "Value created $2B+", "Years experience 35+", "Founder focused 100%"),
        *("[Saga Seed](/companies/saga-seed)", "[Read the case of Saga Seed](/insights/saga-seed-"),
        *("# Companies we work with [Saga Seed](/companies/saga-seed)", "# Why Founders Choose Us"),
        *("# Strategic Clarity", "# Ecosystem Access", "# Hands-On Execution", "# Proven Framework"),
        *(f"# [{area.title}](/what-we-do#{area.anchor})" for area in SUPPORT_AREAS),
        *("[Book a Consultation](/contact)", "[Explore Our Model](/what-we-do#strategic-support)"),
    ),
    "/why-us": (
        *("# Mission", "# Vision", "# Purpose"),
        *("# Founder-First", "# Data-Driven", "# Execution-Focused", "# Long-term Partnership"),
        *("[Toko Tally](/companies/toko-tally)", "[Ashlar Materials](/companies/ashlar-materials)"),
    ),
    "/what-we-do": (
        *("# Strategic Advisory", "# Growth Acceleration", "# Ecosystem Building", "# Investment & Governance"),
        *(part for area in SUPPORT_AREAS for part in (f"# {area.title}", *area.details)),
        "[Rajan Subramaniam](/team-profile/rajan-subramaniam)",
    ),
    "/how-we-work": (
        *("# Discovery & Assessment", "# Strategic Planning", "# Implementation Support"),
        "# Monitoring & Optimization",
        *(
            "# Advisory Partnership 3-12 months",
            "# Intensive Sprint 4-6 weeks",
            "# Strategic Consultation 1-2 sessions",
        ),
        *(f"# {tool.name}" for tool in TOOLS),
        *("[Start the Conversation](/contact)", "[Siti Aisyah Rahman](/team-profile/siti-aisyah-rahman)"),
    ),
    "/contact": (
        "# Let's Scale Your Vision",
        *("First Name * {firstName required}", "Last Name * {lastName required}", "Email *", "{email required}"),
        *("{company}", "Stage", "{stage} {}", "{pmf} Product-Market Fit {commercialization}", "{scale}", "{other}"),
        *("Message *", "{message required}", "Send Message", f"{FIRM.email_href})", f"{FIRM.phone_href})"),
        *("Location Singapore", "30-minute discovery call"),
        f"[Schedule Call ({NEW_TAB_NOTE})]({FIRM.call_booking_url} _blank noopener)",
    ),
    "/team": (
        *("Years combined experience 75+", "Exits 15+", "Value created $2B+", "Startups supported 200+"),
        *("Values", "# Candour", "# Craft", "# Discretion", "# Generosity"),
    ),
    "/team-profile/adeline-koh": (
        *("[Back to Team](/team)", "[adeline@northstrait.example](mailto:adeline@northstrait.example)"),
        f"[Adeline Koh ({NEW_TAB_NOTE})](https://www.linkedin.com/in/adeline-koh-northstrait",
        *("# Adeline Koh", "Founder & Managing Partner", "She leads the firm and sits beside founders"),
        *("swims in the sea off Changi", "Founded Northstrait in 2020", "Board governance"),
    ),
    "/meet-our-team": ("[Meet the Team](/team) [Get in Touch](/contact)",),
    "/advisors": (
        *(f"[{field.title} " for field in FIELDS),
        *("# How Our Advisory Network Works", "# Describe the question", "# Meet the right person"),
        "# Work, then review",
        f"[{FIRM.founder_email}]({FIRM.founder_email_href}) [{FIRM.founder_phone}]({FIRM.founder_phone_href})",
        *(FIRM.registration_number, "[Contact Us](/contact)"),
    ),
    "/privacy": ("PDPA", "enquir", "Data Protection Officer"),
    "/terms": ("advice", "Singapore"),
}
FONT = 'href="/fonts/newsreader.woff2"'


@pytest.mark.spec("HOME-1", "HOME-2", "HOME-3", "HOME-4", "HOME-5", "WHY-1", "WHY-2", "WHAT-1", "WHAT-2", "HOW-1")
@pytest.mark.spec("HOW-2", "HOW-3", "HOW-4", "CON-1", "CON-2", "CON-3", "TM-1", "TM-2", "TM-4", "AD-1", "PUB-3")
@pytest.mark.spec("LAY-1", "LAY-3", "LAY-4", "LAY-5", "LAY-7")
def test_each_page_has_its_words_and_links_in_order(site: Site) -> None:
    assert tuple(area.title for area in SUPPORT_AREAS) == AREAS
    assert {len(area.details) for area in SUPPORT_AREAS} == {4}
    assert (len(TOOLS), len(FIELDS)) == (8, 12)
    wrong = []
    for path in PUBLIC:
        marked = str(Words(fetch(site.url + path).text))
        text, place = marked.replace("> [", "[").replace("](#", f"]({path}#"), 0
        for words in (HEADER, *WORDS.get(path, ()), *FOOTER):
            found = text.find(words, place)
            if found < 0:
                wrong.append(f"{path}: {words} is {'at another place' if words in text else 'missing'}")
            else:
                place = found + len(words)
        current = re.findall(r"> \[(.*?)\]", marked.partition(FIRM.phone)[0])
        if current != 2 * CURRENT.get(path, []):
            wrong.append(f"{path}: {current} is marked as the current page")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("PUB-5")
def test_each_page_is_complete_and_does_not_wait_for_the_headline_font(site: Site) -> None:
    wrong = []
    for path in PUBLIC:
        html = fetch(site.url + path).text
        main = str(Words(f"</head>{html.partition('<main')[2].partition('</main>')[0]}"))
        if html.count("<h1") != 1 or len(main) <= 200 or "Loading" in main:
            wrong.append(f"{path} is not complete: {main[:200]}")
        if html.count(FONT) != 1 or not re.search(rf'<body[^>]*><link as="font"[^>]* {FONT}', html):
            wrong.append(f"{path} does not fetch the font of its headline after its styles")
    assert not wrong, "\n".join(wrong)
