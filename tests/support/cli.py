"""Runs the site's commands, each in its own process."""

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT


def run(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a data folder with only these settings; a password is passed on standard input."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {f"ADVISORY_{name}": value for name, value in {"DATA_DIR": str(folder), **settings}.items()}
    command = [sys.executable, "-m", "advisory_site", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environ, input="a-long-quiet-evening-42\n", capture_output=True, text=True, timeout=60
    )
