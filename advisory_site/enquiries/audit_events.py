"""The acts with enquiries that are logged."""

from sitekit.base.observability.audit_log import AnyAuditEvent
from sitekit.records.features import AuditEventGroup

from . import admin_texts as texts


class EnquiryAuditEvent(AnyAuditEvent):
    """What staff do with an enquiry."""

    ENQUIRY_HANDLED = "Marked an enquiry as handled"
    ENQUIRY_REOPENED = "Marked an enquiry as new"
    ENQUIRY_DELETED = "Deleted an enquiry"
    ENQUIRY_ASSIGNED = "Assigned an enquiry"
    ENQUIRY_REPLIED = "Replied to an enquiry"
    ENQUIRY_NOTED = "Added to an enquiry"
    ENQUIRY_SPAM = "Marked an enquiry as spam"
    STAGE_OWNERS_NAMED = "Named who answers each stage"


AUDIT_EVENTS = AuditEventGroup(
    "enquiries",
    texts.TITLE,
    {
        EnquiryAuditEvent.ENQUIRY_HANDLED: "check",
        EnquiryAuditEvent.ENQUIRY_REOPENED: "mail",
        EnquiryAuditEvent.ENQUIRY_DELETED: "trash",
        EnquiryAuditEvent.ENQUIRY_ASSIGNED: "person",
        EnquiryAuditEvent.ENQUIRY_REPLIED: "mail",
        EnquiryAuditEvent.ENQUIRY_NOTED: "edit",
        EnquiryAuditEvent.ENQUIRY_SPAM: "ban",
        EnquiryAuditEvent.STAGE_OWNERS_NAMED: "people",
    },
)
