"""Migrations: upgrade and downgrade, and a schema equal to the tables in the code."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.command import check
from alembic.config import Config
from sqlmodel import col

from advisory_site.companies.models import Company
from advisory_site.companies.service import COMPANIES
from advisory_site.enquiries.models import columns as enquiries
from advisory_site.team.models import TeamMember
from sitekit.accounts import links, tokens
from sitekit.accounts.account_errors import ChallengeOver, InvalidToken
from sitekit.accounts.email import email_change
from sitekit.accounts.factors import challenges
from sitekit.accounts.form_data import AcceptanceData, NewPasswordData
from sitekit.accounts.invitations import acceptance
from sitekit.accounts.models import (
    AuthFactor,
    AuthSession,
    EmailChange,
    FactorKind,
    Invitation,
    LinkPurpose,
    Profile,
    RecoveryCode,
    SecretLink,
    SignInChallenge,
)
from sitekit.accounts.password import recovery
from sitekit.base.db import database
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.db.migrations import migrate, migrate_down
from sitekit.base.permissions import Actor, Role
from sitekit.ops import tables
from sitekit.records import history, preview_links, saving
from sitekit.records.pictures.addresses import address_of
from sitekit.records.pictures.uses import versions_using
from sitekit.records.proposals import PreviewLink
from sitekit.records.revisions import PICTURES
from sitekit.records.snapshots import values_of
from tests.conftest import ROOT, on_postgresql, on_sqlite, use
from tests.support import factories
from tests.support.people import PASSWORD, person, signed_in
from tests.support.record_types import SAMPLES, Sample
from tests.support.second_factors import add_app, code_of


def table_names() -> set[str]:
    return set(sa.inspect(database.engine()).get_table_names())


@pytest.mark.spec("DATA-2")
def test_migrations_run_from_empty_to_head_and_back(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url)
    migrate()
    assert table_names() == set(tables.metadata.tables) | {"alembic_version"}
    migrate_down("base")
    assert table_names() == {"alembic_version"}
    migrate()
    assert set(tables.metadata.tables) <= table_names()


@on_postgresql
@pytest.mark.spec("DATA-2", "DATA-3")
def test_a_role_that_is_no_superuser_migrates_up_and_down(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = sa.make_url(empty_database_url)
    admin = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql("CREATE ROLE modest LOGIN PASSWORD 'modest' NOSUPERUSER")
        connection.exec_driver_sql(f'ALTER DATABASE "{url.database}" OWNER TO modest')
    modest = url.set(username="modest", password="modest").render_as_string(hide_password=False)
    use(monkeypatch, tmp_path / "data", DATABASE_URL=modest)
    migrate()
    with read_session() as session:
        assert session.execute(sa.select(sa.func.fold("\u0141\u00f3d\u017a"))).scalar() == "lodz"
    migrate_down("0023")
    migrate()
    database.engine().dispose()
    with admin.connect() as connection:
        connection.exec_driver_sql("REASSIGN OWNED BY modest TO CURRENT_USER")
        connection.exec_driver_sql("DROP OWNED BY modest; DROP ROLE modest")
    admin.dispose()


@pytest.mark.spec("DATA-2", "SES-2")
def test_a_downgrade_and_upgrade_keeps_people_and_their_last_sign_in(database_dir: Path) -> None:
    ann, idle = person(), person("idle@northstrait.example")
    signed_in(ann)
    migrate_down("0006")
    migrate()
    with read_session() as session:
        last = {row.id: row.last_signed_in_at for row in session.execute(sa.select(Profile)).scalars()}
        begun = session.execute(sa.select(col(AuthSession.created_at))).scalar_one()
    assert last == {ann: begun, idle: None}


@pytest.mark.spec("DATA-2", "IMG-4")
def test_a_migration_finds_the_pictures_in_revisions(database_dir: Path) -> None:
    first, second, actor = "a" * 32, "b" * 32, Actor(person(), Role.EMPLOYEE)
    with transaction() as session:
        member = factories.add_member(session, name="Ann", image_url=f"/media/{first}-960.jpg")
    with transaction() as session:
        text = f"See /media/{second}-320.jpg and /media/{second}-960.jpg"
        values = {"image_url": factories.IMAGE, "bio": text}
        saving.write(session, session.get_one(TeamMember, member.id), values, actor)
    migrate_down("0013")
    migrate()
    with read_session() as session:
        found = [[use.name for use in versions_using(session, key)] for key in (first, second, "c" * 32)]
        count = session.execute(sa.select(sa.func.count()).select_from(PICTURES)).scalar_one()
    assert (found, count) == ([["Ann"], ["Ann"], []], 2)


@pytest.mark.spec("DATA-2", "MFA-1")
def test_a_migration_dates_the_reauthentication_of_old_sessions_at_their_start(database_dir: Path) -> None:
    ann = person()
    signed_in(ann)
    with transaction() as session:
        session.add(AuthFactor(user_id=ann, kind=FactorKind.APP, name="Phone", secret="x"))
        session.add(RecoveryCode(user_id=ann, code_hash="x"))
        session.add(SignInChallenge(user_id=ann, token_hash="x", purpose="factor", browser="x", expires_at=now()))
    migrate_down("0009")
    migrate()
    with read_session() as session:
        kept = session.execute(sa.select(AuthSession)).scalar_one()
        assert (kept.has_factor, kept.proved_at) == (False, kept.created_at)
        assert session.execute(sa.select(col(AuthFactor.id))).all() == []


@pytest.mark.spec("DATA-2", "ACC-2")
def test_a_downgrade_does_not_let_deactivated_people_in(database_dir: Path) -> None:
    ann, bob = person(), person("bob@northstrait.example")
    with transaction() as session:
        session.get_one(Profile, ann).deactivated_at = now()
        session.add(EmailChange(user_id=bob, new_email="x@northstrait.example", token_hash="x", expires_at=now()))
    migrate_down("0010")
    with read_session() as session:
        # Without a role, no session of theirs is accepted.
        assert session.execute(sa.text("SELECT user_id FROM user_roles")).all() == [(bob,)]
    migrate()
    with read_session() as session:
        assert session.execute(
            sa.select(col(Profile.id), col(Profile.deactivated_at)).order_by(col(Profile.id))
        ).all() == [
            (ann, None),
            (bob, None),
        ]


@pytest.mark.spec("DATA-2", "HIST-1")
def test_a_migration_composes_texts_and_removes_what_is_invisible_at_their_ends(database_dir: Path) -> None:
    actor = Actor(person(), Role.EMPLOYEE)
    dirty = {"name": "\u200bCafe\u0301 \u2060", "industry": "Energy\u200b", "services": ["Cafe\u0301s\ufeff", "Tea"]}
    kept = {"tagline": "a\u200bb", "description": "\n Stays.\n", "location": "\u2764\ufe0f"}
    with transaction() as session:
        company = factories.add_company(session, **dirty, **kept, logo_url=f"/media/{'a' * 32}-960.jpg").id
        clean = factories.add_company(session, name="Clean").id
        factories.add_enquiry(session, email="\u202amei@firm.example\u202c")
    migrate_down("0023")
    migrate()
    with read_session() as session:
        record, [enquiry] = session.get_one(Company, company), session.execute(sa.select(enquiries.email)).scalars()
        assert (record.name, record.industry, record.services) == ("Caf\u00e9", "Energy", ["Caf\u00e9s", "Tea"])
        assert {name: getattr(record, name) for name in kept} == kept
        assert enquiry == "mei@firm.example"
        lines = history.list_revisions(session, actor, COMPANIES, company)
        assert (lines[0].number, lines[0].label, lines[0].via) == (record.version, "Caf\u00e9", "command")
        assert sorted(lines[0].changed) == ["industry", "name", "services"]
        snapshot = history.get_snapshot(session, actor, COMPANIES, company, 2)
        assert values_of(Company, snapshot)["services"] == ["Caf\u00e9s", "Tea"]
        assert session.execute(sa.select(sa.func.count()).select_from(PICTURES)).scalar_one() == 2
        assert len(history.list_revisions(session, actor, COMPANIES, clean)) == 1
    migrate_down("0023")
    migrate()
    with read_session() as session:
        assert session.get_one(Company, company).version == 2


@pytest.mark.spec("DATA-2", "CON-6")
def test_a_migration_folds_the_texts_of_enquiries(database_dir: Path) -> None:
    with transaction() as session:
        searched = [factories.add_enquiry(session, message=text).searched for text in ("L’été", "It’s A\ntest", "")]
    migrate_down("0024")
    migrate()
    with read_session() as session:
        assert session.execute(sa.select(enquiries.searched).order_by(enquiries.id)).scalars().all() == searched


@pytest.mark.spec("DATA-2", "IMG-2")
def test_a_migration_turns_focal_points_into_crops(database_dir: Path) -> None:
    with transaction() as session:
        moved, middle = factories.add_picture(session, focal_x=30, focal_y=0), factories.add_picture(session)
        first, second = (address_of(one.key, one.width) for one in (moved, middle))
        advisor = factories.add_advisor(session, image_url=first, cover_image_url=first, bio=f"See {first}").id
        member = factories.add_member(session, image_url=second).id
        company = factories.add_company(session, logo_url=first, mark_url=first).id

    def addresses() -> list[str]:
        with read_session() as session:
            one = session.execute(sa.text(f"SELECT image_url, cover_image_url, bio FROM advisors WHERE id = {advisor}"))
            other = session.execute(sa.text(f"SELECT image_url FROM team_members WHERE id = {member}"))
            third = session.execute(sa.text(f"SELECT logo_url FROM companies WHERE id = {company}"))
            return [*one.one(), *other.one(), *third.one()]

    migrate_down("0018")
    assert addresses() == [first, first, f"See {first}", second, first]
    migrate()
    assert addresses() == [f"{first}#30,0", f"{first}#30,0", f"See {first}", second, first]
    migrate_down("0018")
    assert addresses() == [first, first, f"See {first}", second, first]


@pytest.mark.spec("DATA-2", "AUTH-7")
def test_secrets_that_were_sent_before_the_table_of_links_work_once(database_dir: Path) -> None:
    boss, ann = person("boss@northstrait.example", Role.ADMIN), person()
    forgetful, app, soon = person("bob@northstrait.example"), add_app(ann), now() + timedelta(minutes=4)
    with transaction() as session:
        draft = factories.add_draft(session, inputs={"name": "Kelp"}, by=ann)
        of: dict[str, Any] = {"proposal_id": draft.id, "of_table": draft.of_table, "nonce": "x", "by": ann}
        session.add(PreviewLink(**of, digest=tokens.hashed("preview"), expires_at=soon))
        invited: dict[str, Any] = {"email": "eve@northstrait.example", "role": "employee", "invited_by": boss}
        session.add(Invitation(**invited, sent_at=now(), token_hash=tokens.hashed("invitation"), expires_at=soon))
    migrate_down("0027")
    mailed, changes, waiting = (
        sa.Table(name, sa.MetaData(), autoload_with=database.engine())
        for name in ("mailed_links", "email_changes", "sign_in_challenges")
    )
    with transaction() as session:
        recovery_link = {"token_hash": tokens.hashed("recovery"), "user_id": forgetful, "purpose": "recover"}
        session.execute(sa.insert(mailed).values(**recovery_link, expires_at=soon))
        change = {"token_hash": tokens.hashed("change"), "user_id": ann, "new_email": "ann@kelp.example"}
        session.execute(sa.insert(changes).values(**change, expires_at=soon))
        challenge = {"token_hash": tokens.hashed("challenge"), "user_id": ann, "purpose": "factor"}
        browser = {"browser": tokens.hashed("tab"), "tries": 0, "webauthn_challenge": ""}
        session.execute(sa.insert(waiting).values(**challenge, **browser, expires_at=soon))
    migrate()
    password, address = NewPasswordData(password="another-quiet-morning-17"), "203.0.113.7"
    names = AcceptanceData(first_name="New", last_name="Lee", password=password.password)
    uses: dict[str, Callable[[], object]] = {
        "challenge": lambda: challenges.answer("challenge", "tab", code_of(app)),
        "change of email": lambda: email_change.confirm("change", PASSWORD, address),
        "recovery": lambda: recovery.recover("recovery", password, address),
        "invitation": lambda: acceptance.accept("invitation", names, address),
    }
    for use_secret in uses.values():
        assert use_secret()
        with pytest.raises((ChallengeOver, InvalidToken)):
            use_secret()
    with read_session() as session:
        assert preview_links.find(session, "preview", is_opened=False) == (draft.id, "")
        for former in ("email_changes", "sign_in_challenges"):
            assert session.execute(sa.select(sa.func.count()).select_from(tables.metadata.tables[former])).scalar() == 0


@pytest.mark.spec("DATA-2", "ACC-1")
def test_a_downgrade_keeps_a_change_of_email_that_waits(database_dir: Path, unlogged_changes: list[str]) -> None:
    ann = person()
    with transaction() as session:
        links.issue(session, LinkPurpose.CHANGE_EMAIL, timedelta(hours=1), ann, subject="ann@kelp.example")
        links.issue(session, LinkPurpose.PASSKEY, timedelta(hours=1), binding="tab")
    unlogged_changes.clear()
    migrate_down("0027")
    with read_session() as session:
        assert session.execute(sa.text("SELECT user_id, new_email FROM email_changes")).all() == [
            (ann, "ann@kelp.example")
        ]
        assert session.execute(sa.text("SELECT purpose FROM mailed_links")).all() == []
    migrate()
    with read_session() as session:
        assert email_change.waiting_address(session, ann) == "ann@kelp.example"


@pytest.mark.spec("MFA-1")
@pytest.mark.parametrize(
    ("table", "column"), [("auth_factors", "kind"), ("sign_in_challenges", "purpose"), ("mailed_links", "purpose")]
)
def test_the_database_refuses_unknown_enum_values(database_dir: Path, table: str, column: str) -> None:
    ann = person()
    with transaction() as session:
        session.add(AuthFactor(user_id=ann, kind=FactorKind.PASSKEY, name="Key", credential_id="x"))
        session.add(SignInChallenge(token_hash="x", purpose="passkey", browser="x", expires_at=now()))
        session.add(SecretLink(token_hash="x", purpose="passkey", expires_at=now()))
    with pytest.raises(sa.exc.IntegrityError), transaction() as session:
        session.execute(sa.text(f"UPDATE {table} SET {column} = 'other'"))


@pytest.mark.spec("DATA-2", "HIST-1")
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_migration_gives_existing_records_a_first_revision(database_dir: Path, sample: Sample) -> None:
    ann = person()
    actor = Actor(ann, Role.EMPLOYEE)
    with transaction() as session:
        saved = sample.record_type.create(session, actor, sample.data(name="Ann \N{LATIN SMALL LETTER E WITH ACUTE}"))
    with transaction() as session:
        saving.write(session, session.get_one(sample.record_type.table, saved), {"name": "Bo"}, actor)
        untouched = sample.add(session, name="Cy").id
    with read_session() as session:
        after = history.get_snapshot(session, actor, sample.record_type, saved, 2)
    migrate_down("0007")
    migrate()
    with transaction() as session:
        [first] = history.list_revisions(session, actor, sample.record_type, saved)
        assert (first.number, first.label, first.by_name, first.via) == (1, "Bo", "Ann Lim", "back office")
        # Columns that came later are not in the revision; they are read with their defaults.
        before = history.get_snapshot(session, actor, sample.record_type, saved, 1)
        assert values_of(sample.record_type.table, before) == values_of(sample.record_type.table, after)
        [other] = history.list_revisions(session, actor, sample.record_type, untouched)
        assert (other.number, other.by_name, other.via) == (1, "", "command")
        record = session.get_one(sample.record_type.table, saved)
        assert record.version == 1
        saving.write(session, record, {"name": "Dee"}, actor)
        session.flush()
        assert [one.number for one in history.list_revisions(session, actor, sample.record_type, saved)] == [2, 1]
        history.restore_revision(session, actor, sample.record_type, saved, 1)
        assert record.name == "Bo"


@pytest.mark.spec("DATA-2")
def test_the_migrations_create_the_tables_of_the_code(database_dir: Path) -> None:
    check(Config(ROOT / "alembic.ini"))  # raises if they differ


@on_sqlite
@pytest.mark.spec("DATA-3")
def test_sqlite_writes_ahead_and_keeps_foreign_keys(database_dir: Path) -> None:
    with database.read_session() as session:
        assert session.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.execute(sa.text("PRAGMA foreign_keys")).scalar() == 1
        assert session.execute(sa.text("PRAGMA busy_timeout")).scalar() == 5000
