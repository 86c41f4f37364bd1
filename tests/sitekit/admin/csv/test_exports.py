"""The endpoint that sends lists as CSV: who gets a file, once, and that nothing else is given away."""

import logging
from types import ModuleType
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.exports import EXPORTS, LISTS
from sitekit.accounts import one_use_links, tokens
from sitekit.accounts.account_errors import InvalidToken
from sitekit.accounts.models import UserRole
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.admin.csv import exports
from sitekit.admin.csv.exports import ExportEndpoint
from sitekit.app import site_app
from sitekit.base import paths, permissions
from sitekit.base.db.database import transaction
from sitekit.base.observability.health import Readiness
from sitekit.base.permissions import Role, may
from sitekit.server.http.request_log import RequestLog
from tests.conftest import on_each_database, on_sqlite
from tests.support import factories
from tests.support.asgi_client import Answer, ask, ask_endpoint
from tests.support.changed_texts import change_text
from tests.support.csv_files import lines_of
from tests.support.event_client import EventClient
from tests.support.people import person, signed_in
from tests.support.staff import keep

pytestmark = pytest.mark.spec("LIST-6")

OPEN_TO_ALL = {"/robots.txt", "/.well-known/security.txt", "/sitemap.xml", "/insights/feed.xml", "/healthz", "/readyz"}


@pytest.fixture(autouse=True)
def _records(app: object, database: ModuleType) -> None:
    with database.transaction() as session:
        for number in range(3):
            factories.add_company(session, name=f"Kelp {number}")
        factories.add_company(session, name="Reef")
        factories.add_member(session)
        factories.add_advisor(session)
        factories.add_article(session)
        factories.add_enquiry(session)
        change_text(session, "What we do", "What we do now")


def link(issued: IssuedSession, name: str, **query: str) -> str:
    return one_use_links.issue(issued.access_token, {"list": name, **query})


def get(token: str, endpoint: ExportEndpoint | None = None) -> Answer:
    return ask_endpoint(endpoint or ExportEndpoint(EXPORTS), query=f"token={token}")


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", [*Role, None])
def test_lists_are_exported_for_the_roles_that_may_read_them(role: Role | None) -> None:
    issued, wrong = signed_in(person(role=role or Role.EMPLOYEE)), []
    if role is None:
        with transaction() as session:
            session.execute(sa.delete(UserRole))
    for one in LISTS:
        answer = get(link(issued, one.name))
        if role is None or role not in permissions.POLICY[one.action]:
            is_right = answer.status == 403
        else:
            head, *rows = lines_of(answer.body)
            named, kept = (answer.headers[name] for name in ("content-disposition", "cache-control"))
            is_named = named.startswith(f'attachment; filename="{one.name}-2') and kept == "no-store"
            is_right = answer.status == 200 and is_named and tuple(head) == one.head and bool(rows)
            is_right = is_right and all(len(row) == len(head) for row in rows)
        if not is_right:
            wrong.append(f"{one.name}: {answer}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spec("ROLE-4")
def test_a_role_that_may_no_longer_read_a_list_gets_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    issued = signed_in(person(role=Role.MANAGER))
    tokens_of = {one.name: link(issued, one.name) for one in LISTS}
    for one in LISTS:
        monkeypatch.setitem(permissions.POLICY, one.action, permissions.ADMINS)
    assert [name for name, token in tokens_of.items() if get(token).status != 403] == []


def test_a_link_works_once() -> None:
    token = link(signed_in(person()), "companies")
    assert [get(token).status for _ in range(2)] == [200, 403]


def test_only_get_requests_use_up_a_link() -> None:
    token = link(signed_in(person()), "companies")
    assert ask_endpoint(ExportEndpoint(EXPORTS), query=f"token={token}", method="HEAD").status == 405
    assert get(token).status == 200


def test_a_link_ends_with_its_session_and_role() -> None:
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
def test_forged_links_are_refused() -> None:
    issued = signed_in(person())
    altered = link(issued, "companies")[:-3] + "abc"
    wrong = []
    for forged in ("", "nonsense", issued.access_token, altered, link(issued, "no such list"), "a" * 100_000):
        answer = get(forged)
        if answer.status != 403 or b"Kelp" in answer.body:
            wrong.append(f"{forged[:40]}: {answer}")
    assert not wrong, "\n".join(wrong)


def test_a_link_cannot_be_used_as_an_access_token() -> None:
    with pytest.raises(InvalidToken):
        tokens.read(link(signed_in(person()), "companies"))


@pytest.mark.spec("ROLE-4")
def test_every_non_public_endpoint_refuses_a_visitor(tab: EventClient) -> None:
    readiness = Readiness(tab.app.status, renderer_runs=lambda: True)  # type: ignore[attr-defined]
    served = site_app.endpoints(tab.app, readiness)  # type: ignore[arg-type]
    answers = {path: ask_endpoint(one).status for path, one in served.items()}
    assert {path for path, status in answers.items() if status in (200, 503)} == OPEN_TO_ALL
    assert answers[paths.ADMIN_EXPORT] == 403


def test_password_managers_are_led_to_where_a_password_is_changed(tab: EventClient) -> None:
    readiness = Readiness(tab.app.status, renderer_runs=lambda: True)  # type: ignore[attr-defined]
    served = site_app.endpoints(tab.app, readiness)  # type: ignore[arg-type]
    answer = ask_endpoint(served["/.well-known/change-password"])
    assert (answer.status, answer.headers["location"]) == (302, paths.ADMIN_PROFILE)


def test_the_request_log_has_no_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    token = link(signed_in(person()), "companies")
    endpoint = ExportEndpoint(EXPORTS)

    async def site(scope: object, receive: object, send: object) -> None:
        from starlette.requests import Request

        await (await endpoint(Request(scope)))(scope, receive, send)  # type: ignore[arg-type]

    assert ask(RequestLog(site, behind_proxy=False), f"{paths.ADMIN_EXPORT}?token={token}").status == 200
    assert paths.ADMIN_EXPORT in caplog.text and token not in caplog.text


def test_concurrent_exports_are_limited_and_each_frees_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint, issued = ExportEndpoint(EXPORTS), signed_in(person())
    for _ in range(2 * exports.MOST_AT_ONCE):
        assert get(link(issued, "companies"), endpoint).status == 200
        assert get("nonsense", endpoint).status == 403
    monkeypatch.setattr(exports, "MOST_AT_ONCE", 0)
    assert get(link(issued, "companies"), endpoint).status == 503


@on_sqlite
def test_forged_and_used_links_take_no_export_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "MOST_AT_ONCE", 1)
    endpoint, issued = ExportEndpoint(EXPORTS), signed_in(person())
    used = link(issued, "companies")
    assert get(used, endpoint).status == 200
    use, meanwhile = exports._use, []

    def use_slowly(token: object) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exports, "_use", use)
            meanwhile.append(get(link(issued, "companies"), endpoint).status)
        return use(token)

    monkeypatch.setattr(exports, "_use", use_slowly)
    assert [get(token, endpoint).status for token in ("nonsense", used)] == [403, 403]
    assert meanwhile == [200]


@on_each_database
def test_who_may_read_a_list_gets_an_export_link_with_its_search_and_order(tab: EventClient) -> None:
    from advisory_site.advisors.admin import AdvisorTabState
    from advisory_site.articles.admin import ArticleTabState
    from advisory_site.companies.admin import CompanyTabState
    from advisory_site.enquiries.desk.list_page import EnquiryInboxState
    from advisory_site.team.admin import TeamTabState
    from sitekit.accounts.people.tab import UserTabState
    from sitekit.admin.activity.page import ActivityState
    from sitekit.admin.page_texts.state import TextPagesState

    states = (ActivityState, AdvisorTabState, ArticleTabState, CompanyTabState, EnquiryInboxState, TeamTabState)
    by_name = {one.csv.name: one for one in (*states, TextPagesState, UserTabState)}
    wrong = []
    for role in Role:
        keep(tab, signed_in(person(f"{role}@northstrait.example", role)).to_json())
        for one in LISTS:
            if role not in permissions.POLICY[one.action]:
                continue
            reply = tab.send(by_name[one.name].export, path="/admin?search=kelp&sort=name&order=desc&page=9")
            (sent,) = [payload for event, payload in reply.events if event == "_download"]
            with transaction() as session:
                identity, query = one_use_links.use(session, parse_qs(urlsplit(sent["url"]).query)["token"][0])
            expected = {"list": one.name, "search": "kelp", "sort": "name", "order": "desc", "page": "9"}
            if not may(identity.actor, one.action) or identity.user.role != role or query != expected:
                wrong.append(f"{role}: {one.name}: {query}")
    assert not wrong, "\n".join(wrong)


def test_an_export_has_all_pages_of_the_search_in_list_order() -> None:
    answer = get(link(signed_in(person()), "companies", search="kelp", sort="name", order="desc", page="9"))
    assert [row[2] for row in lines_of(answer.body)[1:]] == ["Kelp 2", "Kelp 1", "Kelp 0"]


@on_sqlite
def test_an_unavailable_database_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    token = link(signed_in(person()), "companies")

    def away(*_: object) -> None:
        raise sa.exc.OperationalError("", {}, Exception("away"))

    monkeypatch.setattr(exports, "_use", away)
    assert get(token).status == 503


@on_sqlite
def test_exports_that_fail_free_their_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint, issued = ExportEndpoint(EXPORTS), signed_in(person())
    with monkeypatch.context() as broken:
        broken.setattr(exports, "snapshot", lambda session: session.execute(sa.text("SELECT nothing")))
        for _ in range(exports.MOST_AT_ONCE):
            assert get(link(issued, "companies"), endpoint).status == 503
    assert get(link(issued, "companies"), endpoint).status == 200
