"""The texts of the page of one enquiry, and of what was done with it."""

from ..content.firm import FIRM

# What was done, after the name of the person who did it.
TOOK = "took it"
TOOK_OVER = "took it over from {name}"
YOU = "You"
A_COLLEAGUE = "A colleague"
ASSIGNED = "assigned it to {name}"
GAVE_BACK = "gave it back"
MARKED = {
    "new": "marked it as new",
    "handled": "marked it as handled",
    "spam": "marked it as spam",
}
MARKED_NOT_SPAM = "marked it as not spam"
WAITS_UNTIL = "set it to wait until {day}"
WAITS = "set it to wait without a date"
# What nobody did.
RELEASED = "No owner now: {name}’s account was closed."
BEGAN_WITH = "Went to {name}, who answers this stage."
REOPENED = "It is open again, as planned."
ACKNOWLEDGED = "Confirmation to the visitor."
JUDGED_SPAM = "Treated as spam: not forwarded, no confirmation sent."

GREETING = "Dear {name},"


def suggested_reply(first_name: str, sender: str) -> str:
    """What a reply begins and ends with."""
    return f"{GREETING.format(name=first_name)}\n\n\n\n{sender}\n{FIRM.name}"


BACK = "Back to Enquiries"
WROTE = "wrote"
THREAD = "What was done"
REPLIED = "replied"
NOTED = "added a private note"
ANSWERED = "added the visitor’s answer"
REMOVED_NOTE = "removed this note"
REMOVED_ANSWER = "removed this answer"
REMOVE = "Remove"
REMOVE_CONFIRM = "Remove this entry? It will say that you removed it."
# Of the mail that the message has arrived, by what became of it.
ACKNOWLEDGEMENT = {
    "sent": "Confirmation emailed to the visitor.",
    "sending": "A confirmation is being emailed to the visitor.",
    "retrying": "The confirmation has not been emailed to the visitor yet.",
    "failed": "The confirmation could not be emailed to the visitor.",
}
SENDING = "Sending"
RETRYING = "Not sent yet, trying again:"
SENT = "Sent"
FAILED = "Failed:"
SEND_AGAIN = "Send again"

REPLY_TO = "Send reply to"
REPLY_LABEL = "Reply"
SEND = "Send reply"
ADD_NAME = "Add your name before you reply"
NOTE = "Add note"
NOTE_LABEL = "Note"
NOTE_HINT = "For colleagues only. It is never emailed."
ANSWER = "Add their answer"
ANSWER_LABEL = "Their answer"
ANSWER_HINT = "Paste what the visitor wrote to your mailbox."
SAVING = "Saving..."

ABOUT = "About this enquiry"
OWNER = "Owner"
NOBODY = "Nobody"
TAKE = "Take it"
TAKE_OVER = "Take over from"
TAKE_OVER_CONFIRM = "?\nThey will get an email saying that it is yours now."
TAKE_OVER_YES = "Take over"
ASSIGN_TO = "Assign to"
ASSIGN = "Assign"
DUE = "Due"
UNTIL = "Open again on"
UNTIL_HINT = "Leave it empty to wait without a date."
SAVE = "Save"
MARK_SPAM = "Spam"
MARK_NOT_SPAM = "Not spam"
REASONS = "Why it is treated as spam"
SOURCE = "Came from"
ALSO = "Also from this address"

OWNERS_TITLE = "Owners by stage"
OWNERS_GROUP = "Stages"
OWNERS_TEXT = "New enquiries go straight to the person named here, who gets an email."
