"""The features of this site: the one list of what it hands to the kit."""

from sitekit.admin.page_texts.service import TEXTS, TEXTS_CSV
from sitekit.records.features import Features

from .advisors.service import ADVISORS, ADVISORS_CSV
from .articles.service import ARTICLES, ARTICLES_CSV
from .companies.service import COMPANIES, COMPANIES_CSV
from .enquiries import audit_events, owners, personal_data, submission
from .enquiries.desk import inbox
from .enquiries.desk import service as desk
from .permissions import POLICY
from .seed import seed
from .team.service import MEMBERS, MEMBERS_CSV

FEATURES = Features(
    record_types=(COMPANIES, MEMBERS, ADVISORS, ARTICLES, TEXTS),
    policy=POLICY,
    exports=(COMPANIES_CSV, MEMBERS_CSV, ADVISORS_CSV, ARTICLES_CSV, TEXTS_CSV, inbox.CSV),
    seed=seed,
    audit_events=(audit_events.AUDIT_EVENTS,),
    others=("enquiries",),
    findables=(inbox.FINDABLE,),
    retention={"enquiries": submission.delete_expired},
    personal_data=(personal_data.ENQUIRIES, personal_data.ENTRIES, personal_data.STAGES),
    elsewhere=(personal_data.ELSEWHERE,),
    mail_outcome=desk.note_outcome,
    account_closed=owners.release,
)
