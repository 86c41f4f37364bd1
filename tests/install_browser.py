"""Finds a Chromium for the browser tests, or installs one: Playwright's own, else Debian's package.

Debian's headless shell is preferred to its whole browser, which opens a window and its toolbars for every context of a
test, also when it is headless: the browser tests then take nearly twice as long.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def installed(names: tuple[str, ...] = (SHELL, *BROWSERS)) -> str | None:
    """The path of a browser that is here already: Playwright's own, else the first of these of the system's."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    return next((path for name in names if (path := shutil.which(name))), None)


def install() -> None:
    """Try both sources; each may be out of reach, which is no error yet."""
    with_rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    from_debian = [*with_rights, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "fonts-liberation"]
    for command in (
        [sys.executable, "-m", "playwright", "install", "chromium"],
        [*with_rights, "apt-get", "update", "-qq"],
        [*from_debian, SHELL],
        [*from_debian, "chromium"],
    ):
        if installed((SHELL,)):
            return
        if shutil.which(command[0]):
            subprocess.run(
                command,
                capture_output=True,
                timeout=600,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )


if __name__ == "__main__":
    if not installed((SHELL,)):
        install()
    if not installed():
        sys.exit(
            "The browser tests need Chromium, and it could not be installed: neither Playwright's own"
            " (python -m playwright install chromium) nor Debian's (apt install chromium, as root)."
        )
