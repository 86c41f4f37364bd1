"""The words of the page about one person, for admins."""

from types import MappingProxyType

from ..content.shared import GroupText

TITLE = "Person"
BACK = "Back to the users"

STATUS = "Status"
ACTIVE = "Active"
DEACTIVATED_SINCE = "Deactivated since"
NO_ROLE = "None"
CONFIRMED = "Address confirmed"
NOT_CONFIRMED = "Not yet"

FACTORS = GroupText("Second factors", "What they prove who they are with, besides the password.")
NO_FACTORS = "No second factor."
FACTOR_KINDS = MappingProxyType({"code": "Authenticator app", "passkey": "Passkey"})
ADDED = "Added"
LAST_USED = "last used"
NEVER_USED = "never used"

DEVICES = GroupText("Devices", "Where they are signed in now.")
NO_DEVICES = "Not signed in anywhere."

ACTS = GroupText("Access", "They are told by email when their account is deactivated or reactivated.")
RESET = "Send a reset link"
RESET_TEXT = "Mails them a link to choose a new password, for example when they cannot sign in."
RESET_CONFIRM = "Send {email} a link to choose a new password? Until they use it, their password stays as it is."
SIGN_OUT = "Sign out everywhere"
SIGN_OUT_TEXT = "Ends their session on every device. They can sign in again."
SIGN_OUT_CONFIRM = "Sign {email} out on every device? What they have not saved yet may be lost."
DEACTIVATE = "Deactivate"
DEACTIVATE_TEXT = "Keeps them out until you reactivate the account. Nothing is deleted."
DEACTIVATE_CONFIRM = (
    "Deactivate the account of {email}? They are signed out everywhere and cannot sign in. Records they saved keep "
    "their name. Mail waiting for them is held back."
)
REACTIVATE = "Reactivate"
REACTIVATE_TEXT = "Lets them sign in again, with the password and the role they had."
REACTIVATE_CONFIRM = "Reactivate the account of {email}? They can sign in again, with the role they had."
DELETE = "Delete the account"
DELETE_TEXT = "Cannot be undone. Records they saved stay, and keep their name."
DELETE_CONFIRM = (
    "Delete the account of {email} for good? Records they saved keep their name. They are signed out everywhere. Mail "
    "waiting for them is held back."
)
OWN = "This is your own account. Only another admin can deactivate or delete it, because you could not take it back."
TO_PROFILE = "Change your name, email address or password"
