"""Processes that start at the same moment on an empty database."""

import os
import subprocess
import sys
from types import ModuleType

import pytest
import sqlalchemy as sa

from advisory_site.database import reading
from tests.conftest import ROOT

TOGETHER = """
import sys
from advisory_site import start
print("ready", flush=True)
sys.stdin.readline()
start.prepare()
"""


@pytest.mark.spec("DATA-3")
def test_processes_that_start_together_load_the_demo_firm_and_make_an_admin_once(database: ModuleType) -> None:
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
    with reading() as session:
        for table, expected in (("profiles", 1), ("user_roles", 1)):
            assert session.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one() == expected
        slugs = session.execute(sa.text("SELECT count(*), count(DISTINCT slug) FROM companies")).one()
        assert slugs[0] == slugs[1] > 0
