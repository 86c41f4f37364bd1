"""The texts of CSV export and import in the back office."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportTexts:
    """What a list replies to its export. `cut` is the reply if the file does not have all rows."""

    done: str
    failed: str
    cut: str = ""


# Export
EXPORT = "Export CSV"
USERS = ExportTexts("Users exported: {count}", "Failed to export users")
USERS_HEAD = ("First name", "Last name", "Email", "Role", "Member since (UTC)")
ACTIVITY = ExportTexts("Activity exported: {count}", "Failed to export the activity")
ACTIVITY_HEAD = ("When (UTC)", "Who", "What", "Which", "Table", "ID", "Network")
LINK_INVALID = "This download link has expired or has been used. Please export the list again."
NOT_ALLOWED = "You may not download this list."
NOT_AVAILABLE = "The list could not be read. Please export it again."

# Columns
ID = "ID"
SLUG = "Page address"

# Cells
ORDER_UNREADABLE = "Please enter a whole number without other signs, such as 3."
FLAG_UNREADABLE = "Please enter true or false."
GROUP_UNREADABLE = "This must be a JSON list of objects with the keys {keys}."
GROUP_KEY_UNKNOWN = "There is no key “{key}”. The keys are {keys}."

# Import
IMPORT = "Import CSV"
IMPORT_TEXT = "Add and change many records at once. You will see every change before anything is saved."
FILE = "CSV file"
FILE_CHOOSE = "Choose a file"
FILE_OTHER = "Choose another file"
FILE_DROP = "or drop it here"
FILE_LIMITS = "A CSV file of at most 5 MB and 5,000 rows, with the column names in its first row."
FILE_EXAMPLE = "Tip: export the list first and edit that file."
FILE_READING = "Reading the file..."
FILE_CHECKING = "Comparing it with the records..."
FILE_TOO_LARGE = "This file is larger than 5 MB. Please split it."
FILE_TOO_LONG = "This file has more than 5,000 rows. Please split it."
FILE_TOO_WIDE = "This file has more than {limit} columns."
FILE_EMPTY = "This file has no rows below the column names."
FILE_WORKBOOK = "This is a workbook, not a CSV file. Please save it as CSV first."
FILE_NO_TEXT = "This is not a CSV file, or not in a known encoding. Please save it as “CSV UTF-8”."
FILE_TITLED = "The first row has no column names. If there is a title above them, please delete its row."
FILE_BROKEN = "Row {number} cannot be read: {reason}."
QUOTES_BROKEN = "its quotation marks do not match"
CELL_TOO_LONG = "a cell is too long"
FILE_DROPPED = "This page waited too long and let the file go. Please choose it again."
FILE_UNREAD = "The file could not be read. Please choose it again."
IMPORT_FAILED = "Failed to import"
ENCODING_GUESSED = (
    "This file is not UTF-8, so it was read as Windows-1252 (Western European). Please check the accents. If they are "
    "wrong, save the file again: in Excel as “CSV UTF-8”, in LibreOffice with the character set “Unicode (UTF-8)”."
)

MATCHING = "Columns"
MATCHING_TEXT = (
    "Rows are matched by ID, else by page address; any other row becomes a new record. "
    "Fields without a column stay as they are; an empty cell empties its field."
)
NOT_IMPORTED = "Not imported"
COLUMNS_IGNORED = "Not imported: {columns}."
COLUMN_TWICE = "Two columns are imported as {field}. Please choose one of them."
COLUMN_UNNAMED = "Column {number}"

PREVIEW = "Preview of changes"
ALL_ROWS = "All"
NEW_ROWS = "New"
CHANGED_ROWS = "Changed"
SAME_ROWS = "Unchanged"
WRONG_ROWS = "Wrong"
ROW = "Row"
ROW_KIND = "Result"
ROW_NAME = "Record"
ROW_CHANGES = "Details"
OLD_VALUE = "before:"
NEW_VALUE = "now:"
NO_VALUE = "empty"
NO_SUCH_ROWS = "No rows of this kind."
MADE_FROM_NAME = "made from the name"
IMPORT_ONE = "Import 1 record"
IMPORT_MANY = "Import {count} records"
IMPORT_NONE = "Nothing to import"
IMPORTING = "Importing..."
WRONG_LEFT_OUT = "Rows with errors are skipped: {count}"
IMPORTED = "Imported: {new} new, {changed} changed"
SAVED_SINCE = "Nothing was imported, because these records were saved or deleted since: {names}. The table is new now."
ROW_REFUSED = "Nothing was imported. Row {number} ({name}): {sentence}"

ID_UNKNOWN = "There is no record with this ID. Leave it empty to add a new record."
ID_UNREADABLE = "Please enter a whole number, or leave it empty."
SLUG_FIXED = "This is not the page address of the record with this ID, and it cannot be changed here."
ROW_TWICE = "Row {number} is about the same record."
SLUG_TWICE = "Row {number} has the same page address."
CELL_COUNT = (
    "This row has {cells} cells, but there are {columns} columns. A text with a separator in it needs quotation marks."
)
