"""The record type of advisors."""

import sqlalchemy as sa

from ..content import messages
from ..core.permissions import Action
from ..core.text import slugify_plain, usable_slug
from ..records.listing import ListOptions
from ..records.record_type import RecordTexts, RecordType
from .fields import AdvisorCard, AdvisorPage, AdvisorRow
from .models import Advisor, columns


def slug_for(name: str) -> str:
    """The slug for a name, not checked for uniqueness."""
    return usable_slug(slugify_plain(name), "advisor")


ADVISORS = RecordType(
    table=Advisor,
    card=AdvisorCard,
    profile=AdvisorPage,
    row=AdvisorRow,
    action=Action.MANAGE_ADVISORS,
    is_public=columns.is_active,
    order=("display_order", "name"),
    options=ListOptions(
        searched=(columns.name, columns.slug, columns.title, columns.company),
        sorts={
            "name": sa.func.lower(columns.name),
            "title": sa.func.lower(columns.title),
            "company": sa.func.lower(columns.company),
            "order": columns.display_order,
            "status": columns.is_active,
        },
        default=(columns.display_order, sa.func.lower(columns.name)),
        id=columns.id,
    ),
    texts=RecordTexts(
        missing=messages.ADVISOR_NOT_FOUND,
        list_failed=messages.ADVISORS_FETCH_FAILED,
        fetch_failed=messages.ADVISOR_FETCH_FAILED,
        created=messages.ADVISOR_CREATED,
        create_failed=messages.ADVISOR_CREATE_FAILED,
        updated=messages.ADVISOR_UPDATED,
        update_failed=messages.ADVISOR_UPDATE_FAILED,
        delete_confirm=messages.ADVISOR_DELETE_CONFIRM,
        deleted=messages.ADVISOR_DELETED,
        delete_failed=messages.ADVISOR_DELETE_FAILED,
    ),
    slug_for=slug_for,
)
