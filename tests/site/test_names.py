"""The names that this site gives to the kit, where something outside the program relies on them."""

from datetime import UTC, datetime

import reflex as rx

import advisory_site
from sitekit.accounts import one_use_links, secrets_at_rest, tokens
from sitekit.accounts.sessions import session_state
from sitekit.accounts.sessions.auth_state import BrowserState
from sitekit.base import scratch
from sitekit.base.db import database
from sitekit.base.observability import audit_log, log_config, metrics
from sitekit.base.settings import Settings
from sitekit.base.site import get_site
from sitekit.ops import backup, backup_keep
from sitekit.server.http.responses import STALE_HEADERS


def test_names_inside_stored_secrets_and_tokens_are_unchanged() -> None:
    assert tokens.ISSUER == "advisory_site"
    assert secrets_at_rest.PURPOSE == b"advisory_site secrets at rest"
    assert one_use_links.PURPOSE == b"advisory_site one-use links"


def test_names_inside_backups_are_unchanged() -> None:
    assert backup.MAGIC == b"NORTHSTRAIT-BACKUP 1 "
    assert backup_keep.backup_name(datetime(2026, 11, 24, 9, 5, tzinfo=UTC)) == "northstrait-20261124T090500Z.backup"
    assert backup_keep.NAME.fullmatch("northstrait-20261124T090500Z.backup")
    assert scratch.PREFIXES == (
        ".backup-",
        "advisory-backup-",
        "advisory-restore-",
        "advisory-rehearsal-",
        "advisory-upload-",
    )


def test_names_stored_in_browsers_are_unchanged() -> None:
    assert session_state.STORED_AS == "advisory_session"
    known = BrowserState.get_fields()["known"].default
    assert isinstance(known, rx.LocalStorage)
    assert known.name == "advisory_known"


def test_names_of_settings_and_files_are_unchanged() -> None:
    settings = Settings.from_environment({"ADVISORY_DATA_DIR": "/srv/data"})
    assert settings.database_url == "sqlite:////srv/data/advisory.db"


def test_names_used_by_monitoring_are_unchanged() -> None:
    assert metrics.gauge("sockets", "Tabs.", 1).name == "advisory_sockets"
    assert database.POSTGRESQL_LIMITS["application_name"] == "advisory_site"
    assert (audit_log.logger.name, log_config.TRAFFIC) == ("advisory_site.audit", "advisory_site.traffic")
    assert log_config.configuration(Settings.from_environment({}))["loggers"]["advisory_site"] == {"level": "INFO"}
    assert STALE_HEADERS["cache-status"] == "advisory_site; hit; detail=stale"
    assert get_site().version == advisory_site.__version__
