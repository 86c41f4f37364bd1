"""Two servers at one port: the second one says that it is taken, and gets nobody's message."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.conftest import ROOT, Site


@pytest.mark.spec("CON-4")
def test_a_second_server_cannot_share_the_port(site: Site, tmp_path: Path) -> None:
    port = urlsplit(site.url).port
    environ = os.environ | {"ADVISORY_DATA_DIR": str(tmp_path / "second")}
    command = [sys.executable, "-m", "advisory_site", "run", "--port", str(port)]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
    assert (done.returncode, f"Port {port} is taken" in done.stderr) == (1, True)
    assert not (tmp_path / "second").exists()
