"""The replies to the contact form, and to what staff do with enquiries."""

from ..content.firm import FIRM

# Contact
ENQUIRY_INCOMPLETE = "Your message has not been sent yet. Please look at the marked fields."
ENQUIRY_TOO_MANY = (
    "You have sent several messages in a short time. Please wait {wait}, or write to "
    f"{FIRM.email}. What you typed is still here."
)
ENQUIRY_NOT_STORED = (
    "We could not save your message, but nothing is lost: what you typed is still here. Please "
    f"try again in a moment, or write to {FIRM.email}."
)
ENQUIRY_WAITS = (
    "We cannot reach our server at the moment. What you typed is still here, and will be sent as soon as the "
    f"connection is back. You can also write to {FIRM.email}."
)
ENQUIRY_NOT_SENT = (
    "We cannot reach our server at the moment, so your message was not sent. What you typed is still here. Please try "
    f"again in a moment, or write to {FIRM.email}."
)
ENQUIRY_TOO_LONG = "Your message is too long to be sent. Please shorten it to 5,000 characters or fewer."
FIRST_NAME_MISSING = "Please enter your first name."
LAST_NAME_MISSING = "Please enter your last name."
CONTACT_EMAIL_MISSING = "Please enter your email address, so that we can reply."
CONTACT_EMAIL_INVALID = "This does not look like an email address. Please enter one such as name@company.com."
CONTACT_STAGE_INVALID = "Please choose one of the stages in the list."
CONTACT_MESSAGE_MISSING = "Please write a message, even a short one."

# Enquiries in the back office
ENQUIRIES_FETCH_FAILED = "Failed to fetch enquiries"
ENQUIRY_FETCH_FAILED = "Failed to fetch enquiry"
YOURS = "It is yours"
ASSIGNED = "Assigned to {name}"
UNASSIGNED = "No owner now"
MARKED_HANDLED = "Marked as handled"
MARKED_SPAM = "Marked as spam"
MARKED_NEW = "Back in New"
WAIT_SAVED = "Saved"
ENQUIRY_UPDATE_FAILED = "Failed to update enquiry"
ENQUIRY_DELETE_CONFIRM = "Are you sure you want to delete this enquiry?"
ENQUIRY_DELETED = "Enquiry deleted successfully"
ENQUIRY_DELETE_FAILED = "Failed to delete enquiry"
TAKEN = "{name} took it {ago}"
GIVEN_BACK = "It has no owner now. Please look at it again."
OWNER_CLOSED = "This person cannot take enquiries. Please choose someone else."
STAGE_OWNERS_SAVED = "Saved. New enquiries go straight to the people you named."
STAGE_OWNERS_FAILED = "Failed to save the owners"
REPLY_SENT = "Reply on its way"
MAILS_TOO_MANY = "You have sent many emails in the last hour. Please wait {wait}."
REPLY_FAILED = "Failed to send the reply"
REPLY_MISSING = "Write a reply first."
REPLY_UNSIGNED = "Add your name before you reply."
REPLY_TO_SPAM = "This is marked as spam. Mark it as not spam to reply."
REPLIED_SINCE = "{name} replied {ago}. Read it, then send."
NOT_MAILABLE = "No email can be sent to this address."
NOT_FAILED = "This reply cannot be sent again."
NOTE_ADDED = "Note added"
NOTE_FAILED = "Failed to add the note"
NOTE_MISSING = "Write a note first."
ANSWER_ADDED = "Answer added"
ANSWER_FAILED = "Failed to add the answer"
ANSWER_MISSING = "Paste the answer first."
ENTRY_TOO_LONG = "Please use at most {limit} characters."
ENTRY_REMOVED = "Removed"
REMOVE_FAILED = "Failed to remove it"
NOT_REMOVABLE = "This can no longer be removed. Only your own notes and pasted answers can, for 10 minutes."
NOT_WAITING = "This enquiry is not waiting. Reply first."
DAY_INVALID = "Please choose a day after today, within a year."
STAGE_OWNERS_FETCH_FAILED = "Failed to fetch the owners"
