"""The texts of the history of records: its page, the comparison, and the notices about versions."""

from types import MappingProxyType

# The page
TITLE = "History"
TITLE_OF = "History of"
HOME = "Go to the dashboard"
BACK = "Back to the form"
BACK_TO_TRASH = "Go to the trash"
MISSING = "There is no record here. It may have been deleted for good."
VERSIONS = "Versions"
VERSION = "Version"
NOW = "(now)"
IN_TRASH = "This record was deleted and is in the trash. It can be restored there."
FAILED = "Failed to load the history"

# A version: what was done, through what, by whom
ACTIONS = MappingProxyType({"created": "Created", "saved": "Saved", "deleted": "Deleted", "restored": "Restored"})
RESTORED_FROM = "Restored from version {number}"
THROUGH = MappingProxyType({"back office": "Back office", "import": "CSV import"})
MORE_FIELDS = "{fields} and {count} more"
LAST_OF_TWO = "{fields} and {last}"

# Comparison
COMPARISON = "Comparison"
OLDER = "Before"
NEWER = "After"
VERSION_BEFORE = "The version before"
NEWEST = "The newest version"
WITH_NOW = "Compare with now"
RESTORE = "Restore this version"
RESTORE_NOW = "Restore now"
FIRST = "This is the first version. There is nothing older to compare it with."
OLDEST = "This is the oldest version that is kept. There is nothing older to compare it with."
SAME_VERSION = "Both are the same version. Choose another one to compare it with."
NO_DIFFERENCE = "Nothing that is edited differs between these two versions."
UNCHANGED = "Unchanged:"
YES = "Yes"
NO = "No"
PAGE_ADDRESS = "Page address"
EMPTY = "Empty"
PICTURE_NONE = "No picture"
ADDED = "Added"
REMOVED = "Removed"
MOVED = "Moved"
CHANGED = "Changed"
MOVED_FROM = "moved from place"
UNFOLD = "Show the unchanged text here"

# Restoring
RESTORED_NOW = "Version {number} restored"
RESTORED_NOTHING = "The record is already as it was in version {number}."
RESTORE_FAILED = "Failed to restore this version"

# Erasing
ERASE_OLDER = "Delete older versions"
ERASE_OLDER_CONFIRM = "Delete all versions but the newest for good? They can't be restored or compared afterwards."
ERASED = "{count} older versions deleted"
ERASED_ONE = "The older version was deleted"
ERASE_FAILED = "Failed to delete the older versions"
