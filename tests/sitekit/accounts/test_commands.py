"""The command line about accounts; passwords come by standard input."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisory_site.companies.models import Company
from sitekit.accounts import throttling
from sitekit.accounts.account_errors import InvalidToken
from sitekit.accounts.factors import factors
from sitekit.accounts.people import service
from sitekit.accounts.sessions import sessions
from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import TooManyAttempts
from tests.support.cli import Done, invoke
from tests.support.factories import add_company
from tests.support.people import PASSWORD, person, signed_in
from tests.support.second_factors import add_app

ROOT = Path(__file__).parents[3]


def in_a_process(*arguments: str, stdin: str = "") -> Done:
    return subprocess.run(
        [sys.executable, "-m", "advisory_site", *arguments],
        cwd=ROOT,
        env=dict(os.environ),
        input=stdin,
        capture_output=True,
        text=True,
    )


@pytest.mark.spec("AUTH-6")
def test_create_admin_reads_the_password_from_standard_input() -> None:
    done = in_a_process("create-admin", "boss@northstrait.example", stdin=f"{PASSWORD}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert PASSWORD not in done.stdout
    with read_session() as session:
        assert service.has_admin(session)


@pytest.mark.spec("AUTH-6")
def test_create_admin_reports_a_failure_in_one_sentence() -> None:
    done = in_a_process("create-admin", "boss@northstrait.example", stdin="password\n")
    assert done.returncode == 1
    assert done.stderr.strip() == "Password is too weak: it is one of the most commonly guessed passwords"


@pytest.mark.spec("ROLE-1", "USR-4")
def test_set_role_changes_a_role_but_not_of_the_last_admin() -> None:
    person("ann@northstrait.example")
    assert invoke("set-role", "ANN@northstrait.example", "admin").returncode == 0
    with read_session() as session:
        assert service.has_admin(session)
    refused = invoke("set-role", "ann@northstrait.example", "employee")
    assert refused.returncode == 1
    assert "last admin" in refused.stderr


@pytest.mark.spec("SES-6")
def test_sign_out_everywhere_ends_every_session() -> None:
    issued = signed_in(person("ann@northstrait.example"))
    assert "1 sessions ended" in invoke("sign-out-everywhere", "ann@northstrait.example").stdout
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, issued.access_token)
    assert invoke("sign-out-everywhere", "nobody@northstrait.example").returncode == 1


@pytest.mark.spec("USR-4", "SES-6")
def test_delete_account_removes_the_account_and_keeps_its_work() -> None:
    invoke("create-admin", "boss@northstrait.example", typed=f"{PASSWORD}\n")
    user_id = person("ann@northstrait.example")
    issued = signed_in(user_id)
    with transaction() as session:
        company_id = add_company(session, updated_by=user_id).id
    assert invoke("delete-account", "ANN@northstrait.example").returncode == 0
    with read_session() as session:
        company = session.get(Company, company_id)
        assert company is not None
        assert company.updated_by is None
        with pytest.raises(InvalidToken):
            sessions.identify(session, issued.access_token)
    again = invoke("delete-account", "ann@northstrait.example")
    assert (again.returncode, again.stderr.strip()) == (1, "There is no account for ann@northstrait.example.")


@pytest.mark.spec("USR-4")
def test_delete_account_refuses_the_last_admin() -> None:
    invoke("create-admin", "boss@northstrait.example", typed=f"{PASSWORD}\n")
    refused = invoke("delete-account", "boss@northstrait.example")
    assert refused.returncode == 1
    assert refused.stderr.startswith("The last admin cannot be deleted.")
    with read_session() as session:
        assert service.has_admin(session)


@pytest.mark.spec("AUTH-10")
def test_unlock_lets_a_locked_person_try_again() -> None:
    person("ann@northstrait.example")
    for _ in range(10):
        throttling.count((throttling.SIGN_IN_BY_ACCOUNT, "ann@northstrait.example"))
    with pytest.raises(TooManyAttempts):
        throttling.count((throttling.SIGN_IN_BY_ACCOUNT, "ann@northstrait.example"))
    done = invoke("unlock", "ANN@northstrait.example")
    assert (done.returncode, done.stdout.strip()) == (0, "ANN@northstrait.example can try again now.")
    throttling.count((throttling.SIGN_IN_BY_ACCOUNT, "ann@northstrait.example"))
    unknown = invoke("unlock", "nobody@northstrait.example")
    assert (unknown.returncode, unknown.stderr.strip()) == (1, "There is no account for nobody@northstrait.example.")


@pytest.mark.spec("MFA-5")
def test_reset_factors_lets_a_person_in_with_the_password_alone() -> None:
    ann = person()
    add_app(ann)
    done = invoke("reset-factors", "ANN@northstrait.example")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().endswith("Second factors removed: 1.")
    with read_session() as session:
        assert not factors.has_factor(session, ann)
    unknown = invoke("reset-factors", "nobody@northstrait.example")
    assert (unknown.returncode, unknown.stderr.strip()) == (1, "There is no account for nobody@northstrait.example.")
