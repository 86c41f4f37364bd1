"""The texts of the page, the files and the command about personal data."""

from types import MappingProxyType

from ..content.csv_texts import ExportTexts
from ..content.shared import GroupText

TITLE = "Personal data"
TEXT = "Find, export and erase what is held about an email address, when its owner asks."
ADMINS_ONLY = "Only admins can see what is held about a person."

LOOK_UP = GroupText("Email address", "Exactly this address is looked for, in every table and in all texts.")
EMAIL = "Email address of the person"
FIND = "Find"
FINDING = "Searching..."
FAILED = "What is held about this address could not be read"
EMAIL_INVALID = "Please enter a full email address, such as name@company.com."

NOTHING = "Nothing is held about {email}."
FOUND = "What is held about {email}"
ROWS = "Rows: {count}"
FIRST_ROWS = "The first {shown} of {count} are shown; a download has all of them."
CUT = "..."
OPEN = "Open"
RELATIONS = MappingProxyType(
    {"theirs": "Theirs", "mentioned": "The address is mentioned", "author": "Written or changed by them"}
)
PASSAGE = "{label}, around the address"
LABELS = MappingProxyType(
    {
        "id": "ID",
        "by": "User ID",
        "created_by": "Uploaded by user ID",
        "linkedin_url": "LinkedIn URL",
        "of_table": "Table of the record",
        "record_id": "ID of the record",
        "updated_by": "Changed by user ID",
        "user_id": "User ID",
    }
)
YES, NO = "Yes", "No"

JSON, HTML = "Download as JSON", "Download as HTML"
DOWNLOAD = ExportTexts("The file is being downloaded.", "The file could not be made")

GOES = "What erasing deletes"
STAYS = "What stays, and why"
WENT = "What was deleted"
STAYED = "What stayed, and why"
GOES_NOTHING = "No row is deleted or changed."
DELETED = "{title}: {count} deleted."
ADDRESS_REMOVED = "{title}: the address removed from {count}."
KEPT = "{title}: {count} kept. {why}"
ERASE = "Erase"
ERASE_CONFIRM = "Erase what is held about {email}? This cannot be undone."
ERASED_TITLE = "Erased: {email}"
ERASED = "What was held about this address is erased, except what is listed as kept."
ERASE_FAILED = "Nothing was erased"
OWN_ACCOUNT = "This is the address of your own account. Another admin has to erase it."

RECORDS = MappingProxyType({"companies": "Companies", "team_members": "Team members", "advisors": "Advisors"})
WHY_RECORD = (
    "A record of the site is not deleted silently: it may be public. Open it, delete it or change what it says, and"
    " erase again."
)
WHY_PRESENT = "It is what a stored record says now, and goes with the record."
WHY_AUTHOR = "It names the person who saved it, so that changes can be explained, for 24 months at the most."
WHY_SAVED = "Only who saved it last is theirs: that link goes with the account."
WHY_INVITED = "It is about somebody else. Only who sent it is theirs: that link goes with the account."
WHY_PICTURE = "It may be shown on the site. Open it, delete it or change its description, and erase again."
WHY_ACTIVITY = (
    "It says who did what, with a name but without the address, to find out what happened, for 24 months; refused"
    " sign-ins 90 days."
)
# Copies that no table has.
ELSEWHERE = (
    "Backups: copies stay until the backups expire. After restoring one, erase the address again.",
    "Server logs: the address stays in log lines about sign-ins and changes for 30 days.",
    "The firm's mailbox: copies of enquiries and what was answered are deleted there by hand.",
)

DOCUMENT_TEXT = "Everything that the site of {firm} holds about this address, as of {at} (UTC)."
ALSO = "Copies outside the site's database"
