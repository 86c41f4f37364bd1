"""All tables in one import, for migrations and for tests that walk the schema."""

from sqlmodel import SQLModel

from .accounts import models as accounts
from .advisors import models as advisors
from .backup_log import VerifiedBackup
from .companies import models as companies
from .database import ContentVersion
from .enquiries import models as enquiries
from .former_slugs import FormerSlug
from .limits import Attempt
from .mail_queue import OutgoingMail
from .team import models as team

__all__ = [
    "Attempt",
    "ContentVersion",
    "FormerSlug",
    "OutgoingMail",
    "VerifiedBackup",
    "accounts",
    "advisors",
    "companies",
    "enquiries",
    "metadata",
    "team",
]

metadata = SQLModel.metadata
