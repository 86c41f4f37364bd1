"""What is held about an address on the demo firm: found in every table, exported, erased, and what stays."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest
import sqlalchemy as sa

from advisory_site.advisors.service import ADVISORS
from advisory_site.enquiries.models import columns as enquiries
from sitekit.accounts.people import service
from sitekit.accounts.personal_data import texts
from sitekit.accounts.personal_data.documents import FILES, HTML, JSON
from sitekit.accounts.personal_data.erasure import erase, erase_address, look_up, outcome_of
from sitekit.accounts.personal_data.rules import rules
from sitekit.accounts.personal_data.search import SHOWN, Survey, person_of, survey
from sitekit.base.db.database import now, read_session, transaction, truncate_wal
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound
from sitekit.base.permissions import Actor, Role
from sitekit.ops.tables import metadata
from sitekit.records.activity import columns as activity
from sitekit.records.personal_data import Relation
from tests.conftest import on_sqlite
from tests.sitekit.accounts.personal_data.traces import ANN, OTHERS, PUBLIC, RECORDS, left, write_everywhere
from tests.support import factories
from tests.support.each import check_each
from tests.support.people import person

pytestmark = pytest.mark.spec("ACC-4")


@pytest.fixture
def admin(database: object) -> Actor:
    with transaction() as session:
        return factories.add_actor(session, Role.ADMIN, first_name="Wei", last_name="Tan")


def survey_of(address: str) -> Survey:
    with read_session() as session:
        return survey(session, person_of(session, address))


def counts(seen: Survey) -> dict[str, dict[Relation, int]]:
    return {found.rule.title: dict(found.counts) for found in seen.groups}


def test_an_address_is_found_in_every_table(admin: Actor) -> None:
    write_everywhere(admin)
    found = counts(survey_of(f"  {ANN.upper()} "))
    theirs, mentioned, author = Relation.THEIRS, Relation.MENTIONED, Relation.AUTHOR
    assert set(found) == {rule.title for rule in rules()}
    assert found["Enquiries"] == {theirs: 1, mentioned: 1}
    assert found["What was done with enquiries"] == {theirs: 1, mentioned: 2}
    assert found["Emails sent or waiting"] == {theirs: 2, mentioned: 1}
    assert found["Sign-ins and messages, counted for limits"] == {theirs: 2}
    assert found["Companies"] == {theirs: 1, author: 1}
    assert found["Deleted records in the trash"] == {mentioned: 4}
    assert found["Pictures"] == {mentioned: 1}


def test_erasure_removes_and_keeps_the_listed_tables(admin: Actor) -> None:
    user_id = write_everywhere(admin)
    with read_session() as session:
        assert set(left(session)) == {one.source.name for one in rules()} - {
            "attempts",
            "auth_factors",
            "auth_sessions",
            "credentials",
            "preview_links",
            "recovery_codes",
            "refresh_tokens",
            "sign_in_challenges",
            "sign_ups",
            "stage_owners",
            "user_roles",
        }
    before = survey_of(ANN)
    with transaction() as session:
        outcome = erase(session, admin, ANN)
    assert outcome == outcome_of(before, texts.DONE)
    with read_session() as session:
        stays = left(session)
        assert set(stays) == PUBLIC
        # Of each type the public record, and its present version; the draft, and the name of the picture.
        assert {table: len(values) for table, values in stays.items()} == dict.fromkeys(
            (*RECORDS, "media", "proposals"), 1
        ) | {"revisions": len(RECORDS)}
        for name in (
            "credentials",
            "user_roles",
            "sign_ups",
            "auth_sessions",
            "mailed_links",
            "auth_factors",
            "recovery_codes",
        ):
            key = metadata.tables[name].c.user_id
            assert session.execute(sa.select(key).where(key == user_id)).first() is None, name
        assert session.execute(sa.select(metadata.tables["refresh_tokens"])).first() is None
        assert session.execute(sa.select(metadata.tables["attempts"])).first() is None
        kept = session.execute(sa.select(enquiries.email, enquiries.message)).all()
        assert ("bob@x.example", "As [erased] said, hello.") in kept
        assert set(OTHERS) < {email for email, _ in kept}
        acts = session.execute(sa.select(activity.by_name, activity.act, activity.subject)).all()
    assert ("[erased]", "sign_in_failed", "") in acts
    assert ("Wei Tan", "role_changed", "[erased] is manager") in acts
    assert ("Ann Lim", "names_changed", "Ann Lee") in acts
    assert ("Wei Tan", "personal_data_erased", f"{before.total} rows") in acts


def test_kept_rows_are_listed_with_a_reason_and_a_page(admin: Actor) -> None:
    write_everywhere(admin)
    seen = survey_of(ANN)
    stays = "\n".join(outcome_of(seen).stays)
    for title in ("company", "team member", "advisor", "picture", "activity", "Backups", "Server logs"):
        assert title in stays
    for found in seen.groups:
        if found.rule.title in ("Companies", "Pictures", "Enquiries", "Older versions of records"):
            assert all(held.page.startswith("/admin") for held in found.rows)


def test_nothing_is_left_after_the_record_is_deleted(admin: Actor) -> None:
    with transaction() as session:
        advisor = factories.add_advisor(session, email=ANN).id
        factories.add_enquiry(session, email=ANN)
    with transaction() as session:
        erase(session, admin, ANN)
    assert counts(survey_of(ANN)) == {
        "Advisors": {Relation.THEIRS: 1},
        "Present versions of records": {Relation.MENTIONED: 1},
    }
    with transaction() as session:
        ADVISORS.delete(session, admin, advisor)
    with transaction() as session:
        erase(session, admin, ANN)
    with read_session() as session:
        assert left(session) == {}


@on_sqlite
def test_the_database_file_has_no_trace_after_erasure(admin: Actor, database_dir: Path) -> None:
    person(ANN)
    with transaction() as session:
        factories.add_enquiry(session, email=ANN, message="x" * 9_000 + ANN)
    with transaction() as session:
        erase(session, admin, ANN)
    truncate_wal()
    with closing(sqlite3.connect(database_dir / "advisory.db")) as connection:
        assert ANN not in "\n".join(connection.iterdump()).lower()
    assert ANN.encode() not in (database_dir / "advisory.db").read_bytes().lower()


def test_a_failed_erasure_erases_nothing(admin: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    write_everywhere(admin)
    before = counts(survey_of(ANN))

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("sitekit.accounts.personal_data.erasure.activity.log", fails)
    with pytest.raises(RuntimeError), transaction() as session:
        erase_address(session, ANN)
    assert counts(survey_of(ANN)) == before


@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE, None])
def test_only_admins_can_look_up_export_or_erase(admin: Actor, role: Role | None) -> None:
    person(ANN)
    actor = Actor(admin.user_id, role) if role else None
    with transaction() as session:
        for act in (look_up, erase, *(one.read for one in FILES.values())):
            with pytest.raises(Forbidden):
                act(session, actor, ANN)  # type: ignore[arg-type]


def test_nobody_erases_the_last_admin_or_their_own_account(admin: Actor) -> None:
    other = "other@firm.example"
    with transaction() as session:
        boss = factories.add_actor(session, Role.ADMIN, email=other)
        with pytest.raises(Conflict, match="your own account"):
            erase(session, boss, other.upper())
    with transaction() as session:
        service.set_role(session, admin.user_id, Role.EMPLOYEE)
    with pytest.raises(Conflict, match="last admin"), transaction() as session:
        erase_address(session, other)
    assert counts(survey_of(other))["Account"] == {Relation.THEIRS: 1}


def test_an_invalid_address_is_refused(admin: Actor) -> None:
    def check(case: tuple[object, Callable[..., object]]) -> None:
        text, act = case
        with transaction() as session, pytest.raises(InvalidInput):
            act(session, admin, text)

    check_each(
        product(["", "ann", "a@b", "two@x.com, three@x.com", None, 7, ANN * 20, "a@x.com\nb@x.com"], [look_up, erase]),
        check,
    )


def test_an_unknown_address_is_not_found(admin: Actor) -> None:
    def check(address: str) -> None:
        with transaction() as session:
            factories.add_enquiry(session, email="bob@x.example", message="\u674e@x.example")
            assert look_up(session, admin, address).groups == ()
            with pytest.raises(NotFound, match="Nothing is held"):
                erase(session, admin, address)

    check_each(["nobody@x.example", "%%@x.example", "_@x.co", "\u738b@x.example"], check)


class Reader(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_both_export_files_have_every_row_and_no_secret(admin: Actor) -> None:
    write_everywhere(admin)
    with transaction() as session:
        factories.add_enquiry(session, email=ANN, message="<script>alert(1)</script> & more")
    seen = survey_of(ANN)
    with read_session() as session:
        written = b"".join(JSON.read(session, admin, ANN)).decode()
        page = b"".join(HTML.read(session, admin, ANN)).decode()
        secrets = [
            *session.execute(sa.select(metadata.tables["credentials"].c.password_hash)).scalars(),
            *session.execute(sa.select(metadata.tables["refresh_tokens"].c.token_hash)).scalars(),
            *session.execute(sa.select(metadata.tables["mailed_links"].c.token_hash)).scalars(),
            *session.execute(sa.select(metadata.tables["auth_sessions"].c.id)).scalars(),
            *session.execute(sa.select(metadata.tables["attempts"].c.key)).scalars(),
        ]
    read = json.loads(written)
    assert read["email"] == ANN
    assert {one["what"]: len(one["rows"]) for one in read["held"]} == {
        found.rule.title: found.counts.total() for found in seen.groups
    }
    html = Reader(page)
    assert html.tags.count("article") == seen.total and "script" not in html.tags
    assert "<script>alert(1)</script> & more" in html.text
    assert "@media print" in page and "http" not in page.partition("<body>")[0]
    assert secrets and not [one for one in secrets if one in written or one in page]
    # The name in their own invitation, and not in the one that they sent.
    assert "Invited 0" in written and "Invited 0" in page and "Invited 1" not in written + page
    # Of another person's enquiry only the passage with the address.
    assert "bob@x.example" not in written and "said, hello" in written


def test_ten_thousand_rows_are_counted_and_one_page_is_shown(admin: Actor) -> None:
    table = metadata.tables["activity"]
    row = {"by_name": ANN, "act": "sign_in_failed", "subject": "", "of_table": "", "network": "", "searched": ANN}
    with transaction() as session:
        session.execute(sa.insert(table), [row | {"at": now()} for _ in range(10_000)])
    (found,) = survey_of(ANN).groups
    assert (found.counts.total(), len(found.rows)) == (10_000, SHOWN)
    with read_session() as session:
        assert sum(1 for _ in JSON.read(session, admin, ANN)) > 10_000
    with transaction() as session:
        erase(session, admin, ANN)
    with read_session() as session:
        assert left(session) == {}
