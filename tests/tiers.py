"""Which tests are in which tier: `make test` runs the gate, `make test-all` all of them.

A test without a browser is in the gate unless heavy.txt names it: several processes, real restores, pictures in every
size, long random walks. A test in `tests/e2e` is in the gate only if journeys.txt names it: one for each page and each
everyday job, and what protects all of them. A name stands for all cases of a test, or for one.
"""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
JOURNEYS = (FOLDER / "journeys.txt").read_text(encoding="utf-8").splitlines()
HEAVY = (FOLDER / "heavy.txt").read_text(encoding="utf-8").splitlines()


def mark(items: list[pytest.Item]) -> None:
    """Give the tests that the lists name their marks."""
    for name, listed in (("journey", set(JOURNEYS)), ("heavy", set(HEAVY))):
        for item in items:
            if {item.nodeid, item.nodeid.partition("[")[0]} & listed:
                item.add_marker(name)
