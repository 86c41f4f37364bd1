"""Finds a Chromium for the browser tests, or installs one: Playwright's own, else Debian's package.

A headless shell is preferred to a whole browser, which opens a window and its toolbars for every context of a test,
also when it is headless: the browser tests then take nearly twice as long.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

# A script's folder is on the path, the project's is not.
sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.install_services import install as install_from_debian

SHELL = "chromium-headless-shell"
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def installed_shell() -> str | None:
    """The path of a headless shell that is here already and starts: Playwright's own, else the system's."""
    shells: list[str | None] = []
    for folder in _own_browser().parents:
        if folder.name.startswith("chromium-"):  # beside it: chromium_headless_shell-1255/chrome-linux/headless_shell
            beside = folder.name.replace("chromium", "chromium_headless_shell")
            shells += map(str, folder.parent.glob(f"{beside}/*/*headless*shell*"))
    return next(filter(_starts, [*shells, shutil.which(SHELL)]), None)


def installed() -> str | None:
    """The path of the best browser that is here already and starts: a shell, Playwright's own, the system's."""
    return installed_shell() or next(filter(_starts, [str(_own_browser()), *map(shutil.which, BROWSERS)]), None)


def _starts(browser: str | None) -> bool:
    """Whether a program prints its version: without the system's libraries Playwright's own does not."""
    if browser is None or not os.access(browser, os.X_OK):
        return False
    try:
        return subprocess.run([browser, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@cache
def _own_browser() -> Path:
    """Where Playwright's own whole browser is or would be."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def install() -> None:
    """Try both sources; each may be out of reach, which is no error yet."""
    with suppress(subprocess.TimeoutExpired):
        playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(playwright, capture_output=True, timeout=600)
    if not installed_shell():
        install_from_debian(["fonts-liberation", SHELL])
    if not installed():
        install_from_debian(["chromium"])


if __name__ == "__main__":
    if not installed_shell():
        install()
    if not installed():
        sys.exit(
            "The browser tests need Chromium, and it could not be installed: neither Playwright's own"
            " (python -m playwright install chromium) nor Debian's (apt install chromium, as root)."
        )
