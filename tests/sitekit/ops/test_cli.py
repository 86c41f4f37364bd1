"""The command line: its help, and in one sentence each wrong arguments, wrong users and databases it cannot use."""

import os
import pty
import pwd
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from sitekit.base.settings import get_settings
from sitekit.base.site import get_site
from sitekit.ops import serve
from sitekit.ops.cli import ensure_home, main
from tests.conftest import ROOT, on_sqlite, use
from tests.support.cli import run
from tests.support.each import check_each
from tests.support.owners import give_away

EVERY = (
    ("seed",),
    ("check",),
    ("create-admin", "boss@northstrait.example"),
    ("delete-account", "boss@northstrait.example"),
    ("backup", "file"),
)


@pytest.mark.parametrize("command", EVERY, ids=lambda command: command[0])
def test_a_command_reports_a_missing_database_and_does_not_create_it(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run(tmp_path, *command)
    assert done.returncode == 1
    assert "There is no database" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.glob("*.db*")) == []


@pytest.mark.parametrize(
    "command", [command for command in EVERY if command != ("check",)], ids=lambda command: command[0]
)
def test_an_unreachable_server_is_reported_in_one_sentence_without_its_password(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    done = run(tmp_path, *command, DATABASE_URL="postgresql://ann:secret-word@127.0.0.1:1/firm")
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "secret-word" not in done.stderr


def test_an_impossible_data_folder_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "folder", Path("/proc/folder")):
        done = run(folder, "migrate")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"ADVISORY_DATA_DIR: {folder} cannot be used: ")
        assert len(done.stderr.splitlines()) == 1


@on_sqlite
@pytest.mark.parametrize("command", [("migrate",), ("restore", "file"), ("backup", "file"), ("run", "--port", "1")])
def test_root_does_not_write_files_the_site_user_cannot_use(
    database_dir: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(serve, "serve", lambda _port, _host: None)  # it would replace this process
    give_away(monkeypatch, database_dir)
    files = {path: path.stat().st_mtime_ns for path in database_dir.iterdir()}
    done = run(database_dir, *command)
    assert done.returncode == 1
    assert "belongs to nobody" in done.stderr
    assert "runuser -u nobody" in done.stderr
    assert "Traceback" not in done.stderr
    assert {path: path.stat().st_mtime_ns for path in database_dir.iterdir()} == files


@on_sqlite
def test_seed_loads_the_demo_data_once(database_dir: Path) -> None:
    assert run(database_dir, "seed").stdout == "Added 49 records.\n"
    assert run(database_dir, "seed").stdout == "Added 0 records.\n"


def test_help_describes_each_command_in_a_whole_sentence(tmp_path: Path) -> None:
    said = run(tmp_path, "--help", COLUMNS="80").stdout
    assert all(f"\n  {name} " in said for name in main.commands)
    assert "..." not in said.partition("Commands:")[2], "a sentence was cut off"


def test_the_help_of_a_command_works_with_invalid_settings(tmp_path: Path) -> None:
    def check(name: str) -> None:
        done = run(tmp_path, name, "-h", ENV="wrong")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"python -m advisory_site {name}" in done.stdout

    check_each(main.commands, check)


def test_the_version_is_said_with_invalid_settings(tmp_path: Path) -> None:
    done = run(tmp_path, "--version", ENV="wrong")
    assert (done.stdout, done.stderr) == (f"{get_site().brand.name} {get_site().version}\n", "")


def test_help_loads_no_database_packages() -> None:
    code = (
        "import sys, sitekit.ops.cli as cli\ntry: cli.main(['migrate', '-h'])\n"
        "except SystemExit: print([name for name in ('sqlalchemy', 'alembic', 'redis') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ((), "Commands:"),
        (("bakup", "file"), "Did you mean 'backup'?"),
        (("migrate-down",), "Missing argument 'REVISION'."),
        (("migrate-down", "base", "--delete"), "No such option"),
        (("run", "--port", "x"), "'x' is not a valid integer"),
        (("set-role", "ann@northstrait.example", "boss"), "not one of 'admin', 'manager', 'employee'."),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_an_invalid_command_line_is_explained_in_plain_words(
    tmp_path: Path, command: tuple[str, ...], words: str
) -> None:
    done = run(tmp_path / "none", *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "none").exists()


@on_sqlite
@pytest.mark.parametrize(
    ("second", "said", "status"),
    [("a-long-quiet-evening-42", "can sign in.", 0), ("another", "The two passwords differ; nothing was changed.", 1)],
)
def test_the_terminal_asks_for_a_password_twice_without_showing_it(
    database_dir: Path, second: str, said: str, status: int
) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "advisory_site", "create-admin", "boss@northstrait.example"]
    environ = os.environ | {"ADVISORY_BCRYPT_COST": "4"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        shown = _shown_until(ours, "Password: ")
        os.write(ours, b"a-long-quiet-evening-42\n")
        shown += _shown_until(ours, "again: ")
        os.write(ours, f"{second}\n".encode())
        shown += _shown_until(ours, said)
    os.close(ours)
    assert process.returncode == status
    assert "evening" not in shown
    assert "another" not in shown


def _shown_until(terminal: int, words: str) -> str:
    """What a terminal shows up to these words; at its end the read fails."""
    shown = ""
    while words not in shown:
        shown += os.read(terminal, 1024).decode()
    return shown


@pytest.mark.parametrize("port", ["80000", "0", "-1", "abc"])
def test_a_wrong_port_is_reported_as_the_port(tmp_path: Path, port: str) -> None:
    done = run(tmp_path, "run", "--port", port)
    assert done.returncode != 0
    assert "'--port'" in done.stderr and port in done.stderr and "PUBLIC_URL" not in done.stderr


@pytest.mark.parametrize(
    ("address", "port", "origin"),
    [
        (None, "80", "http://localhost"),
        (None, "4343", "http://localhost:4343"),
        ("", "4343", "http://localhost:4343"),
        (" ", "443", "http://localhost:443"),
        ("https://Example.SG:443", "4343", "https://example.sg"),
    ],
)
def test_the_public_address_is_by_default_that_of_the_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str | None, port: str, origin: str
) -> None:
    served: list[str] = []
    monkeypatch.setattr(serve, "prepare", lambda: None)
    monkeypatch.setattr(serve, "serve", lambda _port, _host: served.append(get_settings().public_url))
    monkeypatch.setattr("sitekit.ops.port.claim", lambda _host, _port: None)
    run(tmp_path, "run", "--port", port, **({} if address is None else {"PUBLIC_URL": address}))
    assert served == [origin]


@pytest.mark.parametrize("home", [None, "", "data"])
def test_a_user_without_a_name_and_a_home_has_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    def unknown(_uid: int) -> NoReturn:
        raise KeyError

    use(monkeypatch, tmp_path)
    monkeypatch.delenv("HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    ensure_home()
    assert os.environ.get("HOME") == home, "a user with a name has a home"
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    ensure_home()
    assert Path.home() == tmp_path


def test_a_home_that_is_set_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    ensure_home()
    assert os.environ["HOME"] == "/"
