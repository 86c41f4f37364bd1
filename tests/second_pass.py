"""Runs browser tests, and those that failed once more: each alone, in a process of its own, after the others.

What passes at the second try is printed as UNSTEADY and added to .unsteady.tsv, with the time. More failures than a few
are no bad luck, and get no second try.
"""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
REPORT = ROOT / ".unsteady.tsv"
FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
MOST = 5
SOME_FAILED = 1  # pytest's status; any other than this and 0 means that the run was not complete
# One failure in twenty would be one leak or one loss in twenty.
NEVER_AGAIN = ("tests/e2e/test_hostile_client.py", "tests/e2e/test_tab_tokens.py", "tests/e2e/test_lost_database.py")


def run(*arguments: str) -> int:
    """Run pytest; returns its status."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT).returncode


def main(*arguments: str) -> int:
    """Run pytest with these arguments, and what failed once more; returns the status for both."""
    FAILED.unlink(missing_ok=True)
    status = run(*arguments)
    if status != SOME_FAILED or not FAILED.exists():
        return status
    failed = list(json.loads(FAILED.read_text(encoding="utf-8")))
    if len(failed) > MOST or any(name.startswith(NEVER_AGAIN) for name in failed):
        return status
    unsteady = [name for name in failed if run("-vv", name) == 0]
    with REPORT.open("a", encoding="utf-8") as report:
        for name in unsteady:
            print(f"{datetime.now(UTC):%Y-%m-%d %H:%M}\t{name}", file=report)
            print(f"UNSTEADY {name}")
    for name in failed:
        if name not in unsteady:
            print(f"FAILED TWICE {name}")
    return 0 if unsteady == failed else status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
