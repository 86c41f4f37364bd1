"""One-use links: who holds one reads nothing of its person in it."""

import base64

import pytest

from sitekit.accounts import one_use_links, tokens
from sitekit.accounts.account_errors import InvalidToken
from sitekit.base.db.database import transaction
from tests.conftest import on_sqlite
from tests.support.each import check_each
from tests.support.people import person, signed_in

pytestmark = [on_sqlite, pytest.mark.usefixtures("database")]


def decoded(token: str) -> bytes:
    """Everything in a token that base64 makes readable, and the token."""
    return b" ".join([token.encode(), *(base64.urlsafe_b64decode(f"{part}==") for part in token.split("."))])


@pytest.mark.spec("ACC-4")
def test_a_link_reveals_neither_its_session_nor_its_parameters() -> None:
    issued = signed_in(person())
    link = one_use_links.issue(issued.access_token, {"list": "personal-data.json", "address": "mei@elsewhere.example"})
    session_id = tokens.read(issued.access_token).session_id
    assert session_id.encode() in decoded(issued.access_token)
    for secret in (session_id, "mei@elsewhere", "address"):
        assert secret.encode() not in decoded(link)


@pytest.mark.parametrize("search", ["x" * 200, "\N{SEEDLING}" * 200, "\ud800"], ids=["letters", "symbols", "half"])
def test_a_link_can_hold_the_longest_search_in_any_script(search: str) -> None:
    subject = {"list": "companies", "search": search}
    link = one_use_links.issue(signed_in(person()).access_token, subject)
    with transaction() as session:
        assert one_use_links.use(session, link)[1] == subject


def test_a_token_is_accepted_only_as_it_was_issued() -> None:
    issued = signed_in(person())
    access = issued.access_token
    link, again = one_use_links.issue(access, {"draft": "7"}), one_use_links.issue_pass(access, {"draft": "7"})

    def check(change: tuple[str, str]) -> None:
        before, behind = change
        with transaction() as session:
            for use, token in ((one_use_links.use, link), (one_use_links.use_pass, again)):
                for changed in (before + token + behind, f"{token[:20]}{behind}{token[20:]}"):
                    if changed != token:
                        with pytest.raises(InvalidToken):
                            use(session, changed)
        with pytest.raises(InvalidToken):
            tokens.read(before + access + behind)

    check_each([("", text) for text in ("=", "x", "=x", "==", "\n", " ", "!", "&token=1", "%3D", "=" * 99)], check)
    check_each([(" ", ""), ("\n", ""), ("!", "")], check)
    last = access[-1]
    for other in {chr(ord(last) + 1), chr(ord(last) - 1)} & set("BCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"):
        with pytest.raises(InvalidToken):
            tokens.read(access[:-1] + other)
    with transaction() as session:
        assert one_use_links.use(session, link)[1] == one_use_links.use_pass(session, again)[1] == {"draft": "7"}
    assert tokens.read(access)


def test_a_pass_works_again_and_is_no_link() -> None:
    token = one_use_links.issue_pass(signed_in(person()).access_token, {"draft": "7"})
    with transaction() as session:
        assert [one_use_links.use_pass(session, token)[1] for _ in range(2)] == [{"draft": "7"}] * 2
        with pytest.raises(InvalidToken):
            one_use_links.use(session, token)
