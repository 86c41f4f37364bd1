"""What happens before the site serves: once for all processes, and only where it can store what it is sent."""

import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts.account_errors import InvalidToken
from sitekit.accounts.form_data import NewPasswordData
from sitekit.accounts.models import Profile
from sitekit.accounts.password import recovery
from sitekit.accounts.sessions.sign_in import check_password
from sitekit.base.db.database import engine, engine_of, read_session
from sitekit.base.db.migrations import migrate
from sitekit.base.settings import get_settings
from sitekit.ops import serve
from tests.conftest import ROOT, on_postgresql, on_sqlite, use
from tests.support.cli import run
from tests.support.database_faults import read_only

TOGETHER = """
import sys
from advisory_site.__main__ import hand_over
from sitekit.ops import serve
hand_over()
print("ready", flush=True)
sys.stdin.readline()
serve.prepare()
"""


@pytest.mark.spec("DATA-3")
def test_concurrently_started_processes_seed_and_create_an_admin_once(database: ModuleType) -> None:
    env = dict(os.environ, ADVISORY_BCRYPT_COST="4", ADVISORY_ADMIN_PASSWORD="a-long-quiet-evening-42")
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen([sys.executable, "-c", TOGETHER], cwd=ROOT, env=env, stdin=pipe, stdout=pipe, text=True)
        for _ in range(3)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        process.communicate(timeout=60)
    assert [process.returncode for process in started] == [0, 0, 0]
    with read_session() as session:
        for table, expected in (("profiles", 1), ("user_roles", 1)):
            assert session.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one() == expected
        slugs = session.execute(sa.text("SELECT count(*), count(DISTINCT slug) FROM companies")).one()
        assert slugs[0] == slugs[1] > 0


PRODUCTION = {
    "ENV": "production",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    "SIGN_UP": "closed",
    "PUBLIC_URL": "https://northstrait.example",
    "BCRYPT_COST": "10",
}


@on_sqlite
def test_a_site_with_an_unwritable_database_does_not_start(
    database: ModuleType, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "upgrade", lambda _echo: None)  # which has nothing to write at the newest schema
    with read_only(database_dir, monkeypatch), pytest.raises(sa.exc.OperationalError, match="readonly"):
        serve.prepare()


@pytest.mark.spec("DATA-3")
def test_production_does_not_start_with_a_lost_database(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url, **PRODUCTION)
    serve.prepare()
    serve.prepare()
    _lose(empty_database_url)
    with pytest.raises(SystemExit, match="now there is none"):
        serve.prepare()
    migrate()  # said in so many words, it is meant
    serve.prepare()


@on_postgresql
@pytest.mark.spec("DATA-3")
def test_a_lost_database_is_named_without_the_password_of_its_address(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=f"{empty_database_url}?password=QwerZyx97", **PRODUCTION)
    serve.prepare()
    _lose(empty_database_url)
    with pytest.raises(SystemExit, match="now there is none") as refused:
        serve.prepare()
    assert "Qwer" not in str(refused.value)


@pytest.mark.spec("AUTH-6")
def test_the_first_production_admin_sets_a_password_by_a_one_time_link(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "sitekit")
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url, **PRODUCTION)
    serve.prepare()
    link = re.search(
        r"password to be chosen at (https://northstrait\.example/auth/\S+\?token=(\S+)), sign in", caplog.text
    )
    assert link is not None
    data = NewPasswordData(password="a-long-quiet-evening-42")
    assert recovery.recover(link[2], data, "192.0.2.1")
    with pytest.raises(InvalidToken):
        recovery.recover(link[2], data, "192.0.2.1")
    caplog.clear()
    serve.prepare()
    assert "First admin" not in caplog.text


@pytest.mark.spec("AUTH-6")
def test_the_first_admin_of_a_local_site_gets_a_password(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, tmp_path / "data", DATABASE_URL=empty_database_url, BCRYPT_COST="4")
    serve.prepare()
    shown = re.search(r"password  (\S{16})\n", capsys.readouterr().out)
    assert shown is not None
    assert check_password("admin@northstrait.example", shown[1])


@pytest.mark.spec("AUTH-6", "DASH-1")
def test_the_first_admin_has_an_empty_name(database: ModuleType) -> None:
    serve.make_first_admin()
    with read_session() as session:
        names = session.execute(sa.select(col(Profile.first_name), col(Profile.last_name))).all()
    assert [tuple(one) for one in names] == [("", "")]


def test_a_local_site_listens_on_localhost_and_production_on_all_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, tmp_path)
    assert get_settings().listen_address == "127.0.0.1"
    use(monkeypatch, tmp_path, **PRODUCTION)
    assert get_settings().listen_address == "0.0.0.0"


def _lose(url: str) -> None:
    """Everything is gone, as after a mistake with a volume; of SQLite an empty file is left."""
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        for path in file.parent.glob(f"{file.name}*"):
            path.unlink()
        file.touch()
    else:
        with sa.create_engine(url).begin() as connection:
            connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            connection.execute(sa.text("CREATE SCHEMA public"))
    engine().dispose()
    engine_of.cache_clear()


@pytest.mark.parametrize("command", [["check", "--start"], ["migrate"], ["check"]], ids=" ".join)
def test_a_missing_folder_for_the_database_is_reported_before_a_start(tmp_path: Path, command: list[str]) -> None:
    folder = tmp_path / "disk" / "site"
    done = run(tmp_path, *command, DATABASE_URL=f"sqlite:///{folder}/advisory.db")
    assert done.returncode == 1
    text = f"There is no folder {folder} for the database: create it, or see whether its disk is mounted."
    assert text in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["check", "--start"], ["migrate"]], ids=" ".join)
def test_a_closed_folder_for_the_database_is_reported_before_a_start(tmp_path: Path, command: list[str]) -> None:
    """Root may write into any folder but those of the kernel."""
    done = run(tmp_path, *command, DATABASE_URL="sqlite:////proc/1/advisory.db")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "The database /proc/1/advisory.db cannot be opened" in done.stderr


def test_a_start_with_a_new_data_folder_is_not_stopped(tmp_path: Path) -> None:
    done = run(tmp_path / "new", "check", "--start")
    assert (done.returncode, done.stdout) == (0, "Nothing stops the start.\n")


@on_sqlite
def test_files_written_by_commands_are_private(database_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    env = dict(os.environ, ADVISORY_DATA_DIR=str(folder), ADVISORY_BCRYPT_COST="4")
    for command in (["migrate"], ["create-admin", "ann@northstrait.example"]):
        run = [sys.executable, "-m", "advisory_site", *command]
        subprocess.run(run, cwd=ROOT, env=env, input="a-long-quiet-evening-42\n", text=True, umask=0o022, check=True)
    written = [folder, *folder.rglob("*")]
    assert folder / "advisory.db" in written
    assert [path.name for path in written if stat.S_IMODE(path.stat().st_mode) & 0o077] == []
