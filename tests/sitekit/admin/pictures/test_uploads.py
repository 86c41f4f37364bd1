"""The endpoint that takes pictures: who may send one, what is refused, and that nothing is there by halves."""

import asyncio
import itertools
import re
from collections.abc import Callable, Iterable
from types import ModuleType
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from starlette.routing import request_response

from sitekit.accounts import one_use_links
from sitekit.accounts.models import UserRole
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.admin.pictures import uploads
from sitekit.admin.pictures.uploads import SUBJECT, UploadEndpoint
from sitekit.base import permissions
from sitekit.base.db.database import read_session, transaction
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Action, Role
from sitekit.records.activity import columns as activity
from sitekit.records.pictures import service, storage, texts
from sitekit.records.pictures.addresses import MOST_BYTES, PREFIX, file_names, key_of
from sitekit.records.pictures.encoding import encode
from sitekit.records.pictures.files import MediaFiles
from sitekit.records.pictures.models import Media
from sitekit.records.pictures.storage import StoreUnavailable
from tests.conftest import on_sqlite
from tests.support.asgi_client import Answer, ask, sent
from tests.support.each import check_each
from tests.support.people import person, signed_in
from tests.support.photographs import encoded, portrait

pytestmark = [pytest.mark.spec("IMG-1"), on_sqlite]

_numbers = itertools.count(1)
JPEG = encoded(portrait(400, 500))


@pytest.fixture(autouse=True)
def _empty(app: object, database: ModuleType) -> None:
    """A database without pictures."""


def token(issued: IssuedSession | None = None) -> str:
    issued = issued or signed_in(person(f"user{next(_numbers)}@northstrait.example"))
    return one_use_links.issue(issued.access_token, SUBJECT)


def send(
    secret: str, body: Iterable[bytes | float | None] = (JPEG,), endpoint: UploadEndpoint | None = None, **headers: str
) -> Answer:
    return asyncio.run(send_soon(secret, body, endpoint, None, **headers))


async def send_soon(
    secret: str,
    body: Iterable[bytes | float | None] = (JPEG,),
    endpoint: UploadEndpoint | None = None,
    leaves: asyncio.Event | None = None,
    **headers: str,
) -> Answer:
    app = endpoint or UploadEndpoint()
    named = {"authorization": f"Bearer {secret}", "x_file_name": "me.jpg"} | headers
    return await sent(request_response(app), "/", "POST", body, named, leaves)


def pictures() -> list[Media]:
    with read_session() as session:
        return list(session.execute(sa.select(Media)).scalars())


class Unread(list[bytes | None]):
    """A body of which nothing arrives: an endpoint that reads it waits, and the test runs into its time limit."""


def test_a_picture_is_stored_in_every_size_and_format() -> None:
    user = person()
    answer = send(token(signed_in(user)), [JPEG[:100], JPEG[100:]])
    assert answer.status == 200
    [media] = pictures()
    assert answer.json == {
        "address": f"{PREFIX}{media.key}-400.jpg",
        "width": 400,
        "height": 500,
        "is_known": False,
    }
    assert (media.name, media.width, media.height, media.created_by) == ("me.jpg", 400, 500, user)
    stored = {name: storage.store().get(name) for name in file_names(media.key, media.width)}
    assert None not in stored.values()
    assert media.size == sum(len(data or b"") for data in stored.values())
    with read_session() as session:
        act = session.execute(sa.select(*activity).where(activity.act == AuditEvent.PICTURE_ADDED.name.lower())).one()
    assert (act.by, act.subject, act.of_table, act.record_id) == (user, "me.jpg", "media", media.id)


def test_the_same_picture_is_stored_once() -> None:
    first, again = (send(token()).json for _ in range(2))
    assert again == first | {"is_known": True}
    assert len(pictures()) == 1


@pytest.mark.parametrize(
    ("sent_as", "name"),
    [
        ("", service.UNNAMED),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\Bild.jpg", "Bild.jpg"),
        ("x" * 300, "x" * service.MAX_NAME),
        ("Zoë 李.png", "Zoë 李.png"),
        ("two\nlines\x00", "two lines"),
    ],
)
def test_file_names_are_only_displayed(sent_as: str, name: str) -> None:
    assert send(token(), x_file_name=quote(sent_as, safe="")).status == 200
    assert [one.name for one in pictures()] == [name]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("role", [*Role, None])
def test_roles_permitted_by_the_policy_can_upload(role: Role | None, monkeypatch: pytest.MonkeyPatch) -> None:
    issued = signed_in(person(role=role or Role.EMPLOYEE))
    if role is None:
        with transaction() as session:
            session.execute(sa.delete(UserRole))
    allowed = role is not None and role in permissions.POLICY[Action.CHANGE_MEDIA]
    assert send(token(issued)).status == (200 if allowed else 403)
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, frozenset())
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, frozenset())
    assert send(token(issued), Unread()).status == 403


def expired(issued: IssuedSession) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_use_links, "LIFE", -one_use_links.LIFE)
        return token(issued)


def used(issued: IssuedSession) -> str:
    secret = token(issued)
    with transaction() as session:
        one_use_links.use(session, secret)
    return secret


def ended(issued: IssuedSession) -> str:
    secret = token(issued)
    with transaction() as session:
        sessions.end(session, issued.access_token)
    return secret


@pytest.mark.spec("ROLE-4")
def test_uploads_without_permission_are_refused_before_reading_the_body() -> None:
    ann = person()

    def check(case: tuple[str, Callable[[IssuedSession], str]]) -> None:
        _, forged = case
        # The client stays and sends nothing: an endpoint that read the body would wait for it.
        answer = send(forged(signed_in(ann)), Unread())
        assert (answer.status, answer.json) == (403, {"error": texts.NOT_SIGNED_IN})
        assert pictures() == []

    tokens: dict[str, Callable[[IssuedSession], str]] = {
        "none": lambda issued: "",
        "nonsense": lambda issued: "nonsense",
        "a long one": lambda issued: "a" * 100_000,
        "of a session": lambda issued: issued.access_token,
        "changed": lambda issued: token(issued)[:-3] + "abc",
        "of a list": lambda issued: one_use_links.issue(issued.access_token, {"list": "companies"}),
        "expired": expired,
        "used": used,
        "of an ended session": ended,
    }
    check_each(tokens.items(), check)


def test_a_forged_token_is_refused_without_a_database_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(uploads, "_use")
    assert send("nonsense", Unread()).status == 403


@pytest.mark.parametrize("scheme", ["", "Basic abc", "Bearer"])
def test_the_body_is_not_read_without_a_token(scheme: str) -> None:
    assert send("", Unread(), authorization=scheme).status == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
def test_only_post_requests_upload_a_picture(method: str) -> None:
    secret = token()
    headers = {"authorization": f"Bearer {secret}"}
    answer = asyncio.run(sent(request_response(UploadEndpoint()), "/", method, Unread(), headers))
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert send(secret).status == 200


def test_a_session_that_ends_during_the_upload_stores_nothing() -> None:
    issued = signed_in(person())
    secret = token(issued)

    async def ending(*arguments: object) -> object:
        with transaction() as session:
            sessions.end(session, issued.access_token)
        return await encode(*arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uploads, "encode", ending)
        assert send(secret).status == 403
    assert pictures() == []


def test_an_oversized_body_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = send(token(), Unread(), content_length=str(MOST_BYTES + 1))
    assert (answer.status, answer.json) == (413, {"error": texts.TOO_LARGE})
    monkeypatch.setattr(uploads, "MOST_BYTES", 1000)
    assert send(token(), [b"x" * 600, b"x" * 600, None]).status == 413
    assert send(token(), [b"x" * 600, b"x" * 600], content_length="10").status == 413


def test_an_interrupted_upload_stores_nothing() -> None:
    assert send(token(), [JPEG[:100], None]).status == 408
    assert pictures() == []


@pytest.mark.parametrize("limit", ["BODY_TIMEOUT", "BODY_PATIENCE"])
def test_a_stalled_upload_times_out(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, limit, 0.05)
    assert send(token(), Unread()).status == 408
    assert pictures() == []


@pytest.mark.parametrize(("rate", "status"), [(1, 200), (4_000, 408)])
def test_the_upload_time_limit_grows_with_the_received_bytes(
    rate: int, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "BODY_PATIENCE", 0.05)
    monkeypatch.setattr(uploads, "BYTES_PER_SECOND", rate)
    assert send(token(), [JPEG[:100], 0.1, JPEG[100:]]).status == status


OTHER_TYPE = "Only JPEG, PNG, WebP, AVIF and HEIC pictures can be used."


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "."),
        (b"no picture", OTHER_TYPE),
        (JPEG[: len(JPEG) // 2], "."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", OTHER_TYPE),
    ],
)
def test_a_file_that_is_no_picture_is_refused_with_a_message(body: bytes, message: str) -> None:
    answer = send(token(), [body])
    assert answer.status == 422
    assert answer.json["error"].endswith(message)
    assert pictures() == []


def test_a_failing_store_leaves_no_picture_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise StoreUnavailable("The store is away.", "written", "a test")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(storage.store()), "put", away)
        answer = send(token())
    assert (answer.status, answer.json) == (503, {"error": "The store is away."})
    assert pictures() == []
    assert send(token()).status == 200


def test_an_unavailable_database_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = token()

    def away(*_: object) -> None:
        raise sa.exc.OperationalError("", {}, Exception("away"))

    monkeypatch.setattr(uploads, "_use", away)
    answer = send(secret, Unread())
    assert answer.status == 503
    assert re.fullmatch(f"{texts.NOT_STORED} Please mention [0-9a-f]{{12}} if you report this.", answer.json["error"])


def test_concurrent_uploads_are_limited_per_user() -> None:
    endpoint, issued = UploadEndpoint(), signed_in(person())

    async def ten() -> list[Answer]:
        secrets = [token(issued) for _ in range(10)]
        return await asyncio.gather(*(send_soon(one, [JPEG], endpoint) for one in secrets))

    statuses = sorted(one.status for one in asyncio.run(ten()))
    assert statuses == [200] * uploads.MOST_OF_ONE_USER + [429] * (10 - uploads.MOST_OF_ONE_USER)
    assert len(pictures()) == 1
    assert send(token(issued), [JPEG], endpoint).status == 200


def test_concurrent_uploads_are_limited_for_the_whole_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_AT_ONCE", 0)
    answer = send(token())
    assert (answer.status, answer.json) == (503, {"error": texts.BUSY})


def test_a_slow_upload_does_not_block_other_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_AT_ONCE", 1)
    endpoint = UploadEndpoint()

    async def beside_a_slow_one() -> Answer:
        slow = asyncio.create_task(send_soon(token(), Unread(), endpoint))
        while not any(endpoint._running.values()):
            await asyncio.sleep(0)
        answer = await send_soon(token(), [JPEG], endpoint)
        slow.cancel()
        return answer

    assert asyncio.run(beside_a_slow_one()).status == 200


def test_an_aborted_upload_frees_its_slot() -> None:
    """One is being encoded, the others wait for the encoder."""
    endpoint, issued = UploadEndpoint(), signed_in(person())

    async def abort_and_send() -> list[int]:
        encodes, aborts = asyncio.Event(), asyncio.Event()

        async def endless(*_: object) -> None:
            encodes.set()
            await asyncio.Event().wait()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(uploads, "encode", endless)
            secrets = [token(issued) for _ in range(uploads.MOST_OF_ONE_USER)]
            running = [asyncio.create_task(send_soon(secret, [JPEG], endpoint, aborts)) for secret in secrets]
            await encodes.wait()
            aborts.set()
            aborted = await asyncio.gather(*running)
        return [answer.status for answer in (*aborted, await send_soon(token(issued), [JPEG], endpoint))]

    assert asyncio.run(abort_and_send()) == [408] * uploads.MOST_OF_ONE_USER + [200]
    assert len(pictures()) == 1


# The files


def get(name: str, **headers: str) -> Answer:
    return ask(request_response(MediaFiles()), f"{PREFIX}{name}", **headers)


@pytest.mark.spec("IMG-2")
def test_every_file_is_cached_for_a_year() -> None:
    address = send(token()).json["address"]
    kinds = {"avif": "image/avif", "webp": "image/webp", "jpg": "image/jpeg"}
    for name in file_names(key_of(address), 400):
        answer = get(name)
        assert (answer.status, answer.headers["content-type"]) == (200, kinds[name.rpartition(".")[2]])
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert get(name, if_none_match=answer.headers["etag"]).status == 304


@pytest.mark.spec("IMG-5", "IMG-6")
def test_a_placeholder_is_served_for_a_missing_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    known = send(token()).json["address"].removeprefix(PREFIX)

    def away(*_: object) -> None:
        raise StoreUnavailable("The store is away.", "written", "a test")

    unknown = ["0" * 32 + "-320.jpg", "nonsense", "..%2f..%2fsecret_key", known.replace("jpg", "svg"), known + "/x"]
    answers = [get(name) for name in unknown]
    answers.append(get(unknown[0], if_none_match=f'"{unknown[0]}"'))
    assert {one.status for one in answers} == {404}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(storage.store()), "get", away)
        answers.append(get(known))
    assert answers[-1].status == 503
    for one in answers:
        assert (one.headers["content-type"], one.headers["cache-control"]) == ("image/svg+xml", "no-store")
        assert one.body.startswith(b"<svg")
