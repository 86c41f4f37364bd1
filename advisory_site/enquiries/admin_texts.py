"""The texts of the enquiries in the back office."""

from sitekit.records.csv_texts import ExportTexts

from ..content.firm import FIRM

TITLE = "Enquiries"
ONE = "Enquiry"
TEXT = "Messages sent through the contact form"
SEARCH = "Search enquiries"
STATES = {"new": "New", "open": "Open", "waiting": "Waiting", "handled": "Handled", "spam": "Spam"}
FILTER_OPTIONS = (("", "All"), ("mine", "Mine"), *STATES.items())
DUE_TODAY = "Due today, {time}"
DUE_TOMORROW = "Due tomorrow, {time}"
DUE = "Due {day}, {time}"
OVERDUE = "Overdue by {time}"
WAITS_UNTIL = "Until {day}"
REPLIES = "First reply: median {hours} h this month, {in_time} of {count} within a working day"
BACK_SINCE = "Open again since {day}"
NOT_SENT = "Reply not sent:"
EMPTY_TITLE = "No enquiries yet"
EMPTY_TEXT = f"Messages from the contact form appear here, and are emailed to {FIRM.email}."

FROM = "From"
COMPANY = "Company"
STAGE = "Stage"
MESSAGE = "Message"
RECEIVED = "Received"
STATUS = "Status"
NEW_COUNTED = "new"  # after their number
EMAIL = "Email"

HEADING = "Enquiry"
REPLY = "Open in your mail program"
MARK_HANDLED = "Mark as handled"
MARK_NEW = "Mark as new"
DELETE = "Delete"

EXPORT = ExportTexts(
    "Enquiries exported: {count}",
    "Failed to export enquiries",
    "Enquiries exported: the newest {count} of {total}. Search or filter for the others.",
)
EXPORT_HEAD = (
    "Received (UTC)",
    "First name",
    "Last name",
    "Email",
    "Company",
    "Stage",
    "Message",
    "Handled (UTC)",
    "State",
    "Owner",
    "Due (UTC)",
    "First reply (UTC)",
)
