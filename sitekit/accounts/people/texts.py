"""The labels of the profile and settings pages."""

from types import MappingProxyType

from ...records.form_texts import Section

PROFILE_TITLE = "Profile"
NAMES = Section("Your name", "Colleagues see it, and the dashboard greets you by it.")
FIRST_NAME = "First name"
LAST_NAME = "Last name"
SAVE_NAMES = "Save name"
SAVING = "Saving..."

EMAIL_GROUP = Section("Email address", "You sign in with it. It changes once you confirm the link we send there.")
CURRENT_EMAIL = "Your address is"
WAITING_EMAIL = "Not confirmed yet: a link is on its way to"
NEW_EMAIL = "New email address"
CHANGE_EMAIL = "Change email"
SENDING = "Sending..."
PASSWORD = Section("Password", "Changing it signs you out on every other device.")
CURRENT_PASSWORD = "Current password"  # noqa: S105  a label
NEW_PASSWORD = "New password"  # noqa: S105
NEW_PASSWORD_HINT = "At least 6 characters. Three or four unrelated words are easy to remember and hard to guess."  # noqa: S105
CONFIRM_PASSWORD = "Confirm new password"  # noqa: S105
FIRST_PASSWORD = Section(
    "Password", "You have none: a passkey signs you in. Setting one signs you out on other devices."
)
SET_PASSWORD = "Set a password"  # noqa: S105
CHANGE_PASSWORD = "Change password"  # noqa: S105

SETTINGS_TITLE = "Settings"
THEME = Section("Theme", "For this browser.")
KEYBOARD = Section("Keyboard", "For this browser. Turn it off if you dictate, or if keys get pressed by mistake.")
SINGLE_KEYS = "Use / and ? as shortcuts"
THEMES = MappingProxyType({"light": "Light", "dark": "Dark", "system": "Same as system"})

SESSIONS = Section("Your devices", "Every device signed in to this account. Sign out any you do not recognise.")
THIS_DEVICE = "This device"
SINCE = "Signed in"
LAST_USED = "last used"
SIGN_OUT_DEVICE = "Sign out"
SIGN_OUT_DEVICE_CONFIRM = "Sign this device out?"
SIGN_OUT_EVERYWHERE = "Sign out everywhere"
SIGN_OUT_EVERYWHERE_CONFIRM = "Sign out on every device, this one included?"
SESSIONS_FAILED = "Your devices could not be loaded. Please try again."

CANCEL = "Cancel"
