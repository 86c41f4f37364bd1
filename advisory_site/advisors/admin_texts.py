"""The texts of the advisors in the back office; labels and hints of the form by the name of the field."""

from ..content.backoffice import LIST_HINT
from ..content.shared import FieldText, GroupText

TITLE = "Advisor Management"
TEXT = "Manage your advisor network and their profiles"
ADD = "Add Advisor"
EDIT_TITLE = "Edit Advisor"
BACK = "Back to Advisors"
SEARCH = "Search advisors"
EMPTY_TEXT = "Add the first one. Active advisors appear on the public advisors page."
CREATE = "Create Advisor"
CREATING = "Creating..."
UPDATE = "Update Advisor"
UPDATING = "Updating..."
ACTIVE = "Active"
INACTIVE = "Inactive"
MORE = "more"
LINKEDIN = "LinkedIn"
ORDER_LABEL = "Display order"

BASICS = GroupText("The essentials", "Shown in the list of advisors, and the address of the profile.")
STORY = GroupText("Their story", "The bio is shown on the card, the detailed bio on the profile.")
REACH = GroupText("Pictures and links", "Optional fields that are empty are not shown.")
PLACE = GroupText("On the site", "Whether visitors see this advisor, and in which place.")
STATS = GroupText("Stats", "A few figures at the top of the profile, such as 12 boards.")
EXPERIENCE = GroupText(
    "Experience",
    'Positions held, the latest first. Lines of a description that begin with "- " are shown to visitors as a list.',
)
ACHIEVEMENTS_MOVED = (
    'Achievements are lines of their position\'s description now, each beginning with "- ". '
    "Visitors see them as a list, as before."
)
SERVICES = GroupText("Services", "What founders can ask of this advisor.")

FIELDS: tuple[tuple[str, FieldText], ...] = (
    ("name", FieldText("Name")),
    (
        "slug",
        FieldText(
            "Page address", "The last part of the profile's address. If you leave it empty, it is made from the name."
        ),
    ),
    ("title", FieldText("Title")),
    ("company", FieldText("Company")),
    ("location", FieldText("Location")),
    ("tagline", FieldText("Tagline", "One line below the name.")),
    ("availability", FieldText("Availability", "Such as: Two days a month.")),
    ("expertise", FieldText("Expertise", f"{LIST_HINT} The first three are shown on the card.")),
    ("bio", FieldText("Bio")),
    ("detailed_bio", FieldText("Detailed bio")),
    ("image_url", FieldText("Image URL", "The address of a portrait, or a path on this site.")),
    ("cover_image_url", FieldText("Cover image URL", "A wide picture at the top of the profile.")),
    ("email", FieldText("Email")),
    ("linkedin_url", FieldText("LinkedIn URL", "Beginning with https://")),
    ("display_order", FieldText("Display order", "A whole number. The lowest comes first.")),
    ("is_active", FieldText("Active", "Only active advisors are shown to visitors.")),
)

# For each repeating group: the name of a row, and the labels of its fields.
STAT, STAT_ADD, STAT_REMOVE = "Stat", "Add stat", "Remove stat"
STAT_FIELDS: tuple[tuple[str, FieldText], ...] = (
    ("label", FieldText("Label", "Such as: Boards served.")),
    ("value", FieldText("Value", "Such as: 12.")),
)
POSITION, POSITION_ADD, POSITION_REMOVE = "Position", "Add experience", "Remove position"
POSITION_FIELDS: tuple[tuple[str, FieldText], ...] = (
    ("position", FieldText("Position")),
    ("company", FieldText("Company")),
    ("duration", FieldText("Duration", "Such as: 2018 to 2023.")),
    ("description", FieldText("Description")),
)
OFFER, OFFER_ADD, OFFER_REMOVE = "Service", "Add service", "Remove service"
OFFER_FIELDS: tuple[tuple[str, FieldText], ...] = (
    ("title", FieldText("Title")),
    ("price", FieldText("Price", "Shown beside the title, such as: S$800 an hour.")),
    ("description", FieldText("Description")),
)
