"""What the tests install on a fresh machine: failures are reported, and only a browser that starts counts."""

import os
from pathlib import Path

import pytest

from tests import install_browser, install_services


def program(folder: Path, name: str, script: str) -> Path:
    """Write an executable shell script."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def test_each_package_that_cannot_be_installed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program(tmp_path, "apt-get", 'echo "E: Could not resolve the host" >&2; exit 100')
    program(tmp_path, "sudo", 'shift; exec "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    install_services.install(["redis-server", "caddy"])
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ", 1)[1] for line in lines] == ["E: Could not resolve the host"] * 3
    assert [line.split(": ")[0].split()[-1] for line in lines[1:]] == ["redis-server", "caddy"]


def test_a_browser_that_does_not_start_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install_browser, "_own_browser", lambda: tmp_path / "missing")
    monkeypatch.setenv("PATH", str(tmp_path))
    program(tmp_path, install_browser.SHELL, "exit 127  # a library is missing")
    assert install_browser.installed() is None
    whole = program(tmp_path, "chromium", "echo Chromium 156")
    assert install_browser.installed() == str(whole)
