"""The texts of the page of all pictures."""

from types import MappingProxyType

TITLE = "Pictures"
ONE = "Picture"
TEXT = "All uploaded pictures, and where they are used."
ADD = "Add a picture"
SEARCH = "Search pictures"
FAILED = "Failed to fetch the pictures"
FETCH_FAILED = "Failed to fetch the picture"
EMPTY_TITLE = "No pictures yet"
EMPTY_TEXT = "Add one here, or upload it in the form of {a_record}."

FILTER = "Status"
FILTERS = MappingProxyType({"": "All pictures", "unused": "Not used"})
ORDER = "Order"
ORDERS = MappingProxyType({"": "Newest first", "name": "By name"})

DECORATIVE = "Decorative"
NOT_USED = "Not used"
USED_BY_ONE = "Used by 1 record"
USED_BY = "Used by {count} records"
PIXELS = "{width} × {height} px"
COPY = "Copy address"
COPIED = "Copied"

# The details of one picture
HEADING = "Picture"
SAVE = "Save"
SAVING = "Saving..."
SAVED = "Picture saved"
SAVE_FAILED = "Failed to save the picture"
ALT_HINT = "Covers need one, for people who cannot see them. Portraits and logos are described by their record."
CREDIT = "Credit"
CREDIT_HINT = "Who took it or owns the rights, for the firm’s own records. Visitors do not see it."

FACT_SIZE = "Size"
FACT_FILES = "Files"
FACT_ADDED = "Added"
KILOBYTES = "{size} kB"
MEGABYTES = "{size:.1f} MB"

# Where it is used
USED_HEADING = "Used by"
UNUSED_TEXT = "No record uses this picture."
OLDER_HEADING = "In drafts or older versions of"
DELETED_NOTE = "in the trash"
DELETE = "Delete"
DELETE_CONFIRM = "Delete this picture permanently? It cannot be restored."
DELETED = "Picture deleted"
DELETE_FAILED = "Failed to delete the picture"
IN_USE = "This picture cannot be deleted while records use it: {names}."
IN_VERSIONS = (
    "This picture cannot be deleted while drafts, or older or deleted versions of records, show it: {names}. "
    "Discard those drafts and delete those versions permanently first."
)

# Replacing it
REPLACE_HEADING = "Replace everywhere"
REPLACE_TEXT = "Choose another picture: every record that uses this one gets it instead."
REPLACE_SEARCH = "Search the other pictures"
REPLACE_WITH = "Use this one"
REPLACE_CONFIRM = "Replace the picture in every record that uses it?"
REPLACED_ONE = "Picture replaced in 1 record"
REPLACED = "Picture replaced in {count} records"
REPLACE_FAILED = "Failed to replace the picture"
REPLACE_NOTHING = "No record uses this picture any more."
REPLACE_SAME = "This is the same picture. Please choose another one."
NOTHING_FOUND = "No other picture matches."
OTHERS_FAILED = "Failed to search the pictures"
