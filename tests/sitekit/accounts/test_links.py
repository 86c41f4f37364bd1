"""Secrets in the table of links: for one purpose, one user and one browser, used once."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import links, tokens
from sitekit.accounts.email import email_change
from sitekit.accounts.models import EmailChange, LinkPurpose, Profile, SecretLink, SignInChallenge
from sitekit.base.db.database import now, read_session, transaction
from tests.support.each import check_each
from tests.support.people import person

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("AUTH-7")]
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def callers_log(unlogged_changes: list[str]) -> Iterator[None]:
    """What a link is for is logged by its callers, and not here."""
    yield
    unlogged_changes.clear()


def issued(user_id: int | None = None, purpose: LinkPurpose = LinkPurpose.RECOVER, tab: str = "") -> str:
    with transaction() as session:
        return links.issue(session, purpose, HOUR, user_id, subject="kept", binding=tab)


def used(secret: object, purpose: LinkPurpose = LinkPurpose.RECOVER, tab: str = "") -> bool:
    with transaction() as session:
        link = links.use(session, purpose, secret, tab)
        assert link is None or link.subject == "kept"
        return link is not None


def test_a_link_is_used_only_as_it_was_issued() -> None:
    ann = person()
    secret, bound, nobodys = issued(ann), issued(ann, tab="tab"), issued()
    cases: dict[str, tuple[Callable[[], bool], bool]] = {
        "another purpose": (lambda: used(secret, LinkPurpose.VERIFY), False),
        "another browser": (lambda: used(secret, tab="tab"), False),
        "another browser than its own": (lambda: used(bound, tab="other"), False),
        "no browser": (lambda: used(bound), False),
        "the digest": (lambda: used(tokens.hashed(secret)), False),
        "no text": (lambda: used(None), False),
        "nothing": (lambda: used(""), False),
        "too long": (lambda: used(secret * 100_000), False),
        "rightly": (lambda: used(secret), True),
        "again": (lambda: used(secret), False),
        "in its browser": (lambda: used(bound, tab="tab"), True),
        "of nobody": (lambda: used(nobodys), True),
    }

    def check(name: str) -> None:
        act, is_used = cases[name]
        assert act() is is_used

    check_each(cases, check)


def test_of_two_uses_at_once_one_succeeds() -> None:
    secret = issued(person())
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(used, [secret] * 4)) == [False, False, False, True]


def test_a_deactivated_user_can_use_no_link() -> None:
    ann = person()
    secret = issued(ann)
    with transaction() as session:
        session.get_one(Profile, ann).deactivated_at = now()
    assert not used(secret)


def test_only_the_named_purposes_of_a_user_are_revoked() -> None:
    ann, bob = person(), person("bob@northstrait.example")
    recover, verify, bobs = issued(ann), issued(ann, LinkPurpose.VERIFY), issued(bob)
    with transaction() as session:
        links.revoke(session, ann, LinkPurpose.RECOVER)
    assert (used(recover), used(verify, LinkPurpose.VERIFY), used(bobs)) == (False, True, True)
    again = issued(ann)
    with transaction() as session:
        links.revoke(session, ann)
    assert not used(again)


def test_what_the_former_release_still_stores_is_taken_over_once() -> None:
    ann, at = person(), now()
    with transaction() as session:
        change = EmailChange(
            user_id=ann, new_email="new@kelp.example", token_hash=tokens.hashed("x"), expires_at=at + HOUR
        )
        session.add(change)
        for name, expires in (("old", at - HOUR), ("waits", at + HOUR)):
            session.add(SignInChallenge(token_hash=name, purpose="passkey", browser="x", expires_at=expires))
    for count in (2, 0):
        with transaction() as session:
            assert links.move_former(session, at, 10) == count
    assert email_change.find_wanted("x").email == "new@kelp.example"
    with read_session() as session:
        assert session.execute(sa.select(col(SignInChallenge.token_hash))).scalars().all() == ["waits"]
        assert session.execute(sa.select(sa.func.count()).select_from(SecretLink)).scalar() == 1
