"""Imports every table, for migrations and for tests that walk the schema."""

from sqlmodel import SQLModel

from ..accounts import models as accounts
from ..advisors import models as advisors
from ..companies import models as companies
from ..db.database import ContentVersion
from ..db.rate_limits import Attempt
from ..enquiries import models as enquiries
from ..mail.models import OutgoingMail
from ..media.models import Media
from ..records.activity import Activity
from ..records.revisions import Revision, RevisionPicture
from ..records.slug_redirects import FormerSlug
from ..team import models as team
from .backup_log import BackupRehearsal, VerifiedBackup

__all__ = [
    "Activity",
    "Attempt",
    "BackupRehearsal",
    "ContentVersion",
    "FormerSlug",
    "Media",
    "OutgoingMail",
    "Revision",
    "RevisionPicture",
    "VerifiedBackup",
    "accounts",
    "advisors",
    "companies",
    "enquiries",
    "metadata",
    "team",
]

metadata = SQLModel.metadata
