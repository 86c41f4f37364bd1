"""The texts of the activity page."""

from types import MappingProxyType

TITLE = "Activity"
TEXT_ALL = "What everyone did, and when."
TEXT_CONTENT = "What was done to {records}, and what you did yourself."
TEXT_OWN = "What you did, and when."
SEARCH = "Search the activity"
FAILED = "Failed to fetch the activity"

KIND = "Kind"
CATEGORIES = MappingProxyType(
    {
        "": "All kinds",
        "records": "Records",
        "pictures": "Pictures",
        "files": "Exports and imports",
        "accounts": "Accounts",
        "sign-ins": "Sign-ins",
        "operations": "Operations",
    }
)
WHO = "Person"
WHO_ALL = "Everyone"
SINCE = "Time"
SPANS = MappingProxyType(
    {"": "Any time", "day": "Last 24 hours", "week": "Last 7 days", "month": "Last 30 days"},
)

WHEN = "When"
WHO_DID = "Who"
WHAT = "What"
WHICH = "Which"
NETWORK = "Network"
ONLY = "Show only"
OTHER_ACT = "Something else"
EMPTY_TITLE = "No activity yet"
EMPTY_TEXT = "Every change and every sign-in appears here."
