"""The copy of Contact: the form's labels, options and help, and the panel beside it."""

from dataclasses import dataclass

from sitekit.ui.copy import Field, Heading, Link, Option, SeoText, Step, changeable

from ..content.firm import FIRM


@dataclass(frozen=True, slots=True)
class ContactWay:
    """One row of the side panel; a row without an address is plain text."""

    label: str
    text: str
    icon: str
    href: str = ""


SEO = changeable(
    SeoText(
        title=f"Contact us: book a discovery call | {FIRM.name}",
        description="Write to the partners or book a 30-minute discovery call. Tell us your stage and the "
        "decision in front of you; a partner replies within one working day.",
    )
)

HERO = changeable(
    Heading(
        eyebrow="Contact",
        title="Let's Scale Your Vision",
        text="Tell us where the company stands and what you are deciding. A partner reads every message and "
        "replies within one working day.",
    ),
    fixed=("title",),
)

FORM_TITLE = "Write to us"
# Shown in place of the form once it has been sent.
THANKS = "Thank you, {name}. {who} replies by {day}."
THANKS_MAILED, THANKS_NOT_MAILED = "We have sent this to {email}.", "The reply goes to {email}."
FIRST_NAME = Field("firstName", "First Name", autocomplete="given-name", required=True)
LAST_NAME = Field("lastName", "Last Name", autocomplete="family-name", required=True)
EMAIL = Field(
    "email",
    "Email",
    help="We reply to this address and use it for nothing else.",
    placeholder="you@company.com",
    autocomplete="email",
    required=True,
)
COMPANY = Field("company", "Company", help="Optional.", autocomplete="organization")
STAGE = Field("stage", "Stage", help="A rough answer is fine.")
MESSAGE = Field(
    "message",
    "Message",
    help="What you sell, to whom, and the decision in front of you. Please leave out passwords and "
    "anything under a confidentiality agreement.",
    required=True,
)
FIELDS = (FIRST_NAME, LAST_NAME, EMAIL, COMPANY, STAGE, MESSAGE)

STAGE_PLACEHOLDER = "Choose a stage"
STAGES = (
    Option("pmf", "Product-Market Fit"),
    Option("commercialization", "Commercialization"),
    Option("scale", "Scale"),
    Option("other", "Other"),
)

# The label of the honeypot field, which is hidden from people.
HONEYPOT = Field("website", "Website", help="Please leave this field empty.", autocomplete="off")

# What the browser reports, in hidden fields: the ms from the first focus to sending, and where the visitor came from.
ELAPSED, SOURCE = "elapsed", "source"

REQUIRED_NOTE = "Fields marked with an asterisk are required."
SUBMIT = "Send Message"
SUBMIT_BUSY = "Sending..."
PRIVACY_NOTE = "We keep your message so that we can answer it. The details are in our"

PANEL_TITLE = changeable("Other ways to reach us")
WAYS = (
    ContactWay("Email", FIRM.email, "mail", FIRM.email_href),
    ContactWay("Phone", FIRM.phone, "phone", FIRM.phone_href),
    ContactWay("Location", FIRM.location, "pin"),
)
ADDRESS = FIRM.address
HOURS = FIRM.office_hours

CALL_TITLE = "Rather talk?"
CALL_TEXT = changeable(
    "Book a 30-minute discovery call with a partner. Bring one question. There is no charge, no slide "
    "presentation and no follow-up unless you ask for it."
)
CALL_LINK = Link("Schedule Call", FIRM.call_booking_url, external=True)
# Shown on narrow screens, where the panel is below the form.
CALL_INSTEAD = changeable(Link("Rather talk? Book 30 minutes", FIRM.call_booking_url, external=True))

NEXT = changeable(Heading(eyebrow="What happens next", title="Three steps from message to answer"))
NEXT_STEPS = changeable(
    (
        Step(
            "A reply",
            "Within one working day a partner writes back: what we understood, and whether we are the right "
            "people for it.",
        ),
        Step(
            "A call",
            "Thirty minutes by phone or video, free of charge. Bring your question and the numbers you have.",
        ),
        Step(
            "An answer",
            "Within three working days of the call you have it in writing: where we would begin and for what fee, or "
            "who would serve you better.",
        ),
    )
)
