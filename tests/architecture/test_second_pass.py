"""The second try of browser tests: for few failures, never for those that may hide a leak, and always reported."""

import json
from pathlib import Path

import pytest

from tests import second_pass

STEADY, UNSTEADY = "tests/e2e/test_a.py::test_always_fails", "tests/e2e/test_b.py::test_fails_once[a b]"


@pytest.mark.parametrize(
    ("failed", "status", "tried_again", "result"),
    [
        ([], 0, [], 0),
        ([UNSTEADY], 1, [UNSTEADY], 0),
        ([UNSTEADY, STEADY], 1, [UNSTEADY, STEADY], 1),
        ([f"tests/e2e/test_b.py::test_{number}" for number in range(6)], 1, [], 1),
        ([UNSTEADY, "tests/e2e/test_hostile_client.py::test_x"], 1, [], 1),
        ([UNSTEADY], 2, [], 2),  # the run was interrupted
        ([], 5, [], 5),  # nothing was run
    ],
)
def test_failed_browser_tests_are_tried_once_more(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failed: list[str],
    status: int,
    tried_again: list[str],
    result: int,
) -> None:
    monkeypatch.setattr(second_pass, "FAILED", tmp_path / "lastfailed")
    monkeypatch.setattr(second_pass, "REPORT", tmp_path / "unsteady.tsv")
    second_pass.FAILED.write_text(json.dumps({"of an earlier run": True}))
    calls: list[str] = []

    def run(*arguments: str) -> int:
        calls.append(arguments[-1])
        if arguments == ("-m", "journey"):
            if failed:
                second_pass.FAILED.write_text(json.dumps(dict.fromkeys(failed, True)))
            return status
        return int(arguments[-1] == STEADY)

    monkeypatch.setattr(second_pass, "run", run)
    assert second_pass.main("-m", "journey") == result
    assert calls == ["journey", *tried_again]
    printed = capsys.readouterr().out.splitlines()
    unsteady = [name for name in tried_again if name != STEADY]
    assert [line for line in printed if line.startswith("UNSTEADY")] == [f"UNSTEADY {name}" for name in unsteady]
    noted = second_pass.REPORT.read_text().splitlines() if second_pass.REPORT.exists() else []
    assert [line.split("\t")[1] for line in noted] == unsteady
    assert [line for line in printed if line.startswith("FAILED TWICE")] == [
        f"FAILED TWICE {name}" for name in tried_again if name == STEADY
    ]
