"""What can be downloaded with a link of the back office: every list, and the data about a person."""

from sitekit.accounts.people.export import USERS_CSV
from sitekit.accounts.personal_data.documents import FILES
from sitekit.admin.activity.page import ACTIVITY_CSV
from sitekit.admin.csv.exports import Export

from .features import FEATURES

LISTS = (*FEATURES.exports, USERS_CSV, ACTIVITY_CSV)
EXPORTS: tuple[Export, ...] = (*LISTS, *FILES.values())
