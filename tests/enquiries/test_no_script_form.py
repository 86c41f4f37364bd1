"""A form sent without scripts that cannot be stored: the log says why, once."""

import asyncio
from pathlib import Path
from types import ModuleType

import pytest

from advisory_site.enquiries import no_script_form
from advisory_site.http.form_posts import FormRequest
from advisory_site.observability.log_throttle import ThrottledLog
from tests.conftest import on_sqlite
from tests.support.database_faults import Fault, missing, read_only

FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hello"}


@on_sqlite
@pytest.mark.spec("DATA-4")
@pytest.mark.parametrize(("fault", "why"), [(read_only, "readonly database"), (missing, "unable to open")])
def test_the_log_says_why_and_says_it_once(
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
