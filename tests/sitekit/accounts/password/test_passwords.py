"""Which passwords are taken, and how they are kept."""

import sys
from typing import Any

import pytest

from sitekit.accounts.account_errors import WeakPassword
from sitekit.accounts.password.passwords import check_new_password, hash_password, is_password, needs_rehash, weaknesses
from sitekit.base.errors import InvalidInput
from tests.support.each import check_each

PERSONAL = ("Adeline", "Koh", "adeline.koh@northstrait.example")


@pytest.mark.spec("AUTH-5")
def test_a_password_has_at_least_6_characters() -> None:
    with pytest.raises(InvalidInput, match=r"^Password must be at least 6 characters$"):
        check_new_password("kX9#q", ())
    check_new_password("kX9#qv", ())


@pytest.mark.spec("AUTH-5")
def test_passwords_longer_than_bcrypt_allows_are_refused() -> None:
    def check(password: str) -> None:
        with pytest.raises(InvalidInput, match="72 characters or fewer"):
            check_new_password(password, ())

    check_each(["x9#Kq" * 15, "é" * 37, "a\0bcdefgh", "\U0001f332" * 19], check)


@pytest.mark.spec("AUTH-5", "SES-5")
def test_common_passwords_are_refused_with_the_reason() -> None:
    def check(password: str) -> None:
        with pytest.raises(WeakPassword) as refusal:
            check_new_password(password, ())
        assert refusal.value.reasons == ("it is one of the most commonly guessed passwords",)
        assert refusal.value.message.startswith("Password is too weak: ")

    check_each(["password", "Password1", "qwerty", "123456", "letmein!", "p@ssw0rd", "iloveyou"], check)


@pytest.mark.spec("AUTH-5")
def test_a_password_made_of_the_users_own_name_is_refused() -> None:
    def check(password: str) -> None:
        assert weaknesses(password, PERSONAL) == ["it contains your name or email address"]

    check_each(["adeline1", "Adeline.Koh", "koh2024adeline", "northstrait1"], check)


@pytest.mark.spec("AUTH-5")
def test_a_password_made_of_words_of_the_site_is_refused() -> None:
    def check(password: str) -> None:
        assert weaknesses(password, ()) == ["it is made up of the firm’s name or words that everyone here uses"]

    check_each(["northstrait", "Northstrait2026!", "admin-northstrait", "Advisor2026", "founder1!"], check)


@pytest.mark.spec("AUTH-5")
def test_a_common_word_with_a_year_or_a_mark_is_refused() -> None:
    def check(password: str) -> None:
        assert weaknesses(password, ()) == ["it is one of the most commonly guessed passwords"]

    check_each(["summer2026", "Winter2025!", "2026monday", "Sunshine99", "P@ssword2026", "!tiger!"], check)


@pytest.mark.spec("AUTH-5")
@pytest.mark.parametrize("password", ["aaaaaaaa", "ababababab"])
def test_a_password_of_two_repeated_characters_is_refused(password: str) -> None:
    assert weaknesses(password, ()) == ["it repeats the same few characters"]


@pytest.mark.spec("AUTH-5")
def test_good_passwords_are_accepted() -> None:
    def check(password: str) -> None:
        check_new_password(password, PERSONAL)

    cases = [
        "kX9#qv",
        "a-long-quiet-evening-42",
        "наша длинная фраза",
        "adeline-likes-40-ferns",
        "summer-83620472915",
    ]
    check_each(cases, check)


def _calls(password: str) -> int:
    """How many calls it takes to judge a password: a measure of work that is the same on every machine."""
    count = 0

    def note(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        weaknesses(password, PERSONAL)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.spec("AUTH-5", "AUTH-10")
@pytest.mark.parametrize(
    "password",
    [
        "4@a8b(c{c[<36g9!1i|7l+t0o5$s%x2z" * 2,
        "passwordpasswordpass" + "4@8({[<36&1!|7+0$5%9" * 2,
        "4@8({[<36&1!|7+0$5%" * 3,
    ],
)
def test_every_password_is_judged_quickly(password: str) -> None:
    assert _calls(password) < 3 * _calls("4@8({[<36&1!|7+0$5%9") < 1_000_000


@pytest.mark.spec("AUTH-5")
@pytest.mark.parametrize("password", ["passwordpasswordpass-kX9#qv2", "1234567890qwertyuiopferns in the hall"])
def test_a_long_password_may_contain_weak_parts(password: str) -> None:
    assert weaknesses(password, ()) == []
    assert weaknesses(password[:20], ()) != []
    assert weaknesses(password[:20] + "password", ()) != []


@pytest.mark.spec("AUTH-4")
def test_the_same_letters_typed_on_another_keyboard_are_the_same_password() -> None:
    assert is_password("cafe\u0301 noir", hash_password("caf\u00e9 noir", 4))


@pytest.mark.spec("AUTH-4")
def test_characters_beyond_72_bytes_are_not_ignored() -> None:
    longest = "x9#Kq-" * 12
    assert is_password(longest, hash_password(longest, 4))
    assert not is_password(longest + "y", hash_password(longest, 4))


def test_a_hash_of_a_lower_cost_needs_rehashing() -> None:
    assert needs_rehash(hash_password("kX9#qv", 4), 5)
    assert not needs_rehash(hash_password("kX9#qv", 5), 5)
