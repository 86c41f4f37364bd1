"""The replies to actions: sending, saving, deleting, signing in, and their errors.

A text with a name in braces is a template: `messages.TOO_MANY_ATTEMPTS.format(wait="5 minutes")`.
"""

# ruff: noqa: S105 - these are messages about passwords and tokens, not passwords and tokens.
from .site import get_site

SITE = get_site()

# Any form
FIELDS_INVALID = "Please correct the marked fields"
FIELD_TO_CORRECT = "1 field to correct"
FIELDS_TO_CORRECT = "{count} fields to correct"
FIELD_REQUIRED = "Please fill in this field."
EMAIL_INVALID = "Please enter a full email address, such as name@company.com."
URL_INVALID = "Please enter a full address that begins with https:// or http://."
NAME_INVALID = "Please enter a name, without addresses or links."
TOO_LONG = "Please shorten this to {limit} characters or fewer."
UNEXPECTED_ERROR = "An unexpected error occurred"
# With an error of ours: what leads us to the log.
MENTION = "Please mention {reference} if you report this."
STATE_AWAY = "We cannot reach part of our system at the moment. Please try again in a few seconds."
REQUIRED_FIELDS_MISSING = "Please fill in all required fields"
TOO_MANY_ROWS = "Please keep this to {limit} entries or fewer."
SLUG_TAKEN = "This address is already in use. Please choose another."
SLUG_INVALID = "Use only lower-case letters, digits and hyphens, with no hyphen at either end."
YEAR_INVALID = "Please enter a year of four digits, such as 2021."
DATE_INVALID = "Please enter a date such as 2026-11-25."
DATE_NOT_PAST = "Please enter a date from 1990 to today. To publish later, use “Publish at”."
HEAD_COUNT_INVALID = "Please enter a number or a range, such as 40 or 11-50."
FIELD_UNREADABLE = "This could not be read. Please enter it again."
IMAGE_INVALID = "Please enter the full address of an image, beginning with https://, or a path on this site."
REFERENCE_UNKNOWN = "No record has this address."
PICTURE_GONE = "This picture was deleted. Please choose another one."
# About texts with links and pictures in them
NO_PAGE_AT = "There is no page at {path}"
NO_PAGE_YET = "There is no page at {path} yet, only a draft. To publish both, schedule them for the same time."
MARKDOWN_LINK = "A link must begin with https://, mailto:, tel: or a slash: {address}"
MARKDOWN_PICTURE = "Only pictures from the library can be shown. Copy the address of one from Pictures: {address}"
MARKDOWN_UNDESCRIBED = "A picture in the text has no description. Write one between its square brackets."
SAVED_JUST_NOW = "Someone else saved this at the same moment. Please save again."
REVISION_UNREADABLE = "This version cannot be restored: it does not fit what is stored today."
REVISION_MISSING = "This version is no longer kept."
RESTORED_ALREADY = "It has already been restored."
RESTORED = "{name} restored"
RESTORED_ELSEWHERE = "{name} restored. Its address is now {page}, because another {noun} has the old one."
RESTORE_FAILED = "Failed to restore it"
TRASH_FETCH_FAILED = "Failed to fetch the trash"
ERASED = "Deleted permanently"
ERASE_FAILED = "Failed to delete it permanently"
NOT_IN_TRASH = "It is not in the trash any more: it was restored, or deleted permanently."
UNDONE = "Undone: {records}"
UNDONE_HIDDEN = "Undone: {records} {verb} public again"
UNDONE_PUBLISHED = "Undone: {records} {verb} hidden again"
UNDONE_ORDER = "Undone: the order is as it was before"
UNDONE_ELSEWHERE = "The address of {name} is {page} now: another {noun} has the old one."
UNDO_FAILED = "Failed to undo it. Nothing has been changed."
UNDO_MISSING = "This can't be undone any more."
CHANGED_SINCE = "{who} has changed {name} since then, so it can't be undone. Its history shows what changed."
CHANGED_SINCE_BY_YOU = "You have changed {name} since then. Nothing was undone: its history shows what changed."
DELETED_ALREADY = "{failure}: it has already been deleted"
SOMEONE = "Someone"
YOU = "You"
# The author of what commands and the site itself do.
SYSTEM = "System"
# The name is shown before the first part, the time between the parts.
SAVED_BY_SOMEBODY_ELSE = ("saved this on", ", after you opened it. See what changed, or replace it with yours.")
UNSAVED_CHANGES = "You have unsaved changes. Leave without saving them?"

# The connection to the server
CONNECTION_LOST = "Connection lost. What you type is kept; we are trying again."
CONNECTION_FULL = (
    "Too many tabs of this site are open on your network. Close some, and this page will connect by itself. What you"
    " type is kept."
)
CONNECTION_WAITING = "Connection lost. Your last action will be done when it is back."
CONNECTION_NONE = "This page has no connection to the server yet; we are trying."
CONNECTION_BACK = "Connected again."
CONNECTION_RETRY = "Try now"
CONNECTION_UNSURE = "The connection was lost before we got an answer. Please check whether your last change was saved."
CONNECTION_LATE = "The connection was lost for too long, so your last action was not done. Please try again."
FORM_TOO_LARGE = "This is too long to be saved. Please shorten it and save again. What you typed is still here."
WAITING_FOR_CONNECTION = "Waiting for the connection"

# The browser's storage
NOTHING_STORED = (
    "This browser is not storing anything for this site. If you close or reload this tab, you may be signed out, and"
    " what you have not saved is lost."
)

# Public page of a record
PAGE_FAILED = "This page could not be loaded. Please try again in a moment."

# Sign-in and sign-up
SIGNED_IN = "Welcome back!"
SIGN_IN_FAILED = "Failed to sign in"
SIGNING_IN = "Signing in..."
SIGNED_OUT = "You are signed out"
SIGN_OUT_FAILED = "Failed to sign out"
SIGNED_OUT_EVERYWHERE = "You are signed out on every device"
INVALID_CREDENTIALS = "Invalid login credentials"
PASSKEY_REFUSED = "This passkey was not accepted. Please try another way."
PASSKEY_TOO_LATE = "That took too long. Please try again."
PASSKEY_ALONE = (
    "This passkey did not check that it is you, so it can only be a second step. Please sign in with your password"
    " first."
)
PASSKEY_UNVERIFIED = (
    "This passkey does not check that it is you with a PIN, your fingerprint or your face. Without a password, it must."
)
PASSKEYS_UNAVAILABLE = "Passkeys are not available at this address."
EMAIL_NOT_CONFIRMED = "Email not confirmed"
TOO_MANY_ATTEMPTS = "Too many attempts. Please wait {wait} and try again."
ACCOUNT_CREATED = "Account created successfully! Please check your email for verification."
ACCOUNT_CREATE_FAILED = "Failed to create account"
CREATING_ACCOUNT = "Creating account..."
SIGN_UP_CLOSED = "Accounts are created by invitation. Please ask an admin."
SIGN_UP_DOMAIN_REFUSED = "Only people with an email address of this firm can sign up."
PASSWORDS_DO_NOT_MATCH = "Passwords do not match"
PASSWORD_TOO_SHORT = "Password must be at least 6 characters"
PASSWORD_TOO_LONG = "Password must be 72 characters or fewer (fewer still with accents or emoji)"
PASSWORD_WEAK = "Password is too weak: {reasons}"
PASSWORD_REASON_FIRM = "it is made up of the firm’s name or words that everyone here uses"
PASSWORD_REASON_COMMON = "it is one of the most commonly guessed passwords"
PASSWORD_REASON_PERSONAL = "it contains your name or email address"
PASSWORD_REASON_REPEATED = "it repeats the same few characters"

# Second steps of signing in
CODE_WRONG = "This code is wrong, or was used before. Wait for the next one."
RECOVERY_CODE_WRONG = "This recovery code is wrong, or was used before."
CHALLENGE_OVER = "That took too long, or too many codes were wrong. Please sign in again."
FACTOR_UNREADABLE = (
    "We can no longer check the codes of your app, because this site’s secret was changed. Use a recovery code, then "
    "set up the app again."
)
FACTOR_SETUP_OVER = "This setup was ended, or finished in another tab. Please begin again."
FACTOR_MISSING = "This second step has already been removed."
FACTOR_REQUIRED = "You need a second step to work here. Add another one before you remove this one."
PASSKEY_LAST = (
    "You have no password, so this passkey is how you sign in. Set a password on your profile page first, or add "
    "another passkey."
)
FACTORS_TOO_MANY = "You can have no more than {limit} second steps. Please remove one first."
FACTOR_ADDED = "{name} added"
FACTOR_RENAMED = "Renamed to {name}"
FACTOR_REMOVED = "{name} removed"
FACTOR_FAILED = "Failed to change your second steps"
FACTORS_FETCH_FAILED = "Failed to load your second steps"
RECOVERY_CODES_MADE = "The earlier recovery codes no longer work"
REAUTHENTICATION_WRONG = "This is neither your password nor the current code from your app."

# Verification and recovery
SIGN_UP_PASSWORD_WRONG = "This is not the password that was chosen at sign-up."
VERIFICATION_SENT = "If this address needs confirming, a new link is on its way."
EMAIL_CONFIRMED = "Your email address is confirmed. You can sign in now."
RECOVERY_SENT = "If there is an account for this address, a link to choose a new password is on its way."
LINK_INVALID = "This link has expired or has been used. Please ask for a new one."
PASSWORD_RESET = "Your password has been changed, and you are signed out everywhere else"
PASSWORD_RESET_FAILED = "Failed to change password"

# Invitations
INVITE_TOO_MANY = "Please invite {most} people or fewer at a time."
INVITE_ROLE_TOO_WIDE = "You cannot give a role that allows more than your own"
INVITED_WIDER = "Already invited, with a role that allows more than your own."
INVITED_TOO_OFTEN = "Invited too often. Please wait {wait}."
INVITED_TOO_MANY = "You have sent many invitations today, so none of these was sent. Please wait {wait}."
INVITED_HAS_ACCOUNT = "{email} already has an account"
INVITATION_NOT_OPEN = "This invitation is no longer open: it was accepted or revoked"
INVITATION_INVALID = "This invitation is not valid any more."
INVITATION_ACCEPTED = "Welcome! Your account is ready."
INVITATION_SENT_AGAIN = "Invitation sent again. The earlier link does not work any more."
INVITATION_SEND_FAILED = "Failed to send the invitation again"
INVITATION_REVOKED = "Invitation revoked. Its link does not work any more."
INVITATION_REVOKE_FAILED = "Failed to revoke the invitation"
INVITATIONS_FETCH_FAILED = "Failed to fetch invitations"
INVITE_FAILED = "Failed to send the invitations"
ROLE_UNKNOWN = "Please choose one of the roles in the list."

# Session
SESSION_MISSING = "Auth session missing!"
SESSION_ENDED = "Your session has ended. Please sign in again."
TOKEN_INVALID = "Invalid or expired token"
SERVICE_UNAVAILABLE = "The service cannot be reached at the moment. Please try again."
AUTH_OUTSIDE_PROVIDER = "The authentication state must be used within its provider"

# Permissions
NOT_ALLOWED = "Your role does not allow this"

# Own profile
PROFILE_UPDATED = "Profile updated successfully"
PROFILE_UPDATE_FAILED = "Failed to update profile"
CURRENT_PASSWORD_WRONG = "The current password is not right"
PASSWORD_CHANGED = "Password changed successfully"
EMAIL_SAME = "This is already your address."
EMAIL_CHANGE_SENT = "We sent a link to {email}. Your address changes once you open it and confirm."
EMAIL_CHANGED = "Your email address has been changed. Use the new one the next time you sign in."
DEVICE_SIGNED_OUT = "That device is signed out"

# Users
USERS_FETCH_FAILED = "Failed to fetch users"
USERS_VIEW_ONLY = "View only - admin access required to make changes."
ROLE_UPDATED = "User role updated successfully"
ROLE_UPDATE_FAILED = "Failed to update user role"
LAST_ADMIN = "The last admin cannot be given another role. Make someone else an admin first."
LAST_ADMIN_DEACTIVATED = "The last admin cannot be deactivated. Make someone else an admin first."
LAST_ADMIN_DELETED = "The last admin cannot be deleted. Make someone else an admin first."
OWN_ACCOUNT = "You can’t do this to your own account, because you could not undo it. Ask another admin."
PERSON_MISSING = "There is no such person. Their account may have been deleted."
PERSON_FETCH_FAILED = "Failed to fetch this person"
RESET_LINK_SENT = "A link to choose a new password is on its way to {email}"
RESET_LINK_FAILED = "Failed to send the link"
NO_LINK_DEACTIVATED = "This account is deactivated, so no link was sent. Reactivate it first."
PERSON_SIGNED_OUT = "Signed out on {devices}"
PERSON_NOT_SIGNED_IN = "Nothing to sign out: no device was signed in"
PERSON_SIGN_OUT_FAILED = "Failed to sign them out"
PERSON_DEACTIVATED = "The account is deactivated"
PERSON_DEACTIVATE_FAILED = "Failed to deactivate the account"
ALREADY_DEACTIVATED = "This account is already deactivated."
PERSON_REACTIVATED = "The account is active again"
PERSON_REACTIVATE_FAILED = "Failed to reactivate the account"
NOT_DEACTIVATED = "This account is not deactivated."
PERSON_DELETED = "The account of {email} is deleted"
PERSON_DELETE_FAILED = "Failed to delete the account"
USER_NAME_MISSING = "No name provided"

# Records
COPY_OF = "{name} (copy)"
RECORDS_PUBLISHED = "Published: {records}."
RECORDS_HIDDEN = "Unpublished: {records}."
RECORDS_DELETED = "Moved to the trash: {records}."
RECORDS_GONE = "Already deleted by someone else: {records}."
RECORDS_UNDESCRIBED = "Not published, because a picture has no description and is not marked as decorative: {records}."
RECORDS_FAILED = "Failed to change the records. Nothing has been changed."
RECORD_ONE = "1 record"
RECORD_COUNT = "{count} records"
THE_RECORD = "The record"
MOVED = "{name} moved to position {place}"
MOVE_FAILED = "Failed to move the record"

# Outgoing email: why a message could not be sent, and replies to sending it again
MAIL_RECIPIENT_REFUSED = "The mail server refused the recipient’s address (code {code})."
MAIL_GREETING_REFUSED = "The mail server refused the connection (code {code})."
MAIL_HOST_REFUSED = (
    f"The mail server refused EHLO (code {{code}}), which names the host of {SITE.setting_prefix}PUBLIC_URL."
)
MAIL_ENCRYPTION_REFUSED = "The mail server offers encryption (STARTTLS), and refused it (code {code})."
MAIL_SENDER_REFUSED = (
    f"The mail server refused our own address (code {{code}}), which {SITE.setting_prefix}MAIL_FROM sets."
)
MAIL_PASSWORD_REFUSED = (
    f"The mail server refused our name or password (code {{code}}), which {SITE.setting_prefix}SMTP_URL holds."
)
MAIL_REFUSED = "The mail server refused the message (code {code})."
MAIL_SERVER_LACKS = "The mail server does not offer encryption or sign-in, which we need."
MAIL_NOT_TRUSTED = "The certificate of the mail server could not be trusted."
MAIL_UNREACHABLE = "The mail server could not be reached, or closed the connection ({cause})."
MAIL_NOT_WRITTEN = "The message could not be written to the outbox folder."
MAIL_ADDRESS_IMPOSSIBLE = "No email can be sent to this address, or from ours."
MAIL_HELD_BACK = "Held back after a restore: it may have been sent before."
MAIL_HELD_BACK_ACCOUNT = "Held back: the account at this address was deactivated or deleted."
MAIL_SENT_AGAIN = "The message is being sent again"
MAIL_ALL_SENT_AGAIN = "Messages being sent again: {count}"
MAIL_SEND_AGAIN_FAILED = "Failed to send again"
MAIL_SEND_ALL_CONFIRM = "Send every failed message again?"
MAIL_NOT_GIVEN_UP = "Failed to send again: this message is no longer among the failed ones"
