"""The texts of the history of records: its page, the comparison, and the notices about versions."""

from types import MappingProxyType

# The page
TITLE = "History"
TITLE_OF = "History of"
BACK = "Back to"
BACK_TO_TRASH = "Back to Trash"
MISSING = "There is no record here. It may have been deleted permanently."
VERSIONS = "Versions"
MORE_ABOUT_VERSIONS = "More actions for the versions"
VERSION = "Version"
NOW = "(now)"
IN_TRASH = "This record was deleted and is in the trash. It can be restored there."
FAILED = "Failed to load the history"

# A version: what was done, through what, by whom
ACTIONS = MappingProxyType({"created": "Created", "saved": "Saved", "deleted": "Deleted", "restored": "Restored"})
RESTORED_FROM = "Restored from version {number}"
THROUGH = MappingProxyType(
    {"back office": "Back office", "import": "CSV import", "draft": "Draft", "schedule": "Schedule"}
)
MORE_FIELDS = "{fields} and {count} more"
LAST_OF_TWO = "{fields} and {last}"

# Comparison
COMPARISON = "Comparison"
OLDER = "Before"
NEWER = "After"
WITH_NOW = "Compare with now"
RESTORE = "Restore into the form"
RESTORE_NOW = "Restore and publish at once"
FIRST = "This is the first version. There is nothing older to compare it with."
OLDEST = "This is the oldest version that is kept. There is nothing older to compare it with."
SAME_VERSION = "Both are the same version. Choose another one to compare it with."
NO_DIFFERENCE = "Nothing that can be edited differs between these two versions."
UNCHANGED_ONE = "1 unchanged field"
UNCHANGED_MANY = "{count} unchanged fields"
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
ERASE_OLDER_CONFIRM = "Permanently delete all versions but the newest?\nThey can’t be restored or compared afterwards."
ERASED = "{count} older versions deleted"
ERASED_ONE = "The older version was deleted"
ERASE_FAILED = "Failed to delete the older versions"
