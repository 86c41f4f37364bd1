"""The labels of the page for two-step sign-in, and of its summary on the profile page."""

from types import MappingProxyType

from ...records.form_texts import Section
from ..texts import CREATE_PASSKEY

# ruff: noqa: S105 - these are labels of fields for passwords, not passwords.
TITLE = "Two-step sign-in"
BACK = "Back to Profile"
SUMMARY = Section(TITLE, "Besides your password, something that only you have: a passkey, or a code from your phone.")
ON = "On"
OFF = "Off: your password alone signs you in."
MANAGE = "Set up or change"

MUST_TITLE = "Please set up a second step first"
MUST_TEXT = "You sign in with it after your password, such as a code from your phone. Then everything else opens."

FACTORS = Section(
    "Your second steps",
    "We ask for one of these after your password. A passkey with a PIN, fingerprint or face is enough alone.",
)
FACTORS_NONE = "None yet. Your password alone signs you in."
KINDS = {"code": "Authenticator app", "passkey": "Passkey"}
ADDED = "Added"
LAST_USED = "last used"
NEVER_USED = "never used"
UNREADABLE = "No longer works, because this site’s secret was changed. Remove it, and set it up again."
RENAME = "Rename"
RENAME_GROUP = Section("Rename this second step", "Only you see the name.")
RENAMING = "Renaming..."
REMOVE = "Remove"
REMOVE_CONFIRM = "Remove this second step?\nIt can no longer be used to sign in."

PASSKEY = Section(
    "Add a passkey",
    "The quickest way: your device, or a security key, signs you in with its PIN, your fingerprint or your face.",
)
PASSKEY_CONTINUE = "Continue with a passkey"
PASSKEY_READY = Section("Create your passkey", "Your browser asks where to keep it.")
PASSKEY_UNAVAILABLE = (
    "Passkeys are not available at the address of this site. Its operator can find out why with “check”."
)
PASSKEY_WORDS = MappingProxyType(
    {
        **CREATE_PASSKEY,
        "unavailable": "This browser has no passkeys. Please use another one, or an authenticator app.",
    }
)

APP = Section(
    "Add an authenticator app",
    "If you prefer a code: an app such as Google Authenticator, 1Password or Aegis shows a new one every 30 seconds.",
)
NAME = "Name"
NAME_HINT = "So you can recognise it later."
NAME_DEFAULT = "Authenticator app"
APP_CONTINUE = "Continue with an app"
WAIT = "One moment..."

SETUP = Section("Set up your app", "Scan this with the app, then enter the code that it shows.")
QR_LABEL = "QR code with the secret for your authenticator app. The secret is below as text."
SECRET = "Or type this secret into the app"
COPY, COPIED = "Copy", "Copied"
OPEN_APP = "Open an app on this device"
CODE = "Code from the app"
CONFIRM = "Turn on"

CODES_TITLE = "Your recovery codes"
CODES_TEXT = (
    "Each signs you in once if you lose your phone. Print or store them somewhere safe, not on this phone. You will "
    "not see them again."
)
CODES_FILE = "recovery-codes.txt"
CODES_HEAD = "Recovery codes for {firm}. Each works once."
PRINT = "Print"
DOWNLOAD = "Download"
CODES_KEPT = "I have saved them"

RECOVERY = Section("Recovery codes", "They sign you in if you lose your phone. New ones replace all earlier ones.")
CODES_LEFT = "codes left."
NEW_CODES = "Make new codes"
NEW_CODES_CONFIRM = "Make new recovery codes? The earlier ones stop working."
