"""The texts of the page of all pictures."""

from types import MappingProxyType

TITLE = "Pictures"
TEXT = "Every picture that was uploaded: what it shows, which records use it, and the point that every crop keeps."
BACK = "Back to the dashboard"
SEARCH = "Search pictures"
FAILED = "Failed to fetch the pictures"
FETCH_FAILED = "Failed to fetch the picture"
EMPTY_TITLE = "No pictures yet"
EMPTY_TEXT = "A picture that is uploaded in the form of a company, a team member or an advisor appears here."

FILTER = "Status"
FILTERS = MappingProxyType({"": "All pictures", "unused": "Not used", "undescribed": "Without a description"})
ORDER = "Order"
ORDERS = MappingProxyType({"": "Newest first", "name": "By name"})

NO_DESCRIPTION = "No description"
DECORATIVE = "Decorative"
NOT_USED = "Not used"
USED_BY_ONE = "Used by 1 record"
USED_BY = "Used by {count} records"
PIXELS = "{width} × {height} px"
COPY = "Copy address"
COPIED = "Copied"
