"""The labels of the back office; what it replies to actions is in messages.py."""

from collections.abc import Sequence
from types import MappingProxyType

from . import messages

# The shell
TITLE = "Admin Dashboard"
SKIP = "Skip to the content"
TABS_LABEL = "Back office"
MENU_LABEL = "Account menu"
NO_NAME = "User"
PROFILE = "Profile"
SETTINGS = "Settings"
ENQUIRIES = "Enquiries"
ACTIVITY = "Activity"
PERSONAL_DATA = "Personal data"
PICTURES = "Pictures"
ENQUIRIES_NEW = "new"
SITE = "View the site"
SIGN_OUT = "Log out"
LOADING = "Loading..."

# Lists
BACK = "Back to the dashboard"
SEARCH_CLEAR = "Clear the search"
CLEAR_SEARCH = "Clear search and filters"
SAVED_ELSEWHERE = "What you saved is not in this list: the search or a filter leaves it out."
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
VIEW_ON_SITE = "View on site"
EDIT = "Edit"
DELETE = "Delete"
PUBLISH = "Publish"
UNPUBLISH = "Unpublish"
DUPLICATE = "Duplicate"
MOVE = "Move"
MOVE_HINT = "Drag, or press Alt and an arrow key"
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
    return f"Nothing matches '{search}' with {named}." if filters else f"Nothing matches '{search}'."


# Forms
CANCEL = "Cancel"
CLOSE = "Close"
RESTORED = "We restored your unsaved changes."
DISCARD = "Discard"
DISCARD_CONFIRM = "Discard your changes and show the saved record?"
LIST_HINT = "One entry per line. Without line breaks, commas separate the entries."
ENTRIES = "Entries"
CHOICE_NONE = "None"
CHOICE_OWN = "Other..."
CHOICE_OWN_LABEL = "{label}, in your own words"
# Beside the name or slug of a record that another one names.
HIDDEN = "hidden from visitors"
DELETED = "deleted"
IS_SHOWN = "Visitors see this record once it is saved."
IS_HIDDEN = "Hidden from visitors once it is saved."
SAVE_AND_CONTINUE = "Save and continue"
ON_THE_SITE = "On the site"
LAST_SAVED_BY = "Last saved by"
LAST_SAVED = "Last saved"
LAST_SAVED_BY_SYSTEM = "Last saved by the system"
HISTORY = "History"
RESTORING_VERSION = "This form shows version"
RESTORING_OF = "of"
RESTORING_BY = "by"
RESTORING_UNSAVED = "Nothing changes until you save it."
SHOW_STORED = "Show what is stored"
# The rows of a repeating group; {row} is its name and number, such as "founder 2".
ROWS = MappingProxyType(
    {
        "drag": "Drag to move {row}",
        "up": "Move {row} up",
        "down": "Move {row} down",
        "remove": "Remove {row}",
        "removed": "{row} removed.",
        "undo": "Undo",
        "moved": "{row} is now number {place} of {count}.",
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
ROLE_UNCHANGED = "Not changed yet."
ROLE_TO_ADMIN = "Admins can invite people, change everyone’s role, and see backups and failed mail."
ROLE_FROM_ADMIN = "Takes away an admin’s rights: invitations, changing roles, backups and failed mail."
ROLE_OWN_FROM_ADMIN = "You give up your own rights as an admin. Only another admin can give them back."
ROLES = MappingProxyType({"employee": "Employee", "manager": "Manager", "admin": "Admin"})

# Companies
COMPANIES_TITLE = "Company Management"
COMPANIES_TEXT = "Manage portfolio companies and their details"
COMPANY_ADD = "Add Company"
COMPANIES_SEARCH = "Search companies"
COMPANIES_ORDER = "Newest first"
INDUSTRIES_ALL = "All industries"
COUNTRIES_ALL = "All countries"
COUNTRY = "Country"
STATUS_OPTIONS = MappingProxyType({"": "All statuses", "active": "Active", "inactive": "Not active"})
COMPANIES_EMPTY_TITLE = "No companies yet"
COMPANIES_EMPTY_TEXT = "Add the first one. It appears on the public site when its status is Active."
COMPANY = "Company"
INDUSTRY = "Industry"
FOUNDED = "Founded"
EMPLOYEE_COUNT = "Employees"
LOCATION = "Location"
FOUNDER = "Founder"
STATUS = "Status"

COMPANY_NEW_TITLE = "Add Company"
COMPANY_EDIT_TITLE = "Edit Company"
COMPANY_BACK = "Back to Companies"
COMPANY_CREATE = "Create Company"
COMPANY_CREATING = "Creating..."
COMPANY_UPDATE = "Update Company"
COMPANY_UPDATING = "Updating..."
SLUG_FREE = "This address is free."
