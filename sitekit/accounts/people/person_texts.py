"""The words of the page about one person, for admins."""

from ...records.form_texts import Section

TITLE = "Person"
BACK = "Back to Users"
OPEN = "Open"

STATUS = "Status"
ACTIVE = "Active"
DEACTIVATED_SINCE = "Deactivated since"
NO_ROLE = "None"
CONFIRMED = "Address confirmed"
NOT_CONFIRMED = "Not yet"

FACTORS = Section("Second steps", "How they confirm a sign-in after the password.")
NO_FACTORS = "No second step."
ADDED = "Added"
LAST_USED = "last used"
NEVER_USED = "never used"

DEVICES = Section("Devices", "Where they are signed in now.")
NO_DEVICES = "Not signed in anywhere."

ACTS = Section("Access", "They are told by email when their account is deactivated or reactivated.")
RESET = "Send a reset link"
RESET_TEXT = "Emails a link to set a new password."
RESET_CONFIRM = "Send {email} a link to choose a new password?\nUntil they use it, their password stays as it is."
SIGN_OUT = "Sign out everywhere"
SIGN_OUT_TEXT = "Ends their session on every device. They can sign in again."
SIGN_OUT_CONFIRM = "Sign {email} out on every device?\nWhat they have not saved yet may be lost."
DEACTIVATE = "Deactivate"
DEACTIVATE_TEXT = "Keeps them out until you reactivate the account. Nothing is deleted."
DEACTIVATE_CONFIRM = (
    "Deactivate the account of {email}?\nThey are signed out everywhere and cannot sign in. Records they saved keep "
    "their name. Emails waiting for them are held back."
)
REACTIVATE = "Reactivate"
REACTIVATE_TEXT = "Lets them sign in again, with the password and the role they had."
REACTIVATE_CONFIRM = "Reactivate the account of {email}?\nThey can sign in again, with the role they had."
DELETE = "Delete the account"
DELETE_TEXT = "Cannot be undone. Their work stays under their name."
DELETE_CONFIRM = (
    "Delete the account of {email} permanently?\nRecords they saved keep their name. They are signed out everywhere. "
    "Emails waiting for them are held back."
)
OWN = "This is your own account. Only another admin can deactivate or delete it, because you could not take it back."
TO_PROFILE = "Change your name, email address or password"
