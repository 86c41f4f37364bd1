"""The page about personal data through the real event processor, and the files of its links."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import pytest

from advisory_site.accounts import one_use_links
from advisory_site.accounts.models import Profile
from advisory_site.core import routes
from advisory_site.core.permissions import Role
from advisory_site.dashboard.exports import ExportEndpoint
from advisory_site.db.database import read_session, transaction
from advisory_site.personal_data.documents import FILES
from advisory_site.personal_data.state import PersonalDataState
from tests.conftest import on_sqlite
from tests.personal_data.traces import left
from tests.support import factories
from tests.support.asgi_client import Answer, ask_endpoint
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in
from tests.support.staff import destinations, sign_in, texts

pytestmark = pytest.mark.spec("ACC-4")

ANN = "ann.lee@kelp.example"
PATH = routes.ADMIN_PERSONAL_DATA
STATE = "personal_data_state"
HANDLERS: list[tuple[Callable[..., object], dict[str, Any], str]] = [
    (PersonalDataState.save, {"form_data": {"email": ANN}}, "What is held about this address could not be read"),
    (PersonalDataState.download, {"file": "personal data as JSON"}, "The file could not be made"),
    (PersonalDataState.erase, {}, "Nothing was erased"),
]


@pytest.fixture(autouse=True)
def _held(database_dir: object) -> None:
    with transaction() as session:
        factories.add_enquiry(session, email=ANN, message="Please call me.")
        factories.add_advisor(session, email=ANN, name="Ann Lee")


def look_up(tab: EventClient, email: str = ANN) -> Reply:
    return tab.send(PersonalDataState.save, path=PATH, form_data={"email": email})


def is_held() -> bool:
    with read_session() as session:
        return "enquiries" in left(session)


def download(tab: EventClient, file: str) -> str:
    """The token of the link that the tab gets."""
    reply = tab.send(PersonalDataState.download, path=PATH, file=file)
    (sent,) = [payload for event, payload in reply.events if event == "_download"]
    assert ANN not in sent["filename"]
    return str(urlsplit(sent["url"]).query.removeprefix("token="))


def get(token: str) -> Answer:
    return ask_endpoint(ExportEndpoint(), query=f"token={token}")


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", [*Role, None])
@pytest.mark.parametrize(("handler", "payload", "_failed"), HANDLERS)
def test_only_admins_get_anything(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any], _failed: str, role: Role | None
) -> None:
    sign_in(tab, role)
    reply = tab.send(handler, path=PATH, **payload)
    assert is_held()
    if role == Role.ADMIN:
        return
    assert not [event for event, _ in reply.events if event == "_download"]
    assert ANN not in str(reply.delta) and "Please call me." not in str(reply.delta)
    if role:
        assert texts(reply) == ["Your role does not allow this"]
    else:
        assert destinations(reply)[0].startswith(routes.AUTH)


def test_an_admin_sees_the_rows_by_table_and_what_would_stay(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    reply = look_up(tab, f" {ANN.upper()} ")
    groups = {group.title: group for group in reply.var(f"{STATE}.groups")}
    assert reply.var(f"{STATE}.title") == f"What is held about {ANN}"
    assert groups["Enquiries"].count == "Rows: 1"
    (row,) = groups["Enquiries"].rows
    assert ("Message", "Please call me.") in row.facts and row.page.startswith("/admin/enquiries?open=")
    assert reply.var(f"{STATE}.goes") == ["Enquiries: 1 deleted."]
    confirmation = reply.var(f"{STATE}.confirmation")
    assert all(line in confirmation for line in (*reply.var(f"{STATE}.goes"), *reply.var(f"{STATE}.stays"), ANN))


@pytest.mark.parametrize("email", ["", "ann", "a@b@c.example", "x" * 300])
def test_what_is_no_address_is_said_beside_the_field(tab: EventClient, email: str) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    reply = look_up(tab, email)
    assert list(reply.var(f"{STATE}.errors")) == ["email"]
    assert (reply.var(f"{STATE}.address"), reply.var(f"{STATE}.groups")) == ("", [])


def test_an_address_that_nobody_has_is_said(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    reply = look_up(tab, "nobody@x.example")
    assert reply.var(f"{STATE}.title") == "Nothing is held about nobody@x.example."
    assert texts(tab.send(PersonalDataState.erase, path=PATH)) == ["Nothing is held about nobody@x.example."]


def test_a_page_has_only_the_first_rows_and_short_values(tab: EventClient) -> None:
    with transaction() as session:
        for _ in range(40):
            factories.add_enquiry(session, email=ANN, message="long " * 1_000)
    sign_in(tab, Role.ADMIN)
    groups = {group.title: group for group in look_up(tab).var(f"{STATE}.groups")}
    assert groups["Enquiries"].note == "The first 20 of 41 are shown; a download has all of them."
    assert len(groups["Enquiries"].rows) == 20
    assert max(len(text) for row in groups["Enquiries"].rows for _, text in row.facts) < 600


def test_erasing_says_what_was_done_and_empties_the_page(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    reply = tab.send(PersonalDataState.erase, path=PATH)
    assert texts(reply) == ["What was held about this address is erased, except what is listed as kept."]
    assert (reply.var(f"{STATE}.is_erased"), reply.var(f"{STATE}.groups")) == (True, [])
    assert reply.var(f"{STATE}.stays")[0].startswith("Advisors: 1 kept.")
    assert not is_held()
    assert texts(tab.send(PersonalDataState.erase, path=PATH))[-1].startswith("Please enter a full email address")
    opened = tab.send(PersonalDataState.open, path=PATH)
    assert (opened.var(f"{STATE}.title"), opened.var(f"{STATE}.stays")) == ("", [])


def test_an_admin_does_not_erase_themself(tab: EventClient) -> None:
    user = sign_in(tab, Role.ADMIN)
    person("other@northstrait.example", Role.ADMIN)
    with read_session() as session:
        email = session.get_one(Profile, user).email
    look_up(tab, email)
    reply = tab.send(PersonalDataState.erase, path=PATH)
    assert texts(reply) == ["This is the address of your own account. Another admin has to erase it."]


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_sent_once_with_its_type(tab: EventClient, file: str) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    token = download(tab, file)
    answer = get(token)
    assert answer.status == 200 and b"Please call me." in answer.body
    assert answer.headers["content-type"] == FILES[file].media_type
    assert answer.headers["content-disposition"].startswith('attachment; filename="personal-data-')
    assert answer.headers["cache-control"] == "no-store"
    assert get(token).status == 403


def test_an_unknown_file_gets_no_link(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    assert texts(tab.send(PersonalDataState.download, path=PATH, file="companies")) == ["The file could not be made"]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("role", list(Role))
def test_a_link_gives_the_file_to_admins_alone(role: Role, file: str) -> None:
    access = signed_in(person(f"{role}@northstrait.example", role)).access_token
    answer = get(one_use_links.issue(access, {"list": file, "address": ANN}))
    assert answer.status == (200 if role == Role.ADMIN else 403)
    assert (b"Please call me." in answer.body) == (role == Role.ADMIN)


@pytest.mark.parametrize("subject", [{}, {"address": ""}, {"address": "ann"}, {"address": f"{ANN}, x@x.example"}])
def test_a_link_without_an_address_is_refused(subject: dict[str, str]) -> None:
    access = signed_in(person("boss@northstrait.example", Role.ADMIN)).access_token
    assert get(one_use_links.issue(access, {"list": next(iter(FILES)), **subject})).status == 403


@on_sqlite
@pytest.mark.parametrize(("handler", "payload", "failed"), HANDLERS)
def test_without_its_database_each_handler_says_what_it_could_not_do(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    payload: dict[str, Any],
    failed: str,
) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    with database_away:
        assert texts(tab.send(handler, path=PATH, **payload)) == [failed]
