"""A form sent without scripts: what is not stored, and what the log says when it cannot be."""

import asyncio
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.enquiries.contact import no_script_form
from advisory_site.enquiries.models import Enquiry
from advisory_site.enquiries.texts import HONEYPOT
from sitekit.base.db.database import read_session
from sitekit.base.observability.log_throttle import ThrottledLog
from sitekit.server.http.form_posts import FormRequest
from tests.conftest import on_sqlite
from tests.support.database_faults import Fault, missing, read_only

FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hello"}


@on_sqlite
@pytest.mark.spec("DATA-4")
@pytest.mark.parametrize(("fault", "why"), [(read_only, "readonly database"), (missing, "unable to open")])
def test_a_failure_to_store_is_logged_once_with_its_reason(
    app: object,
    database: ModuleType,
    database_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Fault,
    why: str,
) -> None:
    monkeypatch.setattr(no_script_form, "_log_failure", ThrottledLog(no_script_form._log_failure._log))
    with fault(database_dir, monkeypatch):
        answers = [asyncio.run(no_script_form.send(FormRequest(FORM, "192.0.2.1"))) for _ in range(3)]
    assert [answer.status for answer in answers] == [503] * 3
    lines = [message for message in caplog.messages if why in message]
    assert len(lines) == 1
    assert "Hello" not in lines[0]


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize(("website", "stored"), [("https://spam.example", 0), ("", 1)])
def test_a_bot_is_thanked_and_nothing_is_stored(app: object, database: ModuleType, website: str, stored: int) -> None:
    answer = asyncio.run(no_script_form.send(FormRequest(FORM | {HONEYPOT.name: website}, "192.0.2.1")))
    assert answer.status == 200
    with read_session() as session:
        assert session.execute(sa.select(sa.func.count()).select_from(Enquiry)).scalar() == stored
