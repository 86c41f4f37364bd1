"""The page that shows a draft before it is published: what it offers, to whom, and the links that it makes."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import one_use_links
from sitekit.accounts.models import UserRole
from sitekit.admin.drafts.preview_state import PreviewState
from sitekit.base import paths, permissions
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.records.activity import Activity
from sitekit.records.proposals import PreviewLink
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_draft, id_of
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import sign_in, texts

pytestmark = pytest.mark.spec("DRAFT-6", "DRAFT-8")

EVERY_HANDLER: list[tuple[Callable[..., object], dict[str, Any]]] = [
    (PreviewState.open, {}),
    (PreviewState.save, {"form_data": {"days": "14"}}),
    (PreviewState.revoke, {"link": 1}),
]


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    """One record type after the other."""
    return SAMPLES[request.param]


@pytest.fixture
def draft(tab: EventClient, sample: Sample) -> int:
    """A draft of a record, Kelp, that would be called Sea Grass."""
    with transaction() as session:
        return id_of(add_draft(session, sample.add(session, name="Kelp", slug="kelp")))


def see(tab: EventClient, draft: object, handler: Any = PreviewState.open, search: str = "", **payload: Any) -> Reply:
    path = paths.preview_page(str(draft)) + (f"?{search}" if search else "")
    return tab.send(handler, path=path, query={"id": str(draft)}, **payload)


def held(tab: EventClient) -> dict[str, Any]:
    return tab.vars(PreviewState)


def links() -> list[tuple[int, bool]]:
    with read_session() as session:
        rows = session.execute(sa.select(PreviewLink).order_by(col(PreviewLink.id))).scalars()
        return [
            (round((row.expires_at - row.created_at).total_seconds() / 86400), row.revoked_at is None) for row in rows
        ]


@pytest.mark.spec("ROLE-4")
def test_a_role_that_may_not_manage_the_records_sees_and_shares_nothing(
    tab: EventClient, sample: Sample, draft: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    see(tab, draft)
    see(tab, draft, PreviewState.save, form_data={"days": "14"})
    monkeypatch.setitem(permissions.POLICY, sample.record_type.read_action, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, sample.record_type.change_action, permissions.ADMINS)
    see(tab, draft, search="share=open")
    assert (held(tab)["frame"], held(tab)["link"], held(tab)["links"], held(tab)["name"]) == ("", "", [], "")
    assert held(tab)["problem"] == "You may not do this."
    for handler, payload in EVERY_HANDLER[1:]:
        assert texts(see(tab, draft, handler, **payload)) == ["You may not do this."]
    assert links() == [(14, True)]


@pytest.mark.spec("ROLE-4")
def test_who_has_no_role_any_more_shares_nothing(tab: EventClient, draft: int) -> None:
    user = sign_in(tab, Role.MANAGER)
    see(tab, draft)
    with transaction() as session:
        session.execute(sa.delete(UserRole).where(col(UserRole.user_id) == user))
    for handler, payload in EVERY_HANDLER:
        see(tab, draft, handler, **payload)
    assert links() == []


def test_the_frame_shows_the_chosen_page_in_the_chosen_theme(tab: EventClient, sample: Sample, draft: int) -> None:
    sign_in(tab, Role.EMPLOYEE)
    see(tab, draft)
    shown = held(tab)
    assert (shown["name"], shown["problem"], shown["shown"]) == ("Sea Grass", "", paths.preview_page(draft))
    assert [page for page, _ in shown["pages"]] == ["record", "list", "home"]
    assert "kelp" in shown["back"] or "=" in shown["back"] or re.search(r"/\d+/", shown["back"])
    found = re.fullmatch(r"/preview/([\w=-]+)\?page=record", shown["frame"])
    assert found
    with transaction() as session:
        assert one_use_links.use_pass(session, found[1])[1] == {"draft": str(draft)}
    see(tab, draft, search="shows=list&theme=dark&width=360")
    assert held(tab)["frame"] == f"/preview/{found[1]}?page=list&theme=dark"
    assert held(tab)["width"] == "360"
    see(tab, draft, search="shows=x&theme=x&width=x")
    assert (held(tab)["frame"], held(tab)["width"]) == (f"/preview/{found[1]}?page=record", "")


def test_the_draft_of_a_new_record_leads_back_to_its_form(tab: EventClient, sample: Sample) -> None:
    with transaction() as session:
        draft = id_of(add_draft(session, of_table=sample.record_type.table_name))
    sign_in(tab, Role.EMPLOYEE)
    see(tab, draft)
    assert held(tab)["back"].startswith(sample.record_type.staff_pages.new_page)
    assert held(tab)["back"].endswith(f"draft={draft}")


def test_a_draft_has_one_link_until_that_is_revoked(tab: EventClient, draft: int) -> None:
    sign_in(tab, Role.EMPLOYEE)
    see(tab, draft, search="share=open")
    assert held(tab)["link"] == ""
    assert texts(see(tab, draft, PreviewState.save, form_data={"days": "7"})) == ["Link ready."]
    link = held(tab)["link"]
    assert re.fullmatch(r"http://[^/]+/preview/[\w-]{43}", link)
    see(tab, draft, PreviewState.save, form_data={"days": "30", "submission": "2"})
    assert (held(tab)["link"], links()) == (link, [(7, True)])
    [row] = held(tab)["links"]
    assert (row.by_name, row.opened, row.is_open) == ("Ann Lim", 0, True)
    assert texts(see(tab, draft, PreviewState.revoke, link=row.id)) == ["The link is revoked."]
    assert (held(tab)["link"], links()) == ("", [(7, False)])
    assert texts(see(tab, draft, PreviewState.revoke, link=row.id)) == ["This link has already ended."]
    see(tab, draft, PreviewState.save, form_data={"days": "1", "submission": "3"})
    assert links() == [(7, False), (1, True)]
    assert held(tab)["link"] not in ("", link)


@pytest.mark.parametrize("days", ["", "0", "31", "x", "1.5", "-1", "9" * 99, "٣"])
def test_a_link_works_for_1_to_30_days(tab: EventClient, draft: int, days: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    see(tab, draft, PreviewState.save, form_data={"days": days})
    assert list(held(tab)["errors"]) == ["days"]
    assert links() == []


def test_sharing_and_revoking_are_logged(tab: EventClient, sample: Sample, draft: int) -> None:
    sign_in(tab, Role.EMPLOYEE)
    see(tab, draft, PreviewState.save, form_data={"days": "7"})
    see(tab, draft, PreviewState.revoke, link=held(tab)["links"][0].id)
    with read_session() as session:
        rows = list(session.execute(sa.select(Activity).order_by(col(Activity.id).desc()).limit(2)).scalars())
    assert [row.act for row in rows] == ["preview_revoked", "preview_shared"]
    assert {(row.subject, row.of_table, row.by_name) for row in rows} == {
        ("Sea Grass", sample.record_type.table_name, "Ann Lim")
    }


@pytest.mark.parametrize("wanted", ["0", "-1", "x", "9" * 30, "7777"])
def test_a_draft_that_is_not_there_is_reported(tab: EventClient, wanted: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    assert see(tab, wanted).errors == []
    assert held(tab)["problem"] == "This draft has been published or discarded in the meantime."
