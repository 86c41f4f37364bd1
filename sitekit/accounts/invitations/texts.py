"""The labels of the page of invitations and of its dialog."""

from types import MappingProxyType

from .invitations import ENDED, MOST_AT_ONCE, Status

TITLE = "Invitations"
TEXT = "Invitations that have not been answered. Links expire after 7 days."
BACK = "Back to Users"
ADMINS_ONLY = "Only admins can invite people."
INVITE = "Invite people"
SEARCH = "Search invitations"
STATUS = "Status"
FILTERS = MappingProxyType({"": "Open", ENDED: "Accepted or revoked"})
EMPTY_TITLE = "No open invitations"
EMPTY_TEXT = "Invite people by email. They choose their own password."

EMAIL = "Email"
ROLE = "Role"
BY = "Invited by"
SENT = "Sent"
EXPIRES = "Expires"
SENDER_DELETED = "Account deleted"
STATUSES = MappingProxyType(
    {
        Status.OPEN: "Open",
        Status.EXPIRED: "Expired",
        Status.HAS_ACCOUNT: "Has an account",
        Status.SENDER_GONE: "Sender is no longer an admin",
        Status.ACCEPTED: "Accepted",
        Status.REVOKED: "Revoked",
    }
)
SEND_AGAIN = "Send again"
REVOKE = "Revoke"
REVOKE_CONFIRM = "Revoke this invitation?\nIts link will not work any more."

ADDRESSES = "Email addresses"
ADDRESSES_HINT = f"Up to {MOST_AT_ONCE}, one per line or separated by commas, with or without names."
ROLE_HINT = "Everyone in this list gets the same role. It can be changed later."
SEND = "Send invitations"
SENDING = "Sending..."
NO_MAIL = "No mail server is set up. Invitations are written to the outbox folder on the server."
COUNTED = "{invited} of {all} invited"
LEFT = "Addresses that could not be invited are still in the field below."
INVITED = "Invited"
INVITED_AGAIN = "Invited again. The earlier link does not work any more."
HAS_ACCOUNT = "Already has an account, and gets an email that says so."
