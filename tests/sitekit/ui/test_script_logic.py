"""The logic of our scripts, tested by Node's own runner: see the files in `js`."""

import subprocess
import sys
from pathlib import Path

NODE = Path(sys.executable).with_name("node")
FILES = sorted(Path(__file__).with_name("js").glob("*.test.mjs"))


def test_the_scripts_pass_their_own_tests() -> None:
    assert FILES
    run = subprocess.run([NODE, "--test", *FILES], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
