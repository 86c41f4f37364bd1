"""The labels of the back office; what it replies to actions is in messages.py."""

from collections.abc import Sequence
from types import MappingProxyType

from ..base import messages

# The shell
TITLE = "Admin Dashboard"
SKIP = "Skip to the content"
TABS_LABEL = "Back office"
PLACES_LABEL = "More of the back office"
MENU_LABEL = "Account menu"
NO_NAME = "User"
PROFILE = "Profile"
SETTINGS = "Settings"
ACTIVITY = "Activity"
PERSONAL_DATA = "Personal data"
PICTURES = "Pictures"
HELP = "Help"
HELP_TEXT = "Everyday tasks, step by step. You see those that your role allows."
HOW_THIS_WORKS = "How this works"
UNDO = "Undo"
SITE = "View the site"
SIGN_OUT = "Log out"
LOADING = "Loading..."

# The screens of a record type; {label} is "Team Member", {plural} "team members" and {list} the label of its tab
ADD_RECORD = "Add {label}"
EDIT_RECORD = "Edit {label}"
CREATE_RECORD = "Create {label}"
CREATING = "Creating..."
UPDATE_RECORD = "Update {label}"
UPDATING = "Updating..."
IMPORT_RECORDS = "Import {labels}"
BACK_TO_LIST = "Back to {list}"
SEARCH_RECORDS = "Search {plural}"

# Lists
SEARCH_CLEAR = "Clear the search"
CLEAR_SEARCH = "Clear search and filters"
SAVED_ELSEWHERE = "What you saved is not in this list: the search or a filter hides it."
# A notice says which list it is.
FAILED_TITLE = "This list is not available at the moment"
FAILED_TEXT = "The records could not be loaded. Nothing is lost."
TRY_AGAIN = "Try again"
PAGES_LABEL = "Pages"
FIRST_PAGE = "First page"
PREVIOUS_PAGE = "Previous page"
NEXT_PAGE = "Next page"
LAST_PAGE = "Last page"
PAGE_SIZE_LABEL = "Rows per page"
SORT_LABEL = "Sort by"
SORT_STANDARD = "Standard order"
ACTIONS = "Actions"
MORE_ACTIONS = "More actions for"
MORE_BUTTONS = "More actions"
STATUS = "Status"
STATUS_OPTIONS = MappingProxyType(
    {"": "All statuses", "active": "Active", "inactive": "Not active", "draft": "With a draft"}
)
VIEW_ON_SITE = "View on site"
ONLY_READ = "You can read this, but not change it."
EDIT = "Edit"
DELETE = "Delete"
PUBLISH = "Publish"
UNPUBLISH = "Unpublish"
DUPLICATE = "Duplicate"
MOVE = "Move"
MOVE_HINT = "Drag, or press Alt and an arrow key"
FIRST_ROW = "This is the first row."
LAST_ROW = "This is the last row."
TICK = "Select"
TICK_PAGE = "Select all on this page"
TICK_ALL = "Select all"
TICKED = "selected"
UNTICK = "Clear selection"
BULK_LABEL = "Selected records"
TRASH = "Trash"
MOVE_TO_TRASH = "Move to trash"
TRASH_ONE_CONFIRM = "Move the selected record to the trash? It can be restored for 30 days."
TRASH_SEVERAL_CONFIRM = "Move {count} records to the trash? They can be restored for 30 days."


def nothing_found(search: str, filters: Sequence[str]) -> str:
    """The message of a list that nothing matches: the search text, and the labels of the filters set."""
    named = f"the {'filter' if len(filters) == 1 else 'filters'} {', '.join(filters)}"
    if not search:
        return f"Nothing matches {named}."
    return f"Nothing matches “{search}” with {named}." if filters else f"Nothing matches “{search}”."


# Forms
CANCEL = "Cancel"
NEW_CHOICE = "New: no other {noun} has this {facet}."
LEAVE = "Leave"
KEEP_EDITING = "Keep editing"
STAYS_IN_TRASH = "It stays in the trash until {date}."
CLOSE = "Close"
CHAR_COUNT = "{length} of {most} characters"
RESTORED = "We restored your unsaved changes."
DISCARD = "Discard"
DISCARD_CONFIRM = "Discard your changes and show the saved record?"
ENTRIES = "Entries"
CHOICE_OWN = "Other..."
CHOICE_OWN_LABEL = "{label}, in your own words"
IS_SHOWN = "Visitors see this record once it is saved."
IS_HIDDEN = "Hidden from visitors once it is saved."
SAVE_AND_CONTINUE = "Save and continue"
LAST_SAVED_BY = "Last saved by"
LAST_SAVED = "Last saved"
LAST_SAVED_BY_SYSTEM = "Last saved by the system"
HISTORY = "History"
RESTORING_VERSION = "This form shows version"
RESTORING_OF = "of"
RESTORING_BY = "by"
RESTORING_UNSAVED = "Nothing changes until you save it."
SLUG_FREE = "This address is free."
SHOW_STORED = "Show what is stored"
# The rows of a repeating group; {row} is its name and number, such as "author 2".
ROWS = MappingProxyType(
    {
        "drag": "Drag to move {row}",
        "up": "Move {row} up",
        "down": "Move {row} down",
        "remove": "Remove {row}",
        "removed": "{row} removed.",
        "undo": UNDO,
        "moved": "{row} is now number {place} of {count}.",
        "first": "{row} is the first.",
        "last": "{row} is the last.",
        "collapseAll": "Collapse all",
        "expandAll": "Expand all",
        "empty": "Empty",
    }
)
LOOK = "Look at that version"
OVERWRITE = "Overwrite with mine"

# Users
USERS_TITLE = "User Management"
USERS_TEXT = "Everyone who can sign in, and what they may do."
USERS_TEXT_READ_ONLY = f"{USERS_TEXT} {messages.USERS_VIEW_ONLY}"
USERS_SEARCH = "Search users"
USERS_FILTER = "Role"
USERS_ALL = "All roles"
USERS_EMPTY_TITLE = "No users yet"
USERS_EMPTY_TEXT = "People appear here once they have accepted an invitation or signed up."
USER = "User"
EMAIL = "Email"
ROLE = "Role"
MEMBER_SINCE = "Member Since"
CONFIRMED = "Confirmed"
CONFIRMED_YES = "Yes"
CONFIRMED_NO = "Not yet"
LAST_SIGNED_IN = "Last signed in"
NEVER = "Never"
DEACTIVATED = "Deactivated"
ROLE_OF = "Role of"
ROLE_CHANGE = "Change to"
ROLE_CONFIRM = "Change the role to {role}?"
ROLE_TO_ADMIN = "Admins can invite people, change everyone’s role, and see backups and failed emails."
ROLE_FROM_ADMIN = "Takes away an admin’s rights: invitations, changing roles, backups and failed emails."
ROLE_OWN_FROM_ADMIN = "You give up your own rights as an admin. Only another admin can restore them."
ROLES = MappingProxyType({"employee": "Employee", "manager": "Manager", "admin": "Admin"})

# A text in Markdown
MARKDOWN_PREVIEW = "As visitors will see it"
MARKDOWN_EMPTY = "What you write appears here."
MARKDOWN_TABLE = "A table was pasted as text."
MARKDOWN_HELP_TITLE = "How to write headings, links and lists"
MARKDOWN_HELP = (
    ("## Heading", "A heading; with ### a smaller one"),
    ("**strong**  *stressed*", "Words that stand out"),
    ("[the words](/companies)", "A link to a page on this site, or to an address with https://, mailto: or tel:"),
    ("- first", "A list, one item per line; with 1. a numbered one"),
    ("> a quotation", "Someone else's words"),
    ("![What it shows](/media/...)", "A picture: drop or paste it into the text, or insert one of the library"),
)
MARKDOWN = MappingProxyType(
    {
        "preview": MARKDOWN_PREVIEW,
        "empty": MARKDOWN_EMPTY,
        "table": MARKDOWN_TABLE,
        "insert": "Insert a picture",
        "search": "Search pictures",
        "nothing": "No pictures found.",
    }
)
MARKDOWN_PICKER = MappingProxyType(
    {
        "choose": "Upload a picture",
        "drop": "or drop or paste it into the text.",
        "added": "Uploaded. Describe it between the square brackets.",
    }
)
