"""The copy of the sign-in page and of the pages that mailed links lead to."""

from dataclasses import dataclass
from types import MappingProxyType

from ..base.site import get_site
from ..ui.copy import SeoText

BRAND = get_site().brand


@dataclass(frozen=True, slots=True)
class AuthField:
    """One field: its name, label, type and autocomplete hint."""

    name: str
    label: str
    input_type: str = "text"
    autocomplete: str = ""
    help: str = ""
    is_code: bool = False  # phones show a keyboard of digits


SEO = SeoText(title=f"Sign in | {BRAND.name}", description=f"Sign in to the back office of {BRAND.name}.")
FORGOT_SEO = SeoText(title=f"Forgotten password | {BRAND.name}", description="Ask for a link to choose a new password.")
RESET_SEO = SeoText(title=f"New password | {BRAND.name}", description="Choose a new password for your account.")
INVITATION_SEO = SeoText(title=f"Accept an invitation | {BRAND.name}", description=f"Open an account at {BRAND.name}.")
EMAIL_SEO = SeoText(title=f"New email | {BRAND.name}", description="Confirm the new email address of your account.")
VERIFY_SEO = SeoText(title=f"Confirm your email | {BRAND.name}", description="Confirm your email address.")

EMAIL = AuthField("email", "Email", "email", "username")
SIGN_IN_EMAIL = AuthField("email", "Email", "email", "username webauthn")
PASSWORD = AuthField("password", "Password", "password", "current-password")
FIRST_NAME = AuthField("first_name", "First name", autocomplete="given-name")
LAST_NAME = AuthField("last_name", "Last name", autocomplete="family-name")
NEW_PASSWORD = AuthField(
    "password",
    "Password",
    "password",
    "new-password",
    "At least 6 characters. Three or four unrelated words are easy to remember and hard to guess.",
)
SIGN_UP_PASSWORD = AuthField("password", "Password", "password", "current-password")
CONFIRM_PASSWORD = AuthField("confirm_password", "Confirm password", "password", "new-password")

CODE = AuthField("code", "Code", "text", "one-time-code", is_code=True)
RECOVERY_CODE = AuthField("code", "Recovery code", "text", "off", "One of the codes you saved. Each works once.")

HOME_LABEL = f"{BRAND.name} home"
SHOW_LABEL = "Show password"
HIDE_LABEL = "Hide password"

SIGN_IN_TITLE = "Sign in"
SIGN_IN_TEXT = f"The back office of {BRAND.name}, for the firm’s own people."
FORGOT_LINK = "Forgotten your password?"
TO_SIGN_UP = "No account yet?"
TO_SIGN_UP_LINK = "Create one"

CHALLENGE_TITLE = "Two-step sign-in"
CHALLENGE_TEXT = "Enter the code from your authenticator app."
RECOVERY_TEXT = "Enter one of your recovery codes."
VERIFY_CODE = "Verify"
VERIFYING = "Verifying..."
USE_RECOVERY_CODE = "Use a recovery code"
USE_APP = "Use the code from your app"
APP_LOST_TITLE = "Your app can no longer be used"

PASSKEY = MappingProxyType(
    {
        "label": "Sign in with a passkey",
        "busy": "Waiting for your passkey...",
        "cancelled": "No passkey was used. A security key without a PIN works after your password.",
        "failed": "Your passkey could not be used. Please try again, or sign in with your password.",
    }
)
PASSKEY_STEP = MappingProxyType(
    {
        "label": "Use your passkey",
        "busy": "Waiting for your passkey...",
        "cancelled": "No passkey was used.",
        "failed": "Your passkey could not be used. Please try again, or use a recovery code.",
        "unavailable": "This browser cannot use your passkey. Please use a recovery code.",
    }
)
PASSKEY_REAUTHENTICATION = MappingProxyType(
    {
        "label": "Use a passkey",
        "busy": "Waiting for your passkey...",
        "cancelled": "No passkey was used. A security key without a PIN cannot confirm this.",
        "failed": "Your passkey could not be used. Please try again.",
        "unavailable": "This browser cannot use your passkey.",
    }
)
CREATE_PASSKEY = MappingProxyType(
    {
        "label": "Create passkey",
        "busy": "Waiting for your device...",
        "cancelled": "No passkey was created.",
        "present": "This device already has a passkey for your account.",
        "failed": "The passkey could not be created. Please try again, or in another browser.",
    }
)
FIRST_PASSKEY = MappingProxyType(
    {**CREATE_PASSKEY, "unavailable": "This browser has no passkeys. Please choose a password instead."}
)
PASSKEY_STEP_TEXT = "Use your passkey."
PASSKEY_OR_CODE_TEXT = "Use your passkey, or enter the code from your authenticator app."
USE_PASSKEY = "Use your passkey instead"

SIGN_UP_TITLE = "Create an account"
SIGN_UP_TEXT = "We will email you a link to confirm your address."
SIGN_UP = "Create account"
TO_SIGN_IN = "Already have an account?"
TO_SIGN_IN_LINK = "Sign in"
PRIVACY_NOTE = "What we store about you, and why, is in our"
PRIVACY_LINK = "Privacy Policy"

CONFIRM_FIRST_TITLE = "Confirm your email address first"
CONFIRM_FIRST_TEXT = "We emailed you a link when you signed up. Open it, then sign in."
CHECK_MAIL_TITLE = "Check your email"
MAILED_TO = "We sent an email to"
CHECK_MAIL_TEXT = (
    "Open the link in it. If it is not there in a few minutes, check your spam folder or have it sent again."
)
SEND_AGAIN = "Send it again"
SENT_AGAIN_TITLE = "Sent again"
WHEN_CONFIRMED = "Confirmed already?"

FORGOT_TITLE = "Forgotten your password?"
FORGOT_TEXT = "Enter your email address, and we will send you a link to choose a new one."
FORGOT = "Send the link"
BACK_TO_SIGN_IN = "Back to sign in"

RESET_TITLE = "Choose a new password"
RESET_TEXT = "You will be signed in here, and signed out everywhere else."
RESET = "Set new password"
RESET_BUSY = "Setting new password..."
RESET_SPENT = "It has been used, or it is too old. Enter your email address, and we will send you a new link."

VERIFY_TITLE = "Confirm your email address"
VERIFY_TEXT = "Enter the password you chose when you signed up as"
NOT_ME = "If you did not sign up, close this page. Without that password nobody can use the account."
VERIFY_SPENT = (
    "It has been used, or it is too old. If you have confirmed your address, you can sign in. If not, we can send you "
    "a new link."
)
INVITATION_TITLE = "Create your account"
INVITATION_TEXT = "You have been invited to the back office. You will sign in as"
CONTINUE = "Continue"
CHECKING = "One moment..."
FIRST_PASSKEY_HINT = (
    "Your device, or a security key, will sign you in with its PIN, your fingerprint or your face. You can add a "
    "password later."
)
FIRST_PASSKEY_TITLE = "Create your passkey"
FIRST_PASSKEY_TEXT = "Your browser asks where to keep it. It will sign you in as"
CHOOSE_PASSKEY = "Use a passkey instead"
CHOOSE_PASSWORD = "Use a password instead"  # noqa: S105  a label
NOT_INVITED = "If you did not expect an invitation, close this page. There is no account until you create it."
INVITATION_SPENT_TITLE = "This invitation is not valid any more"
INVITATION_SPENT = (
    "It has been used, replaced or withdrawn, or it is too old. If you have an account, you can sign in. If not, ask "
    "the person who invited you for a new one, or write to"
)
VERIFY = "Confirm my address"
VERIFY_BUSY = "Confirming..."
SENDING = "Sending..."
EMAIL_TITLE = "Confirm your new email address"
EMAIL_TEXT = "Enter your password. The email address of your account will then be"
EMAIL_PASSKEY_TEXT = "Use your passkey. The email address of your account will then be"
EMAIL_NOT_ME = "If you did not ask for this, close this page: nothing changes."
EMAIL_SPENT = (
    "It has been used, it is too old, or you asked for a newer one. If your address has not changed, ask for it again "
    "on your profile page."
)
EMAIL_CONFIRM = "Use this address"
TO_PROFILE = "To your profile"
REAUTHENTICATION_TITLE = "Confirm it is you"
REAUTHENTICATION_TEXT = "Please confirm to continue. We won’t ask again for 15 minutes."
REAUTHENTICATION_PASSWORD = "Your password, or a code from your app"  # noqa: S105  a label
PROVE = "Confirm"
PROVING = "Confirming..."
LINK_TITLE = "This link has expired"
SEND_NEW = "Send a new one"
LOADING = "Loading..."
UNKNOWN_DEVICE = "An unknown device"
