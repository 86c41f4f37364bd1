"""Somebody learns the token of a staff member's tab: from a proxy's log, from a shared machine, from the address."""

import uuid
from collections.abc import Iterator

import pytest

from tests.e2e.attack import MARK, Target, attackable, handlers
from tests.support.people import signed_in
from tests.support.raw_socket import ROOT_STATE, Socket
from tests.support.staff import STORED
from tests.support.waiting import wait_for

HYDRATE = f"{ROOT_STATE}.hydrate_and_load"
USERS = f"{ROOT_STATE}.sitekit___accounts___people___tab____user_tab_state.load"
EMAIL = "boss@northstrait.example"


@pytest.fixture(scope="module")
def target(app: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A site with people, some of whom nobody outside may hear of."""
    with attackable(tmp_path_factory.mktemp("tokens") / "data") as target:
        yield target


def worked(target: Target, token: str = "") -> Socket:
    """The tab of an admin who has looked at the users."""
    socket = Socket(target.site.url, token)
    socket.say(HYDRATE, vars={STORED: signed_in(target.admin).to_json()})
    socket.say(USERS)
    assert socket.settle()
    assert MARK in "".join(socket.everything)
    return socket


def said_to(target: Target, token: str, *calls: tuple[str, dict[str, object]]) -> str:
    """What the server sends, after these calls, to another socket that it takes for this tab."""

    def said() -> str:
        socket = Socket(target.site.url, token)
        for name, payload in calls:
            socket.say(name, **payload)
        assert socket.settle()
        socket.close()
        # Until the tab is free, the server gives each socket another token before it answers.
        return "".join(socket.everything) if socket.token == token else ""

    return wait_for(said, "the tab is free", 60)


@pytest.mark.spec("ROLE-4", "SES-1")
def test_a_stranger_with_the_token_of_a_closed_client_gets_nothing(target: Target) -> None:
    calls = [(name, payload) for name, payloads in handlers() for payload in payloads]
    for start in range(0, len(calls), 60):
        victim = worked(target)
        victim.close()
        said = said_to(target, victim.token, *calls[start : start + 60], (HYDRATE, {"vars": {}}), (USERS, {}))
        assert MARK not in said and EMAIL not in said and "access_token" not in said
        assert victim.token not in target.site.log


@pytest.mark.spec("ROLE-4", "SES-1")
def test_a_late_answer_for_a_closed_client_does_not_reach_a_stranger(target: Target) -> None:
    for _ in range(10):
        victim = worked(target)
        for _ in range(20):
            victim.say(USERS)
        victim.close()
        said = said_to(target, victim.token, (HYDRATE, {"vars": {}}), (USERS, {}))
        assert MARK not in said and EMAIL not in said
        assert victim.token not in target.site.log


@pytest.mark.spec("SES-1")
def test_the_same_person_gets_the_client_state_back(target: Target) -> None:
    token = str(uuid.uuid4())
    worked(target, token).close()
    said = said_to(target, token, (HYDRATE, {"vars": {STORED: signed_in(target.admin).to_json()}}))
    assert MARK in said, "the users that were listed"
