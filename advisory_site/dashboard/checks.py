"""What the dashboard says needs attention."""

from datetime import timedelta

import sqlalchemy as sa

from sitekit.admin.operations import texts as operations
from sitekit.admin.page_texts.service import IS_GONE
from sitekit.admin.pictures.library import UNUSED
from sitekit.admin.worklist import WorkCheck, draft_checks, inactive_checks
from sitekit.base import paths
from sitekit.base.db.database import now
from sitekit.base.mail.models import columns as mails
from sitekit.base.permissions import Action
from sitekit.records.pictures.models import columns as media
from sitekit.records.pictures.uses import used_keys

from ..companies.models import ACTIVE
from ..companies.models import columns as companies
from ..companies.service import COMPANIES
from ..enquiries.desk.inbox import FINDABLE, HAS_FAILURE, UNFINISHED
from ..enquiries.models import EntryCategory, entries
from ..enquiries.models import columns as enquiries
from ..features import FEATURES
from ..permissions import SiteAction
from ..team.models import columns as members
from ..team.service import MEMBERS
from . import overview_texts as texts

# A picture that no record uses is suggested for deletion after this time, and never deleted by itself.
UNUSED_FOR = timedelta(days=90)
CHECKS = (
    WorkCheck(Action.MANAGE_MAIL, mails.given_up_at.is_not(None), texts.MAIL_FAILED, f"#{operations.ID}"),
    WorkCheck(
        SiteAction.CHANGE_ENQUIRIES,
        sa.and_(
            enquiries.owner_id.is_(None),
            enquiries.state.in_(UNFINISHED),
            sa.exists().where(entries.enquiry_id == enquiries.id, entries.category == EntryCategory.RELEASED),
        ),
        texts.RELEASED_ENQUIRIES,
        findable=FINDABLE,
    ),
    WorkCheck(SiteAction.CHANGE_ENQUIRIES, HAS_FAILURE, texts.REPLIES_FAILED, findable=FINDABLE),
    WorkCheck(
        SiteAction.CHANGE_COMPANIES,
        sa.and_(companies.status == ACTIVE, companies.logo_url == ""),
        texts.WITHOUT_LOGO,
        record_type=COMPANIES,
    ),
    WorkCheck(
        SiteAction.CHANGE_TEAM,
        sa.and_(members.is_active, sa.func.coalesce(members.linkedin_url, "") == ""),
        texts.WITHOUT_LINKEDIN,
        record_type=MEMBERS,
    ),
    *inactive_checks(FEATURES.record_types),
    WorkCheck(
        Action.CHANGE_MEDIA,
        sa.and_(
            media.created_at
            < sa.bindparam("unused_since", callable_=lambda: now() - UNUSED_FOR, type_=media.created_at.type),
            media.key.not_in(used_keys(FEATURES.by_table)),
        ),
        texts.UNUSED_PICTURES,
        f"{paths.ADMIN_MEDIA}?filter={UNUSED}",
    ),
    WorkCheck(Action.CHANGE_TEXTS, IS_GONE, texts.TEXTS_GONE, paths.ADMIN_TEXTS),
    *draft_checks(FEATURES.record_types),
)
