"""The texts of the advisors in the back office."""

from collections.abc import Mapping
from types import MappingProxyType

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
ORDER = "Order"
ORDER_OPTIONS: Mapping[str, str] = MappingProxyType(
    {"": "By display order", "name": "By name", "title": "By title", "company": "By company", "status": "By status"}
)
