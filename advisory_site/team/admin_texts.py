"""The texts of the team in the back office; labels and hints of the dialog by the name of the field."""

from ..content.backoffice import LIST_HINT
from ..content.shared import FieldText, GroupText

TITLE = "Team Management"
TEXT = "The people on the public team page, in the order shown there"
ADD = "Add Team Member"
EDIT_TITLE = "Edit Team Member"
SEARCH = "Search team members"
EMPTY_TITLE = "No team members yet"
EMPTY_TEXT = "Add the first one. Active members appear on the public team page."
CREATE = "Create Team Member"
CREATING = "Creating..."
UPDATE = "Update Team Member"
UPDATING = "Updating..."

NAME = "Name"
DESIGNATION = "Designation"
EMAIL = "Email"
ORDER = "Order"
STATUS = "Status"
ACTIVE = "Active"
INACTIVE = "Inactive"

WHO = GroupText("Who they are", "The profile's address is made from the name.")
STORY = GroupText("Their story", "The bio is shown on the card, the detailed bio on the profile.")
PLACE = GroupText("On the site", "Whether visitors see this person, and in which place.")

FIELDS: tuple[tuple[str, FieldText], ...] = (
    ("name", FieldText("Name")),
    ("designation", FieldText("Designation", "Such as Partner, or Head of Growth.")),
    ("email", FieldText("Email")),
    ("linkedin_url", FieldText("LinkedIn URL", "Optional. Begins with https://")),
    ("image_url", FieldText("Image URL", "The address of a portrait, or a path on this site.")),
    ("bio", FieldText("Bio")),
    ("detailed_bio", FieldText("Detailed bio")),
    ("expertise", FieldText("Expertise", LIST_HINT)),
    ("achievements", FieldText("Achievements", LIST_HINT)),
    ("display_order", FieldText("Display order", "A whole number. The lowest comes first.")),
    ("is_active", FieldText("Active", "Only active members are shown to visitors.")),
)
