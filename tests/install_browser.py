"""Finds a Chromium for the browser tests, or installs one: Playwright's own, else Debian's package.

A headless shell is preferred to a whole browser, which opens a window and its toolbars for every context of a test,
also when it is headless: the browser tests then take nearly twice as long.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def installed_shell() -> str | None:
    """The path of a headless shell that is here already: Playwright's own, else the system's."""
    shells = [shutil.which(SHELL)]
    for folder in _own_browser().parents:
        if folder.name.startswith("chromium-"):  # beside it: chromium_headless_shell-1255/chrome-linux/headless_shell
            beside = folder.name.replace("chromium", "chromium_headless_shell")
            own = folder.parent.glob(f"{beside}/*/*headless*shell*")
            shells = [*(str(path) for path in own if os.access(path, os.X_OK)), *shells]
    return shells[0]


def installed() -> str | None:
    """The path of the best browser that is here already: a headless shell, Playwright's own, the system's."""
    own = _own_browser()
    whole = str(own) if own.exists() else next(filter(None, map(shutil.which, BROWSERS)), None)
    return installed_shell() or whole


def _own_browser() -> Path:
    """Where Playwright's own whole browser is or would be."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def install() -> None:
    """Try both sources; each may be out of reach, which is no error yet."""
    with_rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    from_debian = [*with_rights, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "fonts-liberation"]
    for enough, command in (
        (installed_shell, [sys.executable, "-m", "playwright", "install", "chromium"]),
        (installed_shell, [*with_rights, "apt-get", "update", "-qq"]),
        (installed_shell, [*from_debian, SHELL]),
        (installed, [*from_debian, "chromium"]),
    ):
        if enough():
            return
        if shutil.which(command[0]):
            subprocess.run(
                command,
                capture_output=True,
                timeout=600,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )


if __name__ == "__main__":
    if not installed_shell():
        install()
    if not installed():
        sys.exit(
            "The browser tests need Chromium, and it could not be installed: neither Playwright's own"
            " (python -m playwright install chromium) nor Debian's (apt install chromium, as root)."
        )
