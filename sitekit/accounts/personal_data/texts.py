"""The texts of the page, the files and the command about personal data."""

from dataclasses import dataclass
from types import MappingProxyType

from ...records.csv_texts import ExportTexts
from ...records.form_texts import Section

TITLE = "Personal data"
TEXT = "Find, export and erase what is held about an email address, when its owner asks."
ADMINS_ONLY = "Only admins can see what is held about a person."

LOOK_UP = Section("Email address", "We search every record for this exact address.")
EMAIL = "Email address of the person"
FIND = "Find"
FINDING = "Searching..."
FAILED = "What is held about this address could not be read"
EMAIL_INVALID = "Please enter a full email address, such as name@company.com."

NOTHING = "Nothing is held about {email}."
FOUND = "What is held about {email}"
MORE_ROWS = "Show {count} more"
FIRST_ROWS = "The first {shown} of {count} are shown; a download has all of them."
CUT = "..."
OPEN = "Open"
RELATIONS = MappingProxyType(
    {"theirs": "", "mentioned": "The address is mentioned", "author": "Written or changed by them"}
)
PASSAGE = "{label}, around the address"
LABELS = MappingProxyType(
    {
        "id": "ID",
        "by": "User ID",
        "alt": "Description",
        "at": "When",
        "created_by": "Uploaded by user ID",
        "linkedin_url": "LinkedIn URL",
        "enquiry_id": "ID of the enquiry",
        "factor_asked_at": "Asked to set up two-step sign-in",
        "invited_by": "Invited by user ID",
        "of_table": "Table of the record",
        "owner_id": "Owner, by user ID",
        "proposal_id": "ID of the draft",
        "record_id": "ID of the record",
        "updated_by": "Changed by user ID",
        "user_id": "User ID",
        "by_name": "Written by",
        "via": "Made through",
    }
)
YES, NO = "Yes", "No"

JSON, HTML = "Download as JSON", "Download as HTML"
DOWNLOAD = ExportTexts("The file is being downloaded.", "The file could not be made")

GOES = "What erasing deletes"
STAYS = "What stays, and why"
WENT = "What was deleted"
STAYED = "What stayed, and why"


@dataclass(frozen=True)
class OutcomeTexts:
    """What happens to some rows, such as "2 invitations"."""

    deleted: str
    address_removed: str
    kept: str
    nothing: str


WILL = OutcomeTexts(
    deleted="{rows} will be deleted.",
    address_removed="The address will be removed from {rows}.",
    kept="{rows} will be kept. {why}",
    nothing="Nothing will be deleted or changed.",
)
DONE = OutcomeTexts(
    deleted="{rows} deleted.",
    address_removed="The address was removed from {rows}.",
    kept="{rows} kept. {why}",
    nothing="Nothing was deleted or changed.",
)
ERASE = "Erase"
ERASE_CONFIRM = "Erase what is held about {email}?\nThis cannot be undone."
ERASE_TYPED = "Type the address to confirm"
TYPED_DIFFERS = "Nothing was erased: the address you typed is not the one shown."
ERASED_TITLE = "Erased: {email}"
ERASED = "Erased, apart from the items listed below."
ERASE_FAILED = "Nothing was erased"
OWN_ACCOUNT = "This is the address of your own account. Another admin has to erase it."

WHY_RECORD = (
    "This record may be public, so it is not deleted silently. Open it, delete it or change what it says, then erase"
    " again."
)
WHY_PRESENT = "It is what a stored record says now, and goes with the record."
WHY_AUTHOR = "It names the person who saved it, so that changes can be explained, for 24 months at the most."
WHY_SAVED = "It belongs to the site. The note of who saved it last goes with the account."
WHY_INVITED = "It is about someone else. The note of who sent it goes with the account."
WHY_PICTURE = "It may be shown on the site. Open it, delete it or change its description, then erase again."
WHY_ACTIVITY = (
    "It says who did what, with a name but without the address, to find out what happened, for 24 months; refused"
    " sign-ins 90 days."
)
# Copies that no table has.
ELSEWHERE = (
    "Backups: copies stay until the backups expire. After restoring one, erase the address again.",
    "Server logs: the address stays in log lines about sign-ins and changes for 30 days.",
)

DOCUMENT_TEXT = "Everything that the site of {firm} holds about this address, as of {at} (UTC)."
ALSO = "Copies outside the site’s database"
