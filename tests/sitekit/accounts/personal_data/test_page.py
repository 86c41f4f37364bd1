"""The page about personal data through the real event processor, and the files of its links."""

from itertools import product
from urllib.parse import urlsplit

import pytest

from advisory_site.exports import EXPORTS
from sitekit.accounts import one_use_links
from sitekit.accounts.models import Profile
from sitekit.accounts.personal_data.documents import FILES
from sitekit.accounts.personal_data.state import PersonalDataState
from sitekit.admin.csv.exports import ExportEndpoint
from sitekit.base import paths
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from tests.sitekit.accounts.personal_data.traces import left
from tests.support import factories
from tests.support.asgi_client import Answer, ask_endpoint
from tests.support.each import check_each
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in
from tests.support.staff import sign_in, texts

pytestmark = pytest.mark.spec("ACC-4")

ANN = "ann.lee@kelp.example"
PATH = paths.ADMIN_PERSONAL_DATA
STATE = "personal_data_state"


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
    return ask_endpoint(ExportEndpoint(EXPORTS), query=f"token={token}")


def test_an_admin_sees_the_rows_by_table_and_what_would_stay(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    reply = look_up(tab, f" {ANN.upper()} ")
    groups = {group.title: group for group in reply.var(f"{STATE}.groups")}
    assert reply.var(f"{STATE}.title") == f"What is held about {ANN}"
    assert groups["Enquiries"].count == "1"
    (row,) = groups["Enquiries"].rows
    assert ("Message", "Please call me.") in row.facts and row.page.startswith("/admin/enquiries/")
    assert "Page address" in dict(groups["Advisors"].rows[0].facts)
    assert reply.var(f"{STATE}.goes") == ["1 enquiry will be deleted."]
    assert reply.var(f"{STATE}.stays")[0].startswith("1 advisor will be kept.")


@pytest.mark.parametrize("email", ["", "ann", "a@b@c.example", "x" * 300])
def test_an_invalid_address_is_reported_beside_the_field(tab: EventClient, email: str) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    reply = look_up(tab, email)
    assert list(reply.var(f"{STATE}.errors")) == ["email"]
    assert (reply.var(f"{STATE}.address"), reply.var(f"{STATE}.groups")) == ("", [])


def test_an_unknown_address_is_reported(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    reply = look_up(tab, "nobody@x.example")
    assert reply.var(f"{STATE}.title") == "Nothing is held about nobody@x.example."
    reply = tab.send(PersonalDataState.erase, path=PATH, typed="nobody@x.example")
    assert texts(reply) == ["Nothing is held about nobody@x.example."]


def test_a_page_has_only_the_first_rows_and_short_values(tab: EventClient) -> None:
    with transaction() as session:
        for _ in range(40):
            factories.add_enquiry(session, email=ANN, message="long " * 1_000)
    sign_in(tab, Role.ADMIN)
    groups = {group.title: group for group in look_up(tab).var(f"{STATE}.groups")}
    assert groups["Enquiries"].note == "The first 20 of 41 are shown; a download has all of them."
    rows = (*groups["Enquiries"].rows, *groups["Enquiries"].more)
    assert (len(groups["Enquiries"].rows), len(rows), groups["Enquiries"].more_label) == (3, 20, "Show 17 more")
    assert max(len(text) for row in rows for _, text in row.facts) < 600


def test_erasing_says_what_was_done_and_empties_the_page(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    reply = tab.send(PersonalDataState.erase, path=PATH, typed=f" {ANN.upper()} ")
    assert texts(reply) == ["Erased, apart from the items listed below."]
    assert reply.var(f"{STATE}.goes") == ["1 enquiry deleted."]
    assert (reply.var(f"{STATE}.is_erased"), reply.var(f"{STATE}.groups")) == (True, [])
    assert reply.var(f"{STATE}.stays")[0].startswith("1 advisor kept.")
    assert not is_held()
    assert texts(tab.send(PersonalDataState.erase, path=PATH, typed=""))[-1].startswith("Please enter a full email")
    opened = tab.send(PersonalDataState.open, path=PATH)
    assert (opened.var(f"{STATE}.title"), opened.var(f"{STATE}.stays")) == ("", [])


@pytest.mark.parametrize("typed", ["", "ann.lee@kelp", f"x{ANN}", f"{ANN} {ANN}", "bob@kelp.example"])
def test_erasing_requires_typing_the_address_again(tab: EventClient, typed: str) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    reply = tab.send(PersonalDataState.erase, path=PATH, typed=typed)
    assert texts(reply) == ["Nothing was erased: the address you typed is not the one shown."]
    assert is_held()


def test_an_admin_cannot_erase_themself(tab: EventClient) -> None:
    user = sign_in(tab, Role.ADMIN)
    person("other@northstrait.example", Role.ADMIN)
    with read_session() as session:
        email = session.get_one(Profile, user).email
    look_up(tab, email)
    reply = tab.send(PersonalDataState.erase, path=PATH, typed=email)
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


def test_an_unknown_export_file_gets_no_link(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    look_up(tab)
    assert texts(tab.send(PersonalDataState.download, path=PATH, file="companies")) == ["The file could not be made"]


@pytest.mark.spec("ROLE-4")
def test_a_link_gives_the_file_only_to_admins() -> None:
    issued = {role: signed_in(person(f"{role}@northstrait.example", role)) for role in Role}

    def check(case: tuple[str, Role]) -> None:
        file, role = case
        answer = get(one_use_links.issue(issued[role].access_token, {"list": file, "address": ANN}))
        assert answer.status == (200 if role == Role.ADMIN else 403)
        assert (b"Please call me." in answer.body) == (role == Role.ADMIN)

    check_each(product(FILES, list(Role)), check)


def test_a_link_without_an_address_is_refused() -> None:
    access = signed_in(person("boss@northstrait.example", Role.ADMIN)).access_token

    def check(subject: dict[str, str]) -> None:
        assert get(one_use_links.issue(access, {"list": next(iter(FILES)), **subject})).status == 403

    check_each([{}, {"address": ""}, {"address": "ann"}, {"address": f"{ANN}, x@x.example"}], check)
