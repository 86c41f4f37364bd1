"""Imports every table of the kit, for migrations and for tests that walk the schema.

The tables of a site are imported with its features.
"""

from sqlmodel import SQLModel

from ..accounts import models as accounts
from ..base.backup_log import BackupRehearsal, VerifiedBackup
from ..base.db.database import ContentVersion
from ..base.db.rate_limits import Attempt
from ..base.mail.models import OutgoingMail
from ..records.activity import Activity
from ..records.pictures.models import Media
from ..records.proposals import PreviewLink, Proposal
from ..records.revisions import Revision, RevisionPicture
from ..records.slug_redirects import FormerSlug

__all__ = [
    "Activity",
    "Attempt",
    "BackupRehearsal",
    "ContentVersion",
    "FormerSlug",
    "Media",
    "OutgoingMail",
    "PreviewLink",
    "Proposal",
    "Revision",
    "RevisionPicture",
    "VerifiedBackup",
    "accounts",
    "metadata",
]

metadata = SQLModel.metadata
