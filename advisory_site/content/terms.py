"""The Terms of Service, under Singapore law."""

from sitekit.base import paths
from sitekit.ui.copy import Heading, Link, Passage, SeoText

from .firm import FIRM

SEO = SeoText(
    title=f"Terms of Service | {FIRM.name}",
    description="The terms on which you may use this site: what it is and is not, who owns what is on it, "
    "the limits of our liability, and the law that applies.",
)
LAST_UPDATED = "Last updated 1 Nov 2026"
HERO = Heading(
    eyebrow="Legal",
    title="Terms of Service",
    text="These terms cover your use of this site. Our advisory work is covered by a separate, signed "
    "agreement with each client.",
)

PASSAGES = (
    Passage(
        "Who we are",
        (
            (
                f"This site is run by {FIRM.legal_name}, a company registered in Singapore (UEN "
                f"{FIRM.registration_number}) at {FIRM.address}. In these terms, “we” means that company and "
                "“you” means the person reading or using the site."
            ),
            "By using the site you accept these terms. If you do not accept them, please do not use it.",
        ),
        anchor="who",
    ),
    Passage(
        "General information only",
        (
            (
                "What you read here is general information about our work and our views. It is not "
                "investment, financial, legal, tax or accounting advice, and it takes no account of your "
                "circumstances. Take advice from a qualified person before you act on any of it."
            ),
            ("Figures about past work describe what happened then. They do not promise what will happen to you."),
        ),
        anchor="information",
    ),
    Passage(
        "Not a licensed financial adviser",
        (
            (
                f"{FIRM.legal_name} advises companies on strategy, operations and readiness for "
                "investment. It is not licensed by the Monetary Authority of Singapore, whether as a "
                "financial adviser under the Financial Advisers Act 2001 or to deal in or advise on "
                "capital markets products under the Securities and Futures Act 2001."
            ),
            (
                "Nothing on this site is an offer, a solicitation or a recommendation to buy or sell "
                "securities or any other investment product, in Singapore or anywhere else. We do not "
                "handle investors’ money and we take no commission on funds raised."
            ),
        ),
        anchor="mas",
    ),
    Passage(
        "No engagement without a signature",
        (
            (
                "Sending a message, booking a call or receiving a reply does not make you our client. "
                "That happens only when both sides have signed an agreement that names the work and the "
                "fee. Until then, please send us nothing confidential: we can promise discretion but owe "
                "you no duty."
            ),
        ),
        anchor="engagement",
    ),
    Passage(
        "Companies, advisors and team members shown here",
        (
            (
                "Profiles are published with the consent of those they describe and are believed to be "
                "correct when published. A profile is not an endorsement of a company’s securities, and "
                "an advisor is neither our employee nor our agent. Tell us of an error and we will "
                "correct it promptly."
            ),
        ),
        anchor="profiles",
    ),
    Passage(
        "Who owns what is on the site",
        (
            (
                f"The text, design, drawings, code and the {FIRM.name} name belong to us or are used under "
                "licence. Logos and portraits belong to the companies and people they show. You may read, "
                "print and link to any page, and quote short passages with credit. Any other use needs our "
                "written permission."
            ),
        ),
        anchor="ownership",
    ),
    Passage(
        "Fair use of the site",
        ("You agree not to:",),
        (
            "Try to reach accounts, records or parts of the system that are not meant for you",
            "Send messages by automated means, or in another person’s name",
            "Send anything unlawful, or load the site so heavily that others cannot use it",
            "Copy personal data from the profiles into a mailing list or a database",
        ),
        anchor="use",
    ),
    Passage(
        "Staff accounts",
        (
            (
                "Accounts are for the people we have invited. Keep your password to yourself, sign out "
                "on shared machines, and tell us at once if you think somebody else has used your "
                "account. We may suspend or close an account to protect the site or the people on it."
            ),
        ),
        anchor="accounts",
    ),
    Passage(
        "Links to other sites",
        (
            (
                "Some links lead to sites that we do not run, such as a company’s own site or our "
                "call-booking service. We chose them in good faith, do not control them, and are not "
                "responsible for what they say or do."
            ),
        ),
        anchor="links",
    ),
    Passage(
        "Our liability",
        (
            (
                "We take care with this site but provide it as it is. As far as the law allows, we do not "
                "promise that it is complete, current, uninterrupted or free of error, and we are not liable "
                "for loss that follows from relying on it or from being unable to use it, including lost "
                "profit, lost business and indirect loss."
            ),
            (
                "Nothing in these terms limits liability for death or personal injury caused by negligence, "
                "for fraud, or for anything else that cannot be limited by law, including under the Unfair "
                "Contract Terms Act 1977."
            ),
        ),
        anchor="liability",
    ),
    Passage(
        "Personal data",
        (
            (
                "Our Privacy Policy says what this site stores, why, and what rights you have. It forms part "
                "of these terms."
            ),
        ),
        anchor="privacy",
    ),
    Passage(
        "Changes to these terms",
        (
            (
                "We may change these terms. The new text applies from the date at the top of this page, and "
                "not to anything that happened before it. Please read them again from time to time."
            ),
        ),
        anchor="changes",
    ),
    Passage(
        "Law and courts",
        (
            (
                "These terms are governed by the law of Singapore, and the courts of Singapore have "
                "exclusive jurisdiction over any dispute about them. A person who is not a party to them "
                "may not enforce them under the Contracts (Rights of Third Parties) Act 2001. If a court "
                "finds one term invalid, the others stand."
            ),
        ),
        anchor="law",
    ),
    Passage(
        "Questions",
        (f"Write to {FIRM.email} or to {FIRM.legal_name}, {FIRM.address}.",),
        anchor="questions",
    ),
)
PRIVACY_LINK = Link("Privacy Policy", paths.PRIVACY)
CONTACT_LINK = Link(FIRM.email, FIRM.email_href)
