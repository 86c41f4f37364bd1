"""Labels in the forms of records that the description of a record needs too."""

ON_THE_SITE = "On the site"
CHOICE_NONE = "None"
LIST_HINT = "One per line, or separated by commas."
# Beside the name or slug of a record that another one names.
HIDDEN = "hidden from visitors"
DELETED = "deleted"
