"""The texts of the enquiries in the back office."""

from ..content.firm import FIRM

TITLE = "Enquiries"
TEXT = "Messages sent through the contact form"
SEARCH = "Search enquiries"
FILTER_OPTIONS = (("", "All"), ("new", "New"), ("handled", "Handled"))
EMPTY_TITLE = "No enquiries yet"
EMPTY_TEXT = f"Messages from the contact form appear here, and are emailed to {FIRM.email}."

FROM = "From"
COMPANY = "Company"
STAGE = "Stage"
MESSAGE = "Message"
RECEIVED = "Received"
STATUS = "Status"
NEW = "New"
HANDLED = "Handled"
EMAIL = "Email"

HEADING = "Enquiry"
HEADING_FROM = "Enquiry from"
REPLY = "Reply by email"
MARK_HANDLED = "Mark as handled"
MARK_NEW = "Mark as new"
DELETE = "Delete"

REPLY_SUBJECT = f"Your enquiry to {FIRM.name}"
REPLY_GREETING = "Dear {name},"

EXPORT_HEAD = ("Received (UTC)", "First name", "Last name", "Email", "Company", "Stage", "Message", "Handled (UTC)")
