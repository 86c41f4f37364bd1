"""The endpoint that sends lists as CSV: who gets a file, once, and that nothing else is given away."""

import logging
from collections.abc import Callable
from types import ModuleType
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site import asgi
from advisory_site.accounts import one_use_links, sessions, tokens
from advisory_site.accounts.errors import InvalidToken
from advisory_site.accounts.models import UserRole
from advisory_site.accounts.sessions import IssuedSession
from advisory_site.core import permissions, routes
from advisory_site.core.permissions import Role, may
from advisory_site.dashboard import exports
from advisory_site.dashboard.exports import EXPORTS, ExportEndpoint
from advisory_site.db.database import transaction
from advisory_site.http.request_log import RequestLog
from advisory_site.observability.health import Readiness
from advisory_site.ops.status_metrics import StatusMetrics
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.asgi_client import Answer, ask, ask_endpoint
from tests.support.csv_files import lines_of
from tests.support.event_client import EventClient
from tests.support.people import person, signed_in
from tests.support.staff import keep

pytestmark = pytest.mark.spec("LIST-6")

OPEN_TO_ALL = {"/robots.txt", "/.well-known/security.txt", "/sitemap.xml", "/healthz", "/readyz"}
LISTS = list(EXPORTS)


@pytest.fixture(autouse=True)
def _records(database: ModuleType) -> None:
    with database.transaction() as session:
        for number in range(3):
            factories.add_company(session, name=f"Kelp {number}")
        factories.add_company(session, name="Reef")
        factories.add_member(session)
        factories.add_advisor(session)
        factories.add_enquiry(session)


def link(issued: IssuedSession, name: str, **query: str) -> str:
    return one_use_links.issue(issued.access_token, {"list": name, **query})


def get(token: str, endpoint: ExportEndpoint | None = None) -> Answer:
    return ask_endpoint(endpoint or ExportEndpoint(), query=f"token={token}")


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("role", [*Role, None])
def test_a_list_is_sent_to_the_roles_that_may_read_it(role: Role | None, name: str) -> None:
    issued = signed_in(person(role=role or Role.EMPLOYEE))
    if role is None:
        with transaction() as session:
            session.execute(sa.delete(UserRole))
    answer = get(link(issued, name))
    allowed = role is not None and role in permissions.POLICY[EXPORTS[name].action]
    assert answer.status == (200 if allowed else 403)
    if allowed:
        head, *rows = lines_of(answer.body)
        assert tuple(head) == EXPORTS[name].head and rows and all(len(row) == len(head) for row in rows)
        assert answer.headers["content-disposition"].startswith(f'attachment; filename="{name}-2')
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("name", LISTS)
def test_a_role_that_may_no_longer_read_a_list_gets_no_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token = link(signed_in(person(role=Role.MANAGER)), name)
    monkeypatch.setitem(permissions.POLICY, EXPORTS[name].action, permissions.ADMINS)
    assert get(token).status == 403


def test_a_link_works_once() -> None:
    token = link(signed_in(person()), "companies")
    assert [get(token).status for _ in range(2)] == [200, 403]


def test_only_get_uses_a_link() -> None:
    token = link(signed_in(person()), "companies")
    assert ask_endpoint(ExportEndpoint(), query=f"token={token}", method="HEAD").status == 405
    assert get(token).status == 200


def test_a_link_ends_with_the_session_and_the_role_that_it_was_made_with() -> None:
    user_id = person(role=Role.ADMIN)
    issued = signed_in(user_id)
    ended, demoted = link(issued, "companies"), link(signed_in(user_id), "companies")
    with transaction() as session:
        sessions.end(session, issued.access_token)
    assert get(ended).status == 403
    with transaction() as session:
        session.execute(sa.delete(UserRole).where(col(UserRole.user_id) == user_id))
    assert get(demoted).status == 403


def test_a_link_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_use_links, "LIFE", -one_use_links.LIFE)
    assert get(link(signed_in(person()), "companies")).status == 403


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    "forged",
    [
        lambda issued: "",
        lambda issued: "nonsense",
        lambda issued: issued.access_token,
        lambda issued: link(issued, "companies")[:-3] + "abc",
        lambda issued: link(issued, "no such list"),
        lambda issued: "a" * 100_000,
    ],
)
def test_nothing_else_is_a_link(forged: Callable[[IssuedSession], str]) -> None:
    answer = get(forged(signed_in(person())))
    assert answer.status == 403 and b"Kelp" not in answer.body


def test_a_link_is_no_access_token() -> None:
    with pytest.raises(InvalidToken):
        tokens.read(link(signed_in(person()), "companies"))


@pytest.mark.spec("ROLE-4")
def test_every_endpoint_but_those_for_everyone_refuses_a_stranger(tab: EventClient) -> None:
    readiness = Readiness(tab.app.status, renderer_runs=lambda: True)  # type: ignore[attr-defined]
    served = asgi.endpoints(tab.app, readiness, StatusMetrics(""))  # type: ignore[arg-type]
    answers = {path: ask_endpoint(one).status for path, one in served.items()}
    assert {path for path, status in answers.items() if status in (200, 503)} == OPEN_TO_ALL
    assert answers[routes.ADMIN_EXPORT] == 403


def test_the_request_log_has_no_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    token = link(signed_in(person()), "companies")
    endpoint = ExportEndpoint()

    async def site(scope: object, receive: object, send: object) -> None:
        from starlette.requests import Request

        await (await endpoint(Request(scope)))(scope, receive, send)  # type: ignore[arg-type]

    assert ask(RequestLog(site, behind_proxy=False), f"{routes.ADMIN_EXPORT}?token={token}").status == 200
    assert routes.ADMIN_EXPORT in caplog.text and token not in caplog.text


def test_no_more_than_a_few_are_sent_at_once_and_each_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint, issued = ExportEndpoint(), signed_in(person())
    for _ in range(2 * exports.MOST_AT_ONCE):
        assert get(link(issued, "companies"), endpoint).status == 200
        assert get("nonsense", endpoint).status == 403
    monkeypatch.setattr(exports, "MOST_AT_ONCE", 0)
    assert get(link(issued, "companies"), endpoint).status == 503


@pytest.mark.parametrize("name", LISTS)
@on_each_database
def test_a_tab_of_every_role_gets_a_link_of_its_search_in_its_order(tab: EventClient, name: str) -> None:
    from advisory_site.advisors.admin_tab import AdvisorTabState
    from advisory_site.companies.admin_tab import CompanyTabState
    from advisory_site.dashboard.activity_page import ActivityState
    from advisory_site.enquiries.admin_page import EnquiryInboxState
    from advisory_site.team.admin_tab import TeamTabState
    from advisory_site.users.admin_tab import UserTabState

    states = (ActivityState, AdvisorTabState, CompanyTabState, EnquiryInboxState, TeamTabState, UserTabState)
    state = {one.csv.name: one for one in states}[name]
    for role in Role:
        keep(tab, signed_in(person(f"{role}@northstrait.example", role)).to_json())
        reply = tab.send(state.export, path="/admin?search=kelp&sort=name&order=desc&page=9")
        (sent,) = [payload for event, payload in reply.events if event == "_download"]
        with transaction() as session:
            identity, wanted = one_use_links.use(session, urlsplit(sent["url"]).query.removeprefix("token="))
        assert may(identity.actor, EXPORTS[name].action) and identity.user.role == role
        assert wanted == {"list": name, "search": "kelp", "sort": "name", "order": "desc", "page": "9"}


def test_a_file_has_what_the_search_finds_on_all_pages_in_the_order_of_the_list() -> None:
    answer = get(link(signed_in(person()), "companies", search="kelp", sort="name", order="desc", page="9"))
    assert [row[2] for row in lines_of(answer.body)[1:]] == ["Kelp 2", "Kelp 1", "Kelp 0"]


@on_sqlite
def test_a_database_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    token = link(signed_in(person()), "companies")

    def away(*_: object) -> None:
        raise sa.exc.OperationalError("", {}, Exception("away"))

    monkeypatch.setattr(one_use_links, "use", away)
    assert get(token).status == 503
