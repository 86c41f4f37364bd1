"""What the field of a picture asks: the token of an upload, and what describes a picture. Who is answered, and how."""

from dataclasses import replace
from pathlib import Path

import pytest

from sitekit.accounts import one_use_links
from sitekit.accounts.account_errors import InvalidToken
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.admin.pictures.upload_state import MAX_ID, KnownDescription, UploadPermit, UploadState
from sitekit.base import permissions
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Action, Role
from sitekit.records.pictures.addresses import address_of
from tests.conftest import on_sqlite
from tests.support import database_faults, factories
from tests.support.event_client import EventClient
from tests.support.staff import sign_in, texts


def authorize(tab: EventClient, upload: str = "first") -> UploadPermit:
    permit: UploadPermit = tab.send(UploadState.authorize, upload=upload).var("upload_state.permit")
    return permit


@pytest.mark.spec("IMG-1")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_get_their_own_upload_token_usable_once(tab: EventClient, role: Role) -> None:
    user_id = sign_in(tab, role)
    permit = authorize(tab)
    assert (permit.upload, permit.error) == ("first", "")
    with transaction() as session:
        identity, subject = one_use_links.use(session, permit.token)
        assert (identity.user.id, identity.user.role, subject) == (user_id, role, {"upload": "picture"})
    with transaction() as session, pytest.raises(InvalidToken):
        one_use_links.use(session, permit.token)


@pytest.mark.spec("IMG-1")
def test_each_upload_gets_a_new_token(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    first, second = authorize(tab, "first"), authorize(tab, "second")
    assert (first.upload, second.upload) == ("first", "second")
    assert first.token != second.token


@pytest.mark.spec("IMG-1")
def test_an_upload_token_ends_with_its_session(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    permit = authorize(tab)
    reply = tab.send(AuthState.sign_out)
    assert reply.var("upload_state.permit") == UploadPermit()
    with transaction() as session, pytest.raises(InvalidToken):
        one_use_links.use(session, permit.token)


@pytest.mark.spec("IMG-1")
def test_a_role_without_permission_gets_an_error_for_the_upload_field(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, frozenset({Role.ADMIN}))
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, frozenset({Role.ADMIN}))
    sign_in(tab, Role.EMPLOYEE)
    assert authorize(tab) == UploadPermit("first", error="You may not do this.")


@pytest.mark.spec("IMG-1")
def test_the_returned_upload_id_is_cut_to_a_maximum_length(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    assert authorize(tab, "x" * 10_000).upload == "x" * MAX_ID


@on_sqlite
@pytest.mark.spec("IMG-1")
def test_the_upload_field_reports_an_unavailable_database(
    tab: EventClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with database_faults.missing(database_dir, monkeypatch):
        reply = tab.send(UploadState.authorize, upload="first")
    sentence = "The service cannot be reached at the moment. Please try again."
    assert reply.var("upload_state.permit") == UploadPermit(error=sentence)
    assert texts(reply) == []


def add_picture(**fields: str) -> str:
    with transaction() as session:
        picture = factories.add_picture(session, **fields)
        return address_of(picture.key, picture.width)


def ask(tab: EventClient, address: str) -> KnownDescription | None:
    """What a field is told about an address; None without an answer."""
    told: KnownDescription | None = tab.send(UploadState.find_description, address=address).delta.get(
        "upload_state.described"
    )
    return told


@pytest.mark.spec("IMG-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_get_the_description_of_a_picture(tab: EventClient, role: Role) -> None:
    address = add_picture(alt="Mei at her desk")
    sign_in(tab, role)
    told = KnownDescription(1, address, "Mei at her desk", False, ":Mei at her desk")
    assert ask(tab, address) == told
    # The same answer is sent again, because the field waits for it.
    assert ask(tab, address) == replace(told, number=2)
    assert ask(tab, "/images/a.svg") == KnownDescription(3, "/images/a.svg", stamp=":")
    assert ask(tab, "x" * 10_000) == KnownDescription(4, "x" * 200, stamp=":")


@pytest.mark.spec("IMG-3")
def test_a_role_without_permission_gets_no_picture_description(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = add_picture(alt="Mei at her desk")
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, frozenset({Role.ADMIN}))
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, frozenset({Role.ADMIN}))
    sign_in(tab, Role.EMPLOYEE)
    assert ask(tab, address) in (None, KnownDescription())


@on_sqlite
@pytest.mark.spec("IMG-3")
def test_an_unavailable_database_leaves_the_description_empty(
    tab: EventClient, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with database_faults.missing(database_dir, monkeypatch):
        reply = tab.send(UploadState.find_description, address=f"/media/{'a' * 32}-960.jpg")
    assert reply.delta.get("upload_state.permit", UploadPermit()) == UploadPermit()
    assert texts(reply) == []
