"""The command `personal-data`."""

import json
import signal
import tempfile
from pathlib import Path

import pytest

from sitekit.accounts.personal_data.erasure import erase_address
from sitekit.base.db.database import read_session, transaction
from tests.conftest import on_sqlite
from tests.sitekit.accounts.personal_data.traces import left
from tests.support import factories
from tests.support.cli import run
from tests.support.database_faults import full
from tests.support.interrupted import interrupt
from tests.support.people import person

pytestmark = [pytest.mark.spec("ACC-4"), on_sqlite]

ANN = "ann.lee@kelp.example"


@pytest.fixture(autouse=True)
def _held(database_dir: Path) -> None:
    person(ANN)
    with transaction() as session:
        factories.add_enquiry(session, email=ANN)
        factories.add_advisor(session, email=ANN, name="Ann Lee")


def test_the_command_counts_stored_rows_and_previews_the_erasure(database_dir: Path) -> None:
    done = run(database_dir, "personal-data", ANN.upper())
    assert done.returncode == 0
    assert "       1  Enquiries\n" in done.stdout
    goes, _, stays = done.stdout.partition("What stays, and why:")
    assert "- 1 enquiry will be deleted." in goes and "- 1 advisor will be kept." in stays and "- Backups:" in stays
    with read_session() as session:
        assert set(left(session)) == {"advisors", "enquiries", "profiles", "revisions"}


def test_the_command_exports_to_a_new_private_file_and_erases(database_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "ann.json"
    done = run(database_dir, "personal-data", ANN, "--json", str(file), "--erase")
    assert (done.returncode, done.stderr) == (0, "")
    assert "What was deleted:" in done.stdout and "- 1 account deleted." in done.stdout
    assert {"Account", "Enquiries", "Advisors"} < {one["what"] for one in json.loads(file.read_text())["held"]}
    assert file.stat().st_mode & 0o777 == 0o600
    with read_session() as session:
        assert set(left(session)) == {"advisors", "revisions"}
    again = run(database_dir, "personal-data", ANN, "--json", str(file))
    assert (again.returncode, again.stderr) == (1, f"{file} cannot be written: File exists.\n")


def test_an_invalid_or_unknown_address_is_reported_in_one_sentence(database_dir: Path) -> None:
    assert run(database_dir, "personal-data", "nobody@x.example").stdout == "Nothing is held about nobody@x.example.\n"
    refused = run(database_dir, "personal-data", "nobody@x.example", "--erase")
    assert (refused.returncode, refused.stderr) == (1, "Nothing is held about nobody@x.example.\n")
    wrong = run(database_dir, "personal-data", "nobody")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)


def test_the_last_admin_is_not_erased(database_dir: Path) -> None:
    run(database_dir, "create-admin", "boss@northstrait.example")
    refused = run(database_dir, "personal-data", "boss@northstrait.example", "--erase")
    assert refused.returncode == 1 and refused.stderr.startswith("The last admin cannot be deleted.")


def test_an_export_that_cannot_be_finished_leaves_no_file(
    database_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ann.json"
    with full(database_dir, monkeypatch):
        assert run(database_dir, "personal-data", ANN, "--json", str(file)).returncode == 1
    assert not file.exists()


@pytest.mark.spec("DATA-3")
def test_erasing_deletes_what_an_interrupted_command_has_left(
    database_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restored copy of the database in the folder for temporary files; a pipe stands for a backup that is read."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    interrupt(signal.SIGKILL, tmp_path / "pipe", database_dir, "verify", str(tmp_path / "pipe"), TMPDIR=str(folder))
    (left_behind,) = folder.iterdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert f"{left_behind} was left by a command that was killed" in run(database_dir, "check").stdout
    with transaction() as session:
        erase_address(session, ANN)
    assert list(folder.iterdir()) == []


@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize("command", ["verify", "rehearse", "restore"])
def test_a_command_that_is_stopped_deletes_its_copy(database_dir: Path, tmp_path: Path, command: str) -> None:
    folder, pipe = tmp_path / "temporary", tmp_path / "pipe"
    folder.mkdir()
    assert interrupt(signal.SIGTERM, pipe, database_dir, command, str(pipe), TMPDIR=str(folder)) == 143
    assert list(folder.iterdir()) == []
