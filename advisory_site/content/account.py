"""The labels of a person's own pages in the back office: profile and settings."""

from types import MappingProxyType

from advisory_site.content.shared import GroupText

BACK = "Back to the dashboard"
PROFILE_TITLE = "Profile"
NAMES = GroupText("Your name", "As colleagues see it, and as the dashboard greets you.")
FIRST_NAME = "First name"
LAST_NAME = "Last name"
SAVE_NAMES = "Save name"
SAVING = "Saving..."

PASSWORD = GroupText("Password", "Changing it signs out every other device.")
CURRENT_PASSWORD = "Current password"  # noqa: S105  a label
NEW_PASSWORD = "New password"  # noqa: S105
NEW_PASSWORD_HINT = "At least 6 characters. Three or four unrelated words are easy to remember and hard to guess."  # noqa: S105
CONFIRM_PASSWORD = "Confirm new password"  # noqa: S105
CHANGE_PASSWORD = "Change password"  # noqa: S105

SETTINGS_TITLE = "Settings"
THEME = GroupText("Theme", "For this browser.")
THEMES = MappingProxyType({"light": "Light", "dark": "Dark", "system": "As the system"})

SESSIONS = GroupText("Signed in on", "Every device on which this account is open. Sign out of those you do not know.")
THIS_DEVICE = "This device"
UNKNOWN_DEVICE = "An unknown device"
SINCE = "Signed in"
LAST_USED = "last used"
SIGN_OUT_DEVICE = "Sign out"
SIGN_OUT_DEVICE_CONFIRM = "Sign this device out?"
SIGN_OUT_EVERYWHERE = "Sign out everywhere"
SIGN_OUT_EVERYWHERE_CONFIRM = "Sign out on every device, this one included?"
SESSIONS_FAILED = "The devices could not be read just now."
