"""Commands that meet a database they cannot use, or the wrong user: one sentence, and nothing is left behind."""

import os
from pathlib import Path

import pytest

from tests.conftest import on_sqlite
from tests.support.cli import run

EVERY = (
    ("seed",),
    ("check",),
    ("create-admin", "boss@northstrait.example"),
    ("delete-account", "boss@northstrait.example"),
    ("backup", "file"),
)


@pytest.mark.parametrize("command", EVERY, ids=lambda command: command[0])
def test_without_a_database_a_command_says_so_and_makes_none(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run(tmp_path, *command)
    assert done.returncode == 1
    assert "There is no database" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.glob("*.db*")) == []


@pytest.mark.parametrize(
    "command", [command for command in EVERY if command != ("check",)], ids=lambda command: command[0]
)
def test_a_server_that_is_away_is_one_sentence_without_its_password(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run(tmp_path, *command, DATABASE_URL="postgresql://ann:secret-word@127.0.0.1:1/firm")
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "secret-word" not in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as root")
@on_sqlite
@pytest.mark.parametrize("command", [("migrate",), ("restore", "file"), ("backup", "file"), ("run", "--port", "1")])
def test_root_does_not_write_where_the_site_s_user_could_not(database_dir: Path, command: tuple[str, ...]) -> None:
    for path in (database_dir, *database_dir.iterdir()):
        os.chown(path, 65534, 65534)
    done = run(database_dir, *command)
    assert done.returncode == 1
    assert "belongs to nobody" in done.stderr
    assert "runuser -u nobody" in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.stat().st_uid for path in database_dir.iterdir()} == {65534}
