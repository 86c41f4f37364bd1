"""The demo firm's records, and a change of one from outside the server."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.conftest import ROOT

CHANGE = """
import sys
import sqlalchemy as sa
from advisory_site.ops import tables
from advisory_site.companies.models import Company
from advisory_site.db.database import transaction
with transaction() as session:
    company = session.execute(sa.select(Company).where(Company.slug == 'toko-tally')).scalar_one()
    exec(sys.argv[1])
"""


def change(data_dir: Path, statement: str) -> None:
    """Run a statement on the company `toko-tally` in a transaction of another process."""
    environ = os.environ | {"ADVISORY_DATA_DIR": str(data_dir)}
    subprocess.run([sys.executable, "-c", CHANGE, statement], cwd=ROOT, env=environ, check=True)


def records(name: str) -> list[dict[str, Any]]:
    """The demo firm's records of one kind."""
    stored: list[dict[str, Any]] = json.loads(
        (ROOT / "advisory_site" / "seed" / f"{name}.json").read_text(encoding="utf-8")
    )
    return stored
