"""Recovery codes: ten, used once each, in any way of typing them, whatever becomes of the secret setting."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import tokens
from sitekit.accounts.factors import recovery_codes
from sitekit.accounts.models import RecoveryCode
from sitekit.base.db.database import read_session, transaction
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.records import activity
from tests.sitekit.accounts.steps import use as use_setting
from tests.support.each import check_each
from tests.support.people import person
from tests.support.second_factors import add_recovery_codes

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("MFA-3")]


def used(user_id: int, typed: object) -> bool:
    with transaction() as session:
        activity.log(session, AuditEvent.RECOVERY_CODE_USED, by=user_id)
        return recovery_codes.use(session, user_id, typed)


def left(user_id: int) -> int:
    with read_session() as session:
        return recovery_codes.count_left(session, user_id)


def test_ten_recovery_codes_are_stored_as_hashes() -> None:
    made = add_recovery_codes(person())
    assert len(set(made)) == 10
    with read_session() as session:
        kept = " ".join(session.execute(sa.select(col(RecoveryCode.code_hash))).scalars())
    assert not any(code in kept or code.replace("-", "") in kept for code in made)


def test_each_recovery_code_is_used_once_by_its_owner() -> None:
    ann, mei = person(), person("mei@northstrait.example")
    first, second, *_ = add_recovery_codes(ann)
    assert not used(mei, first)
    assert (used(ann, first), used(ann, first), left(ann)) == (True, False, 9)
    assert (used(ann, second), left(ann)) == (True, 8)


def test_new_recovery_codes_replace_the_old() -> None:
    ann = person()
    old, new = add_recovery_codes(ann), add_recovery_codes(ann)
    assert left(ann) == 10
    assert (used(ann, old[0]), used(ann, new[0])) == (False, True)


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        lambda code: code.replace("-", " "),
        lambda code: code.replace("-", ""),
        lambda code: f" {code}\n",
        lambda code: code.replace("1", "l").replace("0", "O"),
        lambda code: code.translate({ord(str(n)): 0x0660 + n for n in range(10)}),
        lambda code: code.translate({ord(sign): ord(sign) + 0xFEE0 for sign in recovery_codes.ALPHABET}),
    ],
    ids=["upper case", "spaces", "in one", "around it", "look-alikes", "Arabic digits", "full width"],
)
def test_recovery_codes_are_read_in_the_spellings_people_type(change: Callable[[str], str]) -> None:
    ann = person()
    code = "0101-2345-6789-abcd"
    with transaction() as session:
        session.add(RecoveryCode(user_id=ann, code_hash=tokens.hashed(code.replace("-", ""))))
    assert used(ann, change(code))


def test_malformed_recovery_codes_are_refused() -> None:
    ann = person()
    add_recovery_codes(ann)

    def check(typed: object) -> None:
        assert (used(ann, typed), left(ann)) == (False, 10)

    check_each(["", " ", "-", "guessed", "x" * 100_000, "\ud800", None, 7, []], check)


def test_concurrent_uses_of_a_recovery_code_succeed_once() -> None:
    ann = person()
    code = add_recovery_codes(ann)[0]
    with ThreadPoolExecutor(max_workers=8) as threads:
        results = list(threads.map(lambda _: used(ann, code), range(8)))
    assert (sum(results), left(ann)) == (1, 9)


def test_recovery_codes_survive_a_change_of_the_secret_key(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person()
    code = add_recovery_codes(ann)[0]
    use_setting(monkeypatch, "SECRET_KEY", "fedcba9876543210" * 2)
    assert used(ann, code)
