"""Every address of the back office, opened by each role and by nobody: who reads what is stored behind it."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site import routes
from advisory_site.advisory_site import PAGES
from advisory_site.companies.service import COMPANIES
from advisory_site.dashboard.tabs import TABS
from advisory_site.permissions import SiteAction
from sitekit.accounts.models import Invitation, Profile
from sitekit.admin.page_texts.models import columns as texts
from sitekit.admin.page_texts.service import TEXTS
from sitekit.app.office_pages import SIGN_IN_PAGES
from sitekit.base import paths
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import POLICY, Action, Actor, AnyAction, Role
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.changed_texts import change_text
from tests.support.event_client import ON_LOAD, EventClient
from tests.support.people import person
from tests.support.record_types import ALL
from tests.support.staff import sign_in

MARK = "only-for-staff-7c1e"
# The forms of what is new, imports, and pages of one's own account.
NOTHING_STORED = {
    *(sample.record_type.staff_pages.new_page for sample in ALL.values()),
    *(record_type.staff_pages.import_page for record_type in (TEXTS, *(sample.record_type for sample in ALL.values()))),
    *(paths.ADMIN_PROFILE, paths.ADMIN_TWO_STEP, paths.ADMIN_SETTINGS, paths.ADMIN_HELP),
}
# What they show comes of another event, or from the renderer; their own tests open them.
SHOWN_LATER = {paths.ADMIN_PERSONAL_DATA, paths.ADMIN_TEXTS, paths.ADMIN_PAGE_TEXTS}
# The parameters of a route with their values, those of the query among them, and what the reader must be allowed to do.
Address = tuple[str, dict[str, str], AnyAction]


def store(admin: int) -> list[Address]:
    """Store a marked record of each kind; returns the addresses at which they are read."""
    with transaction() as session:
        session.get_one(Profile, admin).last_name = MARK
        stored = [(sample, sample.add(session, name=MARK)) for sample in ALL.values()]
        once = factories.id_of(factories.add_company(session, name=MARK))
        change_text(session, MARK, "What the site says")
        enquiry = factories.id_of(factories.add_enquiry(session, first_name=MARK))
        factories.add_picture(session, name=f"{MARK}.jpg")
        times: dict[str, Any] = {"sent_at": now(), "expires_at": now() + timedelta(days=1)}
        session.add(Invitation(email=f"{MARK}@x.example", role="employee", token_hash="x", invited_by=admin, **times))
        text = session.execute(sa.select(texts.id)).scalar_one()
        of_company = factories.add_draft(session, inputs={"name": MARK})
        of_text = factories.add_draft(session, inputs={"name": MARK}, of_table="texts", record_id=text)
        drafts = [(factories.id_of(of_company), COMPANIES.read_action), (factories.id_of(of_text), TEXTS.read_action)]
        records = [(sample.record_type, str(record.id), record.slug) for sample, record in stored]
    with transaction() as session:
        COMPANIES.delete(session, Actor(admin, Role.ADMIN, now()), once)
    tabs: list[Address] = [(paths.ADMIN, {"tab": tab.name}, Action.LIST_USERS) for tab in TABS]
    forms: list[Address] = [
        (
            record_type.staff_pages.edit_page(f"[{name}]"),
            {name: slug if name == "slug" else number},
            record_type.read_action,
        )
        for record_type, number, slug in records
        for name in ["slug" if record_type.is_edited_by_slug else "id"]
    ]
    histories: list[Address] = [
        (paths.ADMIN_HISTORY, {"table": record_type.table.__tablename__, "record": number}, record_type.read_action)
        for record_type, number, _ in (*records, (TEXTS, str(text), ""))
    ]
    previews: list[Address] = [(paths.ADMIN_PREVIEW, {"id": str(draft)}, action) for draft, action in drafts]
    return [
        *(tabs + forms + histories + previews),
        (routes.ADMIN_ENQUIRIES, {}, SiteAction.READ_ENQUIRIES),
        (routes.ADMIN_ENQUIRY, {"id": str(enquiry)}, SiteAction.READ_ENQUIRIES),
        (routes.ADMIN_STAGE_OWNERS, {}, SiteAction.NAME_STAGE_OWNERS),
        (paths.ADMIN_MEDIA, {}, Action.READ_MEDIA),
        (paths.ADMIN_TRASH, {}, COMPANIES.read_action),
        (paths.ADMIN_ACTIVITY, {}, Action.VIEW_CONTENT_ACTIVITY),
        (paths.ADMIN_INVITATIONS, {}, Action.INVITE_USERS),
        (paths.ADMIN_PERSON, {"id": str(admin)}, Action.VIEW_ACCOUNTS),
    ]


def read(tab: EventClient, route: str, parameters: dict[str, str]) -> str:
    """What the server tells a browser that opens the address."""
    path = route.partition("?")[0]
    for name, value in parameters.items():
        path = path.replace(f"[{name}]", value)
    reply = tab.send(ON_LOAD, path=path, query=parameters)
    return repr((reply.deltas, reply.events))


@on_sqlite
@pytest.mark.spec("ROLE-4")
def test_each_address_shows_what_is_stored_to_the_roles_that_may_read_it(app: Any, tab: EventClient) -> None:
    addresses = store(person("boss@northstrait.example", Role.ADMIN))
    found, expected = {}, {}
    for role in (None, *Role):
        client = EventClient(app)
        sign_in(client, role)
        for route, parameters, action in addresses:
            key = role, route, *parameters.values()
            found[key] = MARK in read(client, route, parameters)
            expected[key] = role in POLICY[action]
    assert found == expected


def test_every_page_of_the_back_office_is_among_the_addresses(app: Any, tab: EventClient) -> None:
    of_staff = {page.route for page in PAGES if page.is_private} - {page.route for page in SIGN_IN_PAGES}
    walked = {route for route, *_ in store(person("boss@northstrait.example", Role.ADMIN))}
    assert of_staff <= walked | NOTHING_STORED | SHOWN_LATER
