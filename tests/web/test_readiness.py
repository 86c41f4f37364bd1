"""Alive and ready: what machines on call are told, and that they are told no secrets."""

from collections.abc import Callable
from datetime import timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.database import now, transaction
from advisory_site.mail import Message
from advisory_site.mail_queue import OutgoingMail, queue
from advisory_site.settings import get_settings
from advisory_site.web.readiness import Readiness, alive
from tests.conftest import on_sqlite
from tests.web.asked import Answer, ask


def asked(*, is_stopping: bool = False, renderer_runs: bool = True) -> Answer:
    return ask(Readiness(is_stopping=lambda: is_stopping, renderer_runs=lambda: renderer_runs))


Change = Callable[..., None]


@pytest.fixture
def setting(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Change:
    """Changes one setting."""

    def change(name: str, value: str) -> None:
        monkeypatch.setenv(f"ADVISORY_{name}", value)
        get_settings.cache_clear()

    return change


def test_a_sound_site_is_ready(database: ModuleType) -> None:
    answer = asked()
    assert answer.status == 200
    assert answer.json == {
        "ready": True,
        "server": "ok",
        "database": "ok",
        "mail": "ok",
        "redis": "not used",
        "renderer": "ok",
    }


def test_a_database_at_an_older_schema_is_not_ready(database: ModuleType) -> None:
    with transaction() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    answer = asked()
    assert (answer.status, answer.json["database"]) == (503, "not migrated")


@pytest.mark.parametrize("url", ["postgresql://ann:secret-word@127.0.0.1:1/firm", "sqlite:////nowhere/secret-word.db"])
@on_sqlite
def test_a_database_that_is_away_is_not_ready_and_its_password_is_not_told(setting: Change, url: str) -> None:
    setting("DATABASE_URL", url)
    answer = asked()
    assert (answer.status, answer.json["database"], answer.json["mail"]) == (503, "away", "away")
    assert b"secret-word" not in answer.body


@on_sqlite
def test_a_redis_that_is_away_is_not_ready(setting: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    from reflex_base.config import get_config

    setting("REDIS_URL", "redis://:secret-word@127.0.0.1:1/0")
    monkeypatch.setattr(get_config(), "redis_url", get_settings().redis_url)
    answer = asked()
    assert (answer.status, answer.json["redis"]) == (503, "away")
    assert b"secret-word" not in answer.body


@on_sqlite
def test_a_renderer_that_is_away_makes_pages_plainer_and_nothing_else(database: ModuleType) -> None:
    answer = asked(renderer_runs=False)
    assert (answer.status, answer.json["renderer"]) == (200, "away")


@on_sqlite
def test_a_server_that_stops_is_not_ready_for_more(database: ModuleType) -> None:
    assert asked(is_stopping=True).status == 503


def test_mail_that_waits_for_long_is_told_and_decides_nothing(database: ModuleType) -> None:
    with transaction() as session:
        queue(session, Message("ann@example.com", "Hello", "Text"))
        session.flush()
        session.execute(sa.update(OutgoingMail).values(due_at=now() - timedelta(hours=1)))
    answer = asked()
    assert (answer.status, answer.json["mail"]) == (200, "late")


def test_alive_needs_no_database() -> None:
    assert ask(alive).body == b"ok\n"


def test_no_answer_is_kept_by_anybody(database: ModuleType) -> None:
    assert asked().headers["cache-control"] == ask(alive).headers["cache-control"] == "no-store"
